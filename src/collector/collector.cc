// SPDX-License-Identifier: Apache-2.0
#include "src/collector/collector.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "arch/arch.h"
#include "src/art/runtime_probe.h"
#include "src/context/proc_text.h"
#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/core/guarded_memory.h"
#include "src/health/only_copy.h"
#include "src/jank/system_exit.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"
#include "src/os/spare_descriptor.h"
#include "src/sigquit/catcher_watch.h"
#include "src/walk/walk.h"

namespace stillframe::collector {
namespace {

using model::Outcome;
using model::Status;
using settings::Ns;

#if defined(__ANDROID__)
constexpr bool kIsAndroid = true;
#else
constexpr bool kIsAndroid = false;
#endif

// The collector's thread, and which signals it takes.
// Context: start-up only

constexpr size_t kStackBytes = 1U << 20;

// The collector takes no process-wide signals: SIGQUIT's default action would kill the process.
// Faults and real-time signals stay unblocked. With the latter the Signal Catcher requests a
// thread's native stack, and waits for the answer.
void CollectorMask(sigset_t* mask) {
  sigemptyset(mask);
  for (int signal = 1; signal < SIGSYS; ++signal) sigaddset(mask, signal);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    sigdelset(mask, fault);
}

// Returns 0 or errno.
int StartCollectorThread(void* (*run)(void*), void* argument) {
  sigset_t mask;
  sigset_t before;
  CollectorMask(&mask);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_sigmask(SIG_SETMASK, &mask, &before);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return error;
}

constexpr const char* kThreadName = "stillframe";
constexpr uint32_t kExitDumpTimeoutMs = 5'000;

void RecordWritten(void* news, const std::string& path) { static_cast<FileNews*>(news)->Add(path); }

}  // namespace

stillframe_status Collector::Start(void (*in_child)()) {
  if (!state_.Begin()) return StartAgain();
  started_ns_ = core::MonotonicNs();
  os::KeepLogOpen();
  shared_.configuration->Start();
  if (!config().enabled)
    return Disable(SamplerPhase::kDisabled, "enabled=0 (STILLFRAME_ENABLED, or the settings)");
  if (shared_.configuration->IsControl()) {
    Disable(SamplerPhase::kControl, "this install is in the control group");
    if (config().janks && !config().dump_dir.empty()) StartCollectorThread(RunControlThread, this);
    return STILLFRAME_NOT_STARTED;
  }
  if (const std::string other = os::ClaimProcess(); !other.empty())
    return FailStart("another copy of it is at work in this process, in " + other);
  pthread_atfork(nullptr, nullptr, in_child);
  state_.Set(SamplerPhase::kWaitingForVm);
  arch::TagChecks::Prepare();
  const int error = StartCollectorThread(RunThread, this);
  if (error == 0) return STILLFRAME_OK;
  FailStart(std::string("no collector thread: ") + strerror(error));
  return STILLFRAME_NO_THREAD;
}

stillframe_status Collector::StartAgain() {
  if (state_.NeverSamples()) return STILLFRAME_NOT_STARTED;
  const bool was_stopped = switch_.SetStopped(false);
  if (!shared_.configuration->IsEnabled()) return STILLFRAME_NOT_STARTED;
  return was_stopped ? STILLFRAME_OK : STILLFRAME_ALREADY_STARTED;
}

void Collector::ForgetInChild() {
  state_.Set(SamplerPhase::kForked);
  LooperPipelines::ForgetInChild();
  watched_.Forget();
  live_.ForgetInChild();
  sigquit::CatcherWatch::Forget();
  waker_.Forget();
}

stillframe_status Collector::Wait(uint32_t timeout_ms) {
  if (!state_.IsStarted()) return STILLFRAME_NOT_STARTED;
  return requests_.WaitForStartUp(timeout_ms) ? STILLFRAME_OK : STILLFRAME_TIMED_OUT;
}

stillframe_status Collector::SetStopped(bool is_stopped) {
  if (!state_.IsStarted()) return STILLFRAME_NOT_STARTED;
  switch_.SetStopped(is_stopped);
  SettingsChanged();
  return STILLFRAME_OK;
}

void Collector::SettingsChanged() {
  if (state_.IsStarted()) switch_.ApplyState();
  if (state_.HasCollector()) sleep_.Wake();
}

bool Collector::IsExitKnown(int32_t pid, uint64_t time_ms) const {
  const settings::Config config = shared_.configuration->Read();
  return !state_.HasCollector() || !config.janks || config.dump_dir.empty() ||
         jank::IsExitKnown(config.dump_dir, pid, time_ms);
}

void Collector::AddExit(model::SystemExit exit) {
  if (!state_.HasCollector()) return;
  session_.AddExit(std::move(exit));
  sleep_.Wake();
}

stillframe_status Collector::RequestDump(model::Trigger trigger, uint32_t timeout_ms,
                                         std::string* path) {
  if (!state_.HasCollector() || !shared_.configuration->IsEnabled()) return STILLFRAME_NOT_STARTED;
  if (shared_.configuration->Read().dump_dir.empty()) return STILLFRAME_NO_DUMP_DIR;
  return requests_.Ask(trigger, timeout_ms, sleep_, path);
}

// Wakes the collector, so that each scene gets its exact time on the screen.
void Collector::SetScene(const char* scene) {
  if (shared_.annotations->SetScene(scene, core::MonotonicNs()) && state_.HasCollector())
    sleep_.Wake();
}

stillframe_status Collector::WatchLooper() {
  if (!state_.HasCollector()) return STILLFRAME_NOT_STARTED;
  return watched_.WatchCurrent() ? STILLFRAME_OK : STILLFRAME_TOO_MANY;
}

// Before these phases `watched_` is not set up.
bool Collector::IsWatching() const {
  const SamplerPhase phase = state_.phase();
  return phase == SamplerPhase::kOn || phase == SamplerPhase::kOff;
}

stillframe_status Collector::BeginBeat(const char* name) {
  if (!IsWatching()) return STILLFRAME_NOT_STARTED;
  switch (watched_.BeginBeat(name)) {
    case tap::WatchedLoopers::Beat::kBegun: return STILLFRAME_OK;
    case tap::WatchedLoopers::Beat::kNotStarted: return STILLFRAME_NOT_STARTED;
    case tap::WatchedLoopers::Beat::kHasLooper: return STILLFRAME_BAD_ARGUMENT;
    case tap::WatchedLoopers::Beat::kTooMany: break;
  }
  return STILLFRAME_TOO_MANY;
}

stillframe_status Collector::EndBeat() {
  return IsWatching() && watched_.EndBeat() ? STILLFRAME_OK : STILLFRAME_NOT_STARTED;
}

void Collector::AtExit() {
  // A program that the application started inherits LD_PRELOAD, but its output is not ours.
  if (state_.phase() == SamplerPhase::kWaitingForVm && !os::IsBelowProcessWith("libart.so"))
    os::Log("there was no Java VM in this process (%s): nothing was profiled",
            os::ProcessName().c_str());
  if (!state_.HasCollector()) return;
  std::string path;
  if (shared_.configuration->Read().dump_at_exit)  // not if switched off
    RequestDump(model::Trigger::kExit, kExitDumpTimeoutMs, &path);
  WriteJanks();
  sampler_.Stop();
  guard_.Suspend();
}

// Writes pending jank records, waiting a short time at most.
void Collector::WriteJanks() {
  constexpr int kMostMs = 500;
  if (!shared_.configuration->Read().janks) return;
  const uint32_t then = janks_.RequestFlush();
  for (int i = 0; i < kMostMs && !janks_.HasCaughtUp(then); ++i) {
    sleep_.Wake();
    os::SleepMs(1);
  }
}

stillframe_status Collector::Disable(SamplerPhase phase, const std::string& why) {
  state_.Set(phase, why);
  os::Log("the profiler stays off: %s", why.c_str());
  return STILLFRAME_NOT_STARTED;
}

// Ends before anything was installed.
stillframe_status Collector::FailStart(const std::string& why) {
  Disable(SamplerPhase::kNoCollector, why);
  os::ReleaseProcess();
  requests_.EndStartUp();
  return STILLFRAME_NOT_STARTED;
}

void* Collector::RunThread(void* collector) {
  pthread_setname_np(pthread_self(), kThreadName);
  // Its loads of the runtime's memory (probes, walks, names) may hit memory with another tag.
  arch::TagChecks::SwitchOff();
  static_cast<Collector*>(collector)->Run();
  return nullptr;
}

void* Collector::RunControlThread(void* collector) {
  constexpr uint64_t kMostNs = 60 * os::kNsPerSecond;
  auto* self = static_cast<Collector*>(collector);
  pthread_setname_np(pthread_self(), kThreadName);
  mkdir(self->config().dump_dir.c_str(), 0700);
  self->StartRecords();
  for (;;) {
    self->shared_.configuration->Tick();
    self->shared_.configuration->Take();
    const uint64_t next_ns = self->session_.Serve(core::MonotonicNs());
    os::SleepMs(static_cast<uint32_t>(std::min(next_ns, kMostNs) / os::kNsPerMs + 1));
  }
  return nullptr;
}

void Collector::Run() {
  sleep_.Open();
  art::AttachedThread thread;
  const Outcome entered = EnterVm(&thread);
  if (!entered.ok()) {
    waker_.Forget();
    FailStart(entered.why);
    if (!thread.is_attached()) return;
    vm_.DetachThread();
    StartRecords();
    return session_.Close(core::MonotonicNs(), nullptr);  // it says why sampling is off
  }
  StartUp(thread);
  // Detach: while idle the runtime does not know this thread.
  vm_.DetachThread();
  requests_.EndStartUp();
  Loop();
}

Outcome Collector::EnterVm(art::AttachedThread* thread) {
  vm_ = art::Vm::AwaitStarted(config().wait_vm_ms.count());
  if (!vm_.exists() && art::HasForeignRuntime())
    return {Status::kUnavailable,
            "the runtime in this process is of another CPU, or its library cannot be read"};
  if (!vm_.exists()) {
    return {Status::kTimedOut, "no Java VM in this process within " +
                                   std::to_string(config().wait_vm_ms.count()) +
                                   " ms; preload it into an Android app process"};
  }
  *thread = vm_.AttachThread(kThreadName);
  if (!thread->is_attached())
    return {Status::kRefused, "the collector thread cannot be attached to the Java VM"};
  return MayStart(*thread);
}

// Checks the guard for this build of ART before anything that could crash on it.
Outcome Collector::MayStart(const art::AttachedThread& thread) {
  // Its parent must exist. If it cannot be made, the guard says so.
  if (!config().dump_dir.empty()) mkdir(config().dump_dir.c_str(), 0700);
  layout_.Start(vm_, config().dump_dir);
  if (kIsAndroid && !art::IsDebuggable(thread.env())) shared_.configuration->LeaveDesk();
  OpenGuard();
  if (guard_.level() == health::Level::kNothing) return {Status::kRefused, guard_.why()};
  state_.Set(SamplerPhase::kStartingUp);
  return {};
}

// Called on a watched thread, in its first message.
void Collector::BindWatchedThread(void* collector_argument, tap::WatchedLooper* looper) {
  auto* collector = static_cast<Collector*>(collector_argument);
  const art::AttachedThread thread = collector->vm_.CurrentThread();
  if (thread.is_attached()) {
    // Start-up may not have chosen a layout yet; this offset is the same in all of them.
    const walk::Layout& any_layout = *walk::KnownLayouts().rows;
    looper->thread.runtime_thread.store(art::RuntimeThreadOf(any_layout, thread.env()),
                                        std::memory_order_release);
  }
}

LooperPipelines::Setup Collector::PipelineSetup() {
  LooperPipelines::Setup setup;
  setup.limits = {Ns(config().slow_ms), Ns(config().quick_ms), Ns(config().group_ms),
                  Ns(config().idle_ms)};
  setup.sizes = {config().groups, config().records, config().history};
  setup.wants_sections = config().sections;
  setup.main_tid = getpid();
  setup.watched = &watched_;
  setup.taps = &taps_;
  setup.main_watch = &main_watch_;
  setup.frames = frames_.get();
  setup.names = &names_;
  if (config().live) setup.listener = {LiveFeed::OnEnded, &live_};
  setup.janks = &janks_;
  return setup;
}

void Collector::StartUp(const art::AttachedThread& thread) {
  StartParts();
  Outcome outcome = PrepareSampling(thread);
  if (outcome.ok()) outcome = StartSampler();
  if (!outcome.ok()) {
    Disable(SamplerPhase::kOff, outcome.why);
    janks_.SetSampling(outcome.why);
    StartPipelines(nullptr);
  }
  if (config().live) OpenLive(thread);
  shared_.configuration->Watch();
}

void Collector::OpenGuard() {
  guard_.Open({.folder = config().dump_dir,
               .process = os::ProcessName(),
               .about = layout_.build_id() + "\n" STILLFRAME_VERSION "\n" + art::OwnBuildId() +
                        "\n" + settings::Fingerprint(config()),
               .limits = {config().guard_deaths, config().guard_back_off_s.count()},
               .healthy_ns = Ns(config().guard_healthy_s)},
              core::MonotonicNs());
  switch_.GuardBegins();
}

void Collector::StartParts() {
  writer_ = std::make_unique<dump::Writer>();
  trees_ = std::make_unique<sampling::TreeBuilder>(TreeLimits(), layout_.facts(), &names_, &native_,
                                                   writer_.get());
  trees_->SetWaits(&waits_);
  native_.SetNamesFiles(config().file_names);
  frames_ = std::make_unique<history::FrameStatistics>(Ns(config().frozen_frame_ms));
  frames_->Show("", core::MonotonicNs());
  taps_.Start(config().tap);
  questions_.Start(vm_, config().pending_by_dump, config().message_objects);
  core::WatchedThread* const main_thread = &watched_.main().thread;
  upkeep_.Start(vm_, {&tap_, &taps_, main_thread, &pipelines_, frames_.get(), &main_queue_},
                core::MonotonicNs());
  sleep_.WatchForFreezes(Ns(config().frozen_ms));
  sleep_.WatchMainThread(getpid());
  if (!config().dump_dir.empty()) os::KeepSpareDescriptor();
  StartRecords();
  dumps_.Start({.config = &config(),
                .state = &state_,
                .runtime = &layout_.facts(),
                .build_id = &layout_.build_id(),
                .pipelines = &pipelines_,
                .main_thread = main_thread,
                .main_watch = &main_watch_,
                .taps = &taps_,
                .sampler = &sampler_,
                .trees = trees_.get(),
                .others = &others_,
                .names = &names_,
                .writer = writer_.get(),
                .questions = &questions_,
                .survey = {.runtime = &layout_.facts(),
                           .threads = &threads_,
                           .waits = &waits_,
                           .sampler = &sampler_,
                           .frames = &names_,
                           .main_tid = getpid(),
                           .max_depth = config().max_depth,
                           .native = config().native,
                           .files = &file_symbols_},
                .stacks_absent = &layout_.threads_absent(),
                .annotations = shared_.annotations,
                .identity = &identity_,
                .process_facts = &process_facts_,
                .loaded_ns = started_ns_});
  triggers_.Start({&config(), main_thread, &main_watch_, &taps_, &questions_, &dumps_,
                   writer_.get(), shared_.dumps});
  rate_.Start({&config(), &state_, &switch_, &sampler_, &janks_, &pipelines_, trees_.get(),
               &others_, &names_, &taps_});
  PublishCounters();
}

void Collector::StartRecords() {
  std::string cohort = state_.group();
  cohort.append(", control_percent ").append(std::to_string(config().control_percent));
  if (!config().cohort.empty()) cohort.append(", cohort ").append(config().cohort);
  identity_.Start({.folder = config().dump_dir,
                   .app_install = shared_.configuration->InstallId(),
                   .app_version = shared_.configuration->Version(),
                   .abi = arch::kAbi,
                   .art_build_id = layout_.build_id(),
                   .library_build_id = art::OwnBuildId(),
                   .cohort = std::move(cohort)});
  session_.Start({&config(), &identity_, shared_.annotations, ReadSession, this, state_.group(),
                  RecordWritten, shared_.records},
                 core::MonotonicNs());
  janks_.Start({.config = &config(),
                .names = &names_,
                .annotations = shared_.annotations,
                .written = RecordWritten,
                .argument = shared_.records,
                .trouble = &main_watch_.trouble(),
                .identity = &identity_,
                .session = &session_,
                .writer = writer_.get(),
                .process = &process_facts_,
                .running = RunningHang,
                .is_debugged = IsDebugged,
                .source = this});
}

// Asks the runtime who this is, a few times until there is an application. Not during a hang: the
// runtime may not answer.
void Collector::AskForIdentity(uint64_t now_ns) {
  constexpr uint32_t kMostTimes = 5;
  const bool is_wanted = config().janks && !config().dump_dir.empty();
  if (!is_wanted || identity_.has_runtime_facts() || identity_asked_ >= kMostTimes) return;
  if (pipelines_.main_messages() == 0 || pipelines_.IsAnySlow(now_ns)) return;
  ++identity_asked_;
  std::vector<model::ContextEntry> facts;
  if (questions_.ReadFacts(&facts).ok()) identity_.TakeRuntimeFacts(facts);
}

uint64_t Collector::RunningHang(void* collector, uint64_t now_ns, uint64_t least_ns,
                                jank::Hang* hang) {
  auto* self = static_cast<Collector*>(collector);
  const core::RunningMessage running = self->main_watch_.Running();
  hang->message.token = running.token;
  if (running.token == Token::kNone) return 0;
  hang->frozen = &self->pipelines_.frozen();
  const uint64_t age_ns = running.AgeNs(now_ns) - hang->frozen->Within(running.start_ns, now_ns);
  if (age_ns < least_ns) return std::max<uint64_t>(age_ns, 1);
  if (!self->dumps_.DescribeRunning(now_ns, &hang->message)) return 0;
  hang->is_running = true;
  const sampling::TreeBuilder& trees = *self->trees_;
  if (trees.token() == running.token && !trees.running().empty()) hang->tree = &trees.running();
  hang->before = self->pipelines_.RecordsBefore(running.start_ns, jank::kBeforeNs);
  return age_ns;
}

// By a native debugger, or through JDWP.
bool Collector::IsDebugged(void* collector, bool may_ask) {
  return !context::NativeDebugger().empty() ||
         (may_ask && static_cast<Collector*>(collector)->questions_.IsDebuggerConnected());
}

bool Collector::ReadSession(void* collector, dump::Session* session) {
  auto* self = static_cast<Collector*>(collector);
  session->sampler = self->StateText();
  if (self->frames_ == nullptr) return false;  // no part was started
  session->messages = self->pipelines_.main_messages();
  session->samples = core::Counters::Read(Counter::kSamplesBySignal);
  session->collector_cpu_ms = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) / os::kNsPerMs;
  session->handler_us = self->sampler_.handler_ns() / 1'000;
  session->frames = self->frames_->frames();
  session->frames_missed = self->frames_->missed();
  return self->taps_.kind() != tap::TapKind::kNone;
}

