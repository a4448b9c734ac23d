// SPDX-License-Identifier: Apache-2.0
// The collector thread: builds the parts when there is a VM, then runs them in a loop.
//
// It owns all parts and decides nothing that a part can: LayoutChoice finds the layout, AnrTriggers
// when a dump is due, DumpAssembler its content.
// Context: private functions: collector, but for BindWatchedThread. Public functions: any thread but
// a signal handler
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <stillframe/profiler.h>

#include "src/art/layout_choice.h"
#include "src/art/main_queue.h"
#include "src/art/thread_list.h"
#include "src/art/vm.h"
#include "src/art/wait_reader.h"
#include "src/collector/anr_triggers.h"
#include "src/collector/collector_sleep.h"
#include "src/collector/dump_assembler.h"
#include "src/collector/dump_requests.h"
#include "src/collector/live_feed.h"
#include "src/collector/looper_pipelines.h"
#include "src/collector/rate_keeper.h"
#include "src/collector/sampler_state.h"
#include "src/collector/sampling_switch.h"
#include "src/collector/tap_upkeep.h"
#include "src/context/annotations.h"
#include "src/context/identity.h"
#include "src/context/process_facts.h"
#include "src/core/sampler.h"
#include "src/core/stack_copies.h"
#include "src/core/waker.h"
#include "src/dump/writer.h"
#include "src/health/guard.h"
#include "src/history/frame_statistics.h"
#include "src/jank/jank_store.h"
#include "src/jank/session_file.h"
#include "src/jvm/java_questions.h"
#include "src/model/frame_table.h"
#include "src/model/outcome.h"
#include "src/native/file_symbols.h"
#include "src/native/native_frames.h"
#include "src/sampling/other_threads.h"
#include "src/sampling/slow_message_watch.h"
#include "src/sampling/tree_builder.h"
#include "src/settings/config.h"
#include "src/settings/configuration.h"
#include "src/tap/tap.h"
#include "src/tap/tap_keeper.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::collector {

class Collector {
 public:
  // Parts that any thread uses. All must outlive this.
  struct Shared {
    settings::Configuration* configuration;
    context::AnnotationStore* annotations;
    FileNews* dumps;
    FileNews* records;
  };
  explicit Collector(const Shared& shared) : shared_(shared) {}

  // The first call starts; later calls undo Stop. From now on `in_child` is called in the child of
  // each fork.
  stillframe_status Start(void (*in_child)());
  // Waits until start-up has ended, successfully or not.
  stillframe_status Wait(uint32_t timeout_ms);
  // While stopped, nothing is sampled. Settings can disable sampling too.
  stillframe_status SetStopped(bool is_stopped);
  // Call after changing settings from any thread. Settings that apply immediately are in force on
  // return.
  void SettingsChanged();

  // See model::SystemExit. True also if no records are written. Any thread.
  bool IsExitKnown(int32_t pid, uint64_t time_ms) const;
  void AddExit(model::SystemExit exit);
  void SetScene(const char* scene);
  // Requests a dump and waits for it, at most `timeout_ms`.
  stillframe_status RequestDump(model::Trigger trigger, uint32_t timeout_ms, std::string* path);
  // Watches the calling thread's Looper from its next message on.
  stillframe_status WatchLooper();
  // See profiler.h. Context: a thread without a Looper
  stillframe_status BeginBeat(const char* name);
  stillframe_status EndBeat();
  const char* StateText() {
    return switch_.IsOff() ? "switched off by the settings" : state_.text();
  }
  const char* Group() const { return state_.group(); }
  bool IsStarted() const { return state_.phase() != SamplerPhase::kNotStarted; }

  // The process ends: writes the exit dump if wanted, and stops sampling.
  void AtExit();
  // In the child of a fork, which has no collector. Context: the only thread
  void ForgetInChild();

 private:
  stillframe_status StartAgain();
  bool IsWatching() const;
  static void* RunThread(void* collector);
  static void BindWatchedThread(void* collector, tap::WatchedLooper* looper);

  // In the control group: keeps the session's file.
  static void* RunControlThread(void* collector);
  void Run();
  model::Outcome EnterVm(art::AttachedThread* thread);
  model::Outcome MayStart(const art::AttachedThread& thread);
  void StartUp(const art::AttachedThread& thread);
  void StartParts();
  void OpenGuard();
  LooperPipelines::Setup PipelineSetup();
  model::Outcome PrepareSampling(const art::AttachedThread& thread);
  model::Outcome StartSampler();
  bool ReportOn();
  int StartPipelines(core::Sampler* sampler);
  void OpenLive(const art::AttachedThread& thread);
  void WriteJanks();
  // For the records, see jank::JankStore::Setup and jank::SessionFile::Setup.
  void StartRecords();
  void AskForIdentity(uint64_t now_ns);
  static uint64_t RunningHang(void* collector, uint64_t now_ns, uint64_t least_ns,
                              jank::Hang* hang);
  static bool IsDebugged(void* collector, bool may_ask);
  static bool ReadSession(void* collector, dump::Session* session);
  // Both return NOT_STARTED.
  stillframe_status Disable(SamplerPhase phase, const std::string& why);
  stillframe_status FailStart(const std::string& why);

  void Loop();
  void SweepNames();
  // Nanoseconds until the next look at other threads.
  uint64_t FollowOthers(uint64_t now_ns);
  void ServeRequests();
  void Reconfigure();
  const settings::Config& config() const { return shared_.configuration->own(); }
  sampling::TreeLimits TreeLimits() const;

  void PublishCounters();

  const Shared shared_;
  uint64_t started_ns_ = 0;
  bool has_said_on_ = false;
  SamplerState state_;
  health::Guard guard_;
  core::StackCopies copies_;
  core::Sampler sampler_;
  core::Waker waker_;
  CollectorSleep sleep_{&waker_};
  DumpRequests requests_;
  SamplingSwitch switch_{shared_.configuration, &guard_, &sampler_};
  tap::WatchedLoopers watched_;

  // Set up by the collector in StartUp, and used by it alone afterwards.
  art::Vm vm_;
  art::ThreadList threads_;
  art::WaitReader waits_;
  art::MainQueue main_queue_;
  art::LayoutChoice layout_{&threads_, &waits_};
  tap::Tap tap_;
  tap::TapKeeper taps_{&tap_, &watched_};
  std::unique_ptr<history::FrameStatistics> frames_;
  sampling::SlowMessageWatch main_watch_;
  LooperPipelines pipelines_;
  TapUpkeep upkeep_;
  RateKeeper rate_;
  context::Identity identity_;
  context::ProcessFacts process_facts_;
  uint32_t identity_asked_ = 0;  // times
  jank::SessionFile session_;
  jank::JankStore janks_;
  // Half the default limits: all memory together stays under 2 MiB.
  model::FrameTable names_{
      {.max_frames = 8 * 1024, .max_strings = 8 * 1024, .max_string_bytes = 256 * 1024}};
  std::unique_ptr<dump::Writer> writer_;
  native::FileSymbols file_symbols_;
  native::NativeFrames native_{layout_.facts(), &names_, &file_symbols_};
  std::unique_ptr<sampling::TreeBuilder> trees_;
  sampling::OtherThreads others_;
  jvm::JavaQuestions questions_;
  LiveFeed live_;
  DumpAssembler dumps_;
  AnrTriggers triggers_;
};

}  // namespace stillframe::collector
