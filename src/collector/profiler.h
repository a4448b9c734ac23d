// The composition root: builds the parts, runs the collector thread, answers the C API.
// Context: Run: collector. Public functions: any thread but a signal handler.
#pragma once

#include <jni.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <string>

#include <stillframe/profiler.h>

#include "src/anr/error_state_poll.h"
#include "src/anr/trigger_policy.h"
#include "src/collector/from_java.h"
#include "src/collector/live_feed.h"
#include "src/collector/looper_pipelines.h"
#include "src/config/config.h"
#include "src/context/annotations.h"
#include "src/context/process_facts.h"
#include "src/core/sampler.h"
#include "src/dump/writer.h"
#include "src/jvm/java_reader.h"
#include "src/os/condition.h"
#include "src/os/thread_timer.h"
#include "src/sampling/tree_builder.h"
#include "src/trace/frame_table.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::collector {

class Profiler {
 public:
  // The one profiler of the process. Never destroyed: signal handlers may outlive main.
  static Profiler& Get();

  stillframe_status Start();
  // Until start-up has ended one way or the other.
  stillframe_status Wait(uint32_t timeout_ms);
  stillframe_status Stop();
  stillframe_status Resume();
  // Asks the collector for a dump and waits for it, at most `timeout_ms`.
  stillframe_status RequestDump(model::Trigger trigger, uint32_t timeout_ms, std::string* path);
  // The calling thread's Looper is watched from its next message on.
  stillframe_status WatchLooper();
  const char* State() const { return state_.load(std::memory_order_acquire); }
  void AtExit();
  context::AnnotationStore& annotations() { return annotations_; }

 private:
  Profiler() = default;

  void EndStartUp();

  // In the child of a fork, which has no collector and no timer, and shares wake_fd_ with its
  // parent.
  static void ForgetInChild();
  bool Runs() const { return started_ && wake_fd_ >= 0 && !is_fork_; }

  static void* RunThread(void* profiler);
  static void BindWatchedThread(void* profiler, tap::WatchedLooper* looper);
  void Run();
  bool WaitForVm();
  void StartUp();
  // Finds the layout that fits, or takes an earlier process's word that none does.
  bool VerifyRuntime(JNIEnv* env, std::string* why);
  bool CompareLayouts(JNIEnv* env, const std::string& likely, std::string* why);
  FollowedLoopers::Setup LooperSetup();
  int FollowLoopers(core::Sampler* sampler);
  void OpenLive();
  void StartSampler();
  void HearEarlyQuits();
  void StaysOff(const std::string& why);
  void SetState(const std::string& text);

  void Loop();
  uint64_t KeepTap(uint64_t now_ns);
  void WaitForWork(uint64_t sleep_ns);
  void ServeRequests();
  void WarnIfNothingHappens(uint64_t now_ns);
  // Writes the dumps that nobody asked for; returns how long the collector may sleep.
  uint64_t ServeTriggers(uint64_t now_ns);
  void ServeQuits(uint64_t now_ns);
  void DumpLongMessage(uint64_t now_ns);
  void PollErrorState(uint64_t now_ns);
  void HearSignalCatcher();
  void AddTraces();
  void CheckHeartbeat(uint64_t now_ns);

  // Whether `job` was run in the runtime within `timeout_ms`; if not, `*why` says why.
  bool AskJava(const std::shared_ptr<jvm::JavaReader::Job>& job, uint32_t timeout_ms,
               std::string* why);
  // What the runtime tells in time; absent otherwise, with the reason.
  FromJava ReadFromJava(size_t messages, bool with_facts);
  std::string ConfirmAnr(const FromJava& java, const model::Message* running) const;
  dump::WriteResult WriteDump(model::Trigger trigger, const std::string& detail, std::string* path);
  model::Identity DescribeProcess() const;
  std::vector<model::NamedCount> Counters();
  bool DescribeRunning(uint64_t now_ns, model::Message* message) const;

  config::Config config_;
  std::atomic<bool> started_{false};
  std::atomic<bool> is_fork_{false};
  std::atomic<bool> vm_found_{false};
  std::atomic<const char*> state_{"not started"};
  pthread_t thread_ = {};
  int wake_fd_ = -1;

  // Set by the collector in StartUp; its own afterwards.
  JavaVM* vm_ = nullptr;
  JNIEnv* env_ = nullptr;
  std::string build_id_;
  walk::RuntimeFacts facts_;
  FollowedLoopers loopers_;
  core::WatchedThread& watched_ = loopers_.main_thread();
  core::Sampler sampler_;
  bool sampler_runs_ = false;
  os::ThreadTimer early_quits_;
  LiveFeed live_;
  // Half of what a table usually may hold: all memory together stays under 2 MiB.
  trace::FrameTable frames_{
      {.max_frames = 8 * 1024, .max_strings = 8 * 1024, .max_string_bytes = 256 * 1024}};
  std::unique_ptr<dump::Writer> writer_;
  std::unique_ptr<sampling::TreeBuilder> trees_;
  jvm::JavaReader java_reader_;
  anr::TriggerPolicy triggers_;
  context::ProcessFacts process_facts_;
  context::AnnotationStore annotations_;
  uint64_t loaded_ns_ = 0;
  uint64_t started_ns_ = 0;
  bool warned_ = false;
  unsigned quits_served_ = 0;
  uint64_t quits_merged_ = 0;
  // The last dump for a SIGQUIT, which learns later whether it was an ANR.
  struct QuitDump {
    std::string path;
    model::Occasion occasion;
  };
  QuitDump quit_;
  anr::ErrorStatePoll error_state_;
  std::string traces_absent_;  // why the Signal Catcher is not heard; "": it is
  std::string traces_path_;    // the dump that waits for its traces
  uint64_t dumps_removed_ = 0;
  uint32_t dumps_ = 0;
  uint64_t last_dump_ns_ = 0;

  // All below: under mutex_. A request of the C API is served when served_ reaches its number.
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  os::Condition changed_;
  bool has_started_up_ = false;
  uint32_t requested_ = 0;
  uint32_t served_ = 0;
  model::Trigger request_trigger_ = model::Trigger::kApi;
  stillframe_status request_status_ = STILLFRAME_OK;
  std::string request_path_;
};

}  // namespace stillframe::collector