// Publishes counters kept by the parts. Events are counted where they happen.
void Collector::PublishCounters() {
  using core::Counters;
  using model::FrameTable;
  Counters::Publish<&core::Sampler::samples>(Counter::kSamplesBySignal, &sampler_);
  Counters::Publish<&core::Sampler::handler_ns>(Counter::kHandlerTimeNs, &sampler_);
  Counters::Publish<&FrameTable::overflows>(Counter::kFrameTableOverflows, &names_);
  Counters::Publish<&FrameTable::sweeps>(Counter::kFrameTableSweeps, &names_);
  Counters::Publish<&FrameTable::evictions>(Counter::kFrameTableEvictions, &names_);
  Counters::Publish<&FrameTable::memory_bytes>(Counter::kFrameTableBytes, &names_);
  Counters::Publish(
      Counter::kTreeBytes,
      [](void* collector) -> uint64_t {
        const auto* self = static_cast<const Collector*>(collector);
        return self->trees_->memory_bytes() + self->others_.memory_bytes();
      },
      this);
  Counters::Publish<&sampling::TreeBuilder::bad_methods>(Counter::kMethodsNotResolved,
                                                         trees_.get());
  Counters::Publish<&LooperPipelines::HistoryBytes>(Counter::kHistoryBytes, &pipelines_);
  Counters::Publish(
      Counter::kHandlerFaults, [](void*) -> uint64_t { return core::Sampler::handler_faults(); },
      nullptr);
  Counters::Publish(
      Counter::kCollectorCpuTimeNs, [](void*) { return core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID); },
      nullptr);
  Counters::Publish(
      Counter::kSigquits, [](void*) -> uint64_t { return sigquit::CatcherWatch::arrivals(); },
      nullptr);
  if (config().native_libunwind) Counters::Show(Counter::kNativeLibunwindFrames);
}

sampling::TreeLimits Collector::TreeLimits() const {
  // A hang that counts as one has a tree in dumps, too.
  const uint64_t least_ns = std::min(Ns(config().tree_min_ms), Ns(config().jank_ms));
  return {least_ns, config().trees, config().TreeBytes()};
}

// Recording starts first: messages count from the tap on, and none is slow before slow_ms.
Outcome Collector::PrepareSampling(const art::AttachedThread& thread) {
  const auto kernel_sigaction = os::KernelSigaction();
  const LooperPipelines::Setup pipelines = PipelineSetup();
  const int error = watched_.Start({pipelines.limits,
                                    &waker_,
                                    {config().loopers == "all", config().loopers},
                                    BindWatchedThread,
                                    this},
                                   getpid());
  pipelines_.Start(pipelines);
  if (error != 0) return {Status::kUnavailable, "the process has used up its pthread keys"};
  if (kernel_sigaction == nullptr)
    return {Status::kUnavailable, "the C library's sigaction is not found"};
  if (core::InstallFaultRecovery(kernel_sigaction) != 0 || !core::RecoveryWorks())
    return {Status::kUnavailable, "faults cannot be recovered from"};
  Outcome loaded = upkeep_.LoadClasses(thread);
  if (!loaded.ok()) return loaded;
  triggers_.TakeSigquits(kernel_sigaction, &waker_);
  upkeep_.InstallTap(thread);
  if (guard_.level() < health::Level::kSampling) return {Status::kUnavailable, guard_.why()};
  return layout_.Choose(thread, tap_.self_check());
}

Outcome Collector::StartSampler() {
  if (config().native) native_.Open({config().native_libunwind, config().native_files}, &copies_);
  const int error =
      sampler_.Start({walk::WalkManagedStack, &layout_.facts(), &watched_.main().thread,
                      Ns(config().slow_ms), config().max_depth, size_t{config().ring_kib} * 1024,
                      os::KernelSigaction(), copies_.is_on() ? &copies_ : nullptr});
  const int timer_error = error != 0 ? error : StartPipelines(&sampler_);
  if (timer_error != 0)
    return {Status::kUnavailable, std::string("no sampling timer: ") + strerror(timer_error)};
  if (layout_.threads_absent().empty()) {
    others_.Start({.look = {.runtime = &layout_.facts(),
                            .threads = &threads_,
                            .sampler = &sampler_,
                            .main_tid = getpid()},
                   .waits = &waits_,
                   .trees = trees_.get(),
                   .native = &native_,
                   .writer = writer_.get(),
                   .tokens = &watched_,
                   .max_depth = config().max_depth});
  }
  state_.Set(SamplerPhase::kOn);
  core::Counters::Publish<&core::Sampler::ring_bytes>(Counter::kRingBytes, &sampler_);
  if (!ReportOn() && taps_.wants_tap())
    os::Log("ready: ART %s, build %s; it waits for a main Looper", layout_.facts().layout->release,
            layout_.build_id().c_str());
  return {};
}

// Only once there is a tap: without one no message is seen.
bool Collector::ReportOn() {
  const tap::TapKind kind = taps_.kind();
  if (has_said_on_ || kind == tap::TapKind::kNone || !state_.IsOn()) return has_said_on_;
  has_said_on_ = true;
  os::Log("on: ART %s, build %s, tap %s, slow from %u ms, a sample every %u us",
          layout_.facts().layout->release, layout_.build_id().c_str(), tap::TapName(kind),
          config().slow_ms.count(), config().interval_us.count());
  return true;
}

int Collector::StartPipelines(core::Sampler* sampler) {
  return pipelines_.StartSampling(
      {sampler, trees_.get(), &native_, rate_.IntervalNs(), config().max_depth,
       config().timer == settings::TimerChoice::kWall, &layout_.facts(), &main_queue_,
       layout_.threads_absent().empty() ? &threads_ : nullptr, writer_.get()});
}

void Collector::OpenLive(const art::AttachedThread& thread) {
  const int error = live_.Open({&pipelines_, &watched_, &main_watch_, trees_.get(), &config(),
                                art::IsDebuggable(thread.env())});
  if (error != 0) os::Log("no socket for 'stillframe live': %s", strerror(error));
}

// Keeps names used by histories and trees, newest first. The limits leave space until the next
// sweep.
void Collector::SweepNames() {
  constexpr uint32_t kMainHistoryPercent = 15;
  constexpr uint32_t kHistoriesPercent = 20;
  constexpr uint32_t kOthersPercent = 75;
  constexpr sampling::NameShares kTrees = {.running_percent = 50, .trees_percent = 65};
  model::LiveNames live(names_);
  pipelines_.KeepNames(kMainHistoryPercent, kHistoriesPercent, &live);
  trees_->KeepFrames(kTrees, &live);
  others_.KeepFrames(kOthersPercent, &live);
  names_.Sweep(live);
  trees_->ForgetIds();
  native_.ForgetIds();
}

void Collector::Loop() {
  for (;;) {
    // A kill switch must take effect before anything is written.
    shared_.configuration->Tick();
    Reconfigure();
    // Between two rounds no other code holds an id.
    if (names_.IsCrowded()) SweepNames();
    if (layout_.facts().modules != nullptr) layout_.facts().modules->Refresh();
    const uint64_t now_ns = core::MonotonicNs();
    rate_.BeginRound(now_ns);
    frames_->Show(shared_.annotations->Scene(), now_ns);
    AskForIdentity(now_ns);
    // Asked before messages are read: those that end later are the next round's.
    const bool is_ending = janks_.hurries();
    uint64_t sleep_ns = std::min({pipelines_.Tick(now_ns), upkeep_.Tick(now_ns),
                                  janks_.Serve(now_ns), session_.Serve(now_ns)});
    if (is_ending) session_.Close(now_ns, "exit");
    sleep_ns = std::min(sleep_ns, FollowOthers(now_ns));
    ReportOn();
    guard_.Tick(now_ns);
    ServeRequests();
    const bool is_idle = pipelines_.is_idle();
    sleep_ns = std::min(sleep_ns, triggers_.Tick(core::MonotonicNs(), is_idle));
    if (config().live) sleep_ns = std::min(sleep_ns, live_.Serve(core::MonotonicNs()));
    rate_.EndRound(sleep_ns);
    history::FreezeWatch::Freeze freeze;
    if (sleep_.For({sleep_ns, is_idle ? TapUpkeep::kActivityNs : 0}, &freeze)) {
      pipelines_.AddFrozen(freeze);
      triggers_.WasFrozen(freeze.lost_ns);
      rate_.WasFrozen();
    }
  }
}

uint64_t Collector::FollowOthers(uint64_t now_ns) {
  if (!others_.is_started()) return UINT64_MAX;
  if (config().omit.Has(settings::Part::kStacks) || config().omit.Has(settings::Part::kThreads)) {
    others_.Stop();
    return UINT64_MAX;
  }
  const uint64_t usual_ns = std::max<uint64_t>(Ns(config().interval_us), 1);
  return others_.Tick(
      main_watch_.Running(), main_watch_.LastEndNs(), now_ns,
      sampler_.enabled() ? std::max<uint64_t>(rate_.IntervalNs() / usual_ns, 1) : 0);
}

void Collector::Reconfigure() {
  if (!shared_.configuration->Take()) return;
  switch_.ApplyState();
  trees_->SetLimits(TreeLimits());
  rate_.Reconfigure();
  triggers_.Reconfigure();
}

void Collector::ServeRequests() {
  Reconfigure();
  if (const auto request = requests_.Next()) {
    const DumpAssembler::Written written = triggers_.DumpOnRequest(request->trigger);
    requests_.Answer(*request, written.result.ok() ? STILLFRAME_OK : STILLFRAME_DUMP_FAILED,
                     written.path);
  }
}

}  // namespace stillframe::collector
