// Start-up and the collector's loop. Dumps are in profiler_dump.cc.
#include "src/collector/profiler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/art/jni_method.h"
#include "src/art/oat_version.h"
#include "src/art/runtime_probe.h"
#include "src/art/self_check.h"
#include "src/art/self_check_cache.h"
#include "src/core/clock.h"
#include "src/core/guarded_memory.h"
#include "src/os/duration.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"
#include "src/sigquit/quit_signal.h"
#include "src/walk/walk.h"

namespace stillframe::collector {
namespace {

using os::kNsPerMs;
using os::kNsPerSecond;
constexpr uint64_t kNothingHappensNs = 30'000 * kNsPerMs;
constexpr size_t kCollectorStackBytes = 1U << 20;

void SleepMs(uint32_t ms) {
  const timespec time = os::TimespecOf(ms * kNsPerMs);
  nanosleep(&time, nullptr);
}

// The collector takes no process-wide signals: SIGQUIT's default action would kill the process.
// Faults and real-time signals stay open; with the latter the Signal Catcher asks a thread for its
// native stack, and waits for the answer.
void CollectorMask(sigset_t* mask) {
  sigemptyset(mask);
  for (int signal = 1; signal < SIGSYS; ++signal) sigaddset(mask, signal);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    sigdelset(mask, fault);
}

}  // namespace

Profiler& Profiler::Get() {
  static auto* profiler = new Profiler;
  return *profiler;
}

void Profiler::SetState(const std::string& text) {
  // Leaked on purpose: callers keep the pointer. Set a handful of times in a process.
  state_.store(strdup(text.c_str()), std::memory_order_release);
}  // NOLINT(clang-analyzer-unix.Malloc)

stillframe_status Profiler::Start() {
  if (started_.exchange(true)) return STILLFRAME_ALREADY_STARTED;
  loaded_ns_ = core::MonotonicNs();
  os::KeepLogOpen();
  std::vector<std::string> complaints;
  config_ = config::FromEnvironment(&complaints);
  for (const std::string& complaint : complaints) os::Log("%s", complaint.c_str());
  if (!config_.enabled) {
    SetState("switched off by STILLFRAME_ENABLED=0");
    return STILLFRAME_NOT_STARTED;
  }
  pthread_atfork(nullptr, nullptr, ForgetInChild);
  SetState("waiting for the Java VM");
  wake_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  sigset_t mask;
  sigset_t before;
  CollectorMask(&mask);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kCollectorStackBytes);
  pthread_sigmask(SIG_SETMASK, &mask, &before);
  const int error = pthread_create(&thread_, &attributes, RunThread, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error == 0) return STILLFRAME_OK;
  StaysOff(std::string("no collector thread: ") + strerror(error));
  return STILLFRAME_NO_THREAD;
}

void Profiler::ForgetInChild() {
  Profiler& profiler = Get();
  profiler.is_fork_ = true;
  profiler.loopers_.watched().Forget();
  profiler.live_.ForgetInChild();
  profiler.state_ = "off: this process was forked from the one that is profiled";
}

stillframe_status Profiler::Stop() {
  if (!started_ || is_fork_) return STILLFRAME_NOT_STARTED;
  sampler_.Stop();
  return STILLFRAME_OK;
}

stillframe_status Profiler::Resume() {
  if (!started_ || is_fork_) return STILLFRAME_NOT_STARTED;
  sampler_.Resume();
  return STILLFRAME_OK;
}

void Profiler::StaysOff(const std::string& why) {
  SetState("off: " + why);
  os::Log("the profiler stays off: %s", why.c_str());
}

void* Profiler::RunThread(void* profiler) {
  pthread_setname_np(pthread_self(), "stillframe");
  static_cast<Profiler*>(profiler)->Run();
  return nullptr;
}

void Profiler::EndStartUp() {
  pthread_mutex_lock(&mutex_);
  has_started_up_ = true;
  changed_.WakeAll();
  pthread_mutex_unlock(&mutex_);
}

void Profiler::Run() {
  if (!WaitForVm()) {
    StaysOff("no Java VM in this process within " + std::to_string(config_.wait_vm_ms) +
             " ms; preload it into an Android app process, or set STILLFRAME_WAIT_VM_MS");
    EndStartUp();
    return;
  }
  char name[] = "stillframe";
  JavaVMAttachArgs arguments = {JNI_VERSION_1_6, name, nullptr};
  void* env = nullptr;
  const bool is_attached = art::AttachAsDaemon(vm_, &env, &arguments);
  env_ = static_cast<JNIEnv*>(env);
  if (!is_attached) {
    StaysOff("the collector thread cannot be attached to the Java VM");
    EndStartUp();
    return;
  }
  StartUp();
  EndStartUp();
  Loop();
}

bool Profiler::WaitForVm() {
  // Often at first: a message that begins before the tap is there is not seen from its start.
  const uint64_t begin_ns = core::MonotonicNs();
  for (;;) {
    vm_ = art::FindStartedVm();
    if (vm_ != nullptr) {
      vm_found_ = true;
      return true;
    }
    const uint64_t waited_ms = (core::MonotonicNs() - begin_ns) / kNsPerMs;
    if (waited_ms >= config_.wait_vm_ms) return false;
    SleepMs(waited_ms < 1'000 ? 1 : 20);
  }
}

stillframe_status Profiler::WatchLooper() {
  if (!Runs() || !vm_found_) return STILLFRAME_NOT_STARTED;
  return loopers_.watched().WatchCurrent() ? STILLFRAME_OK : STILLFRAME_TOO_MANY;
}

// On a watched thread, in its first message.
void Profiler::BindWatchedThread(void* profiler_argument, tap::WatchedLooper* looper) {
  auto* profiler = static_cast<Profiler*>(profiler_argument);
  if (&looper->thread != &profiler->watched_) return;  // the main thread alone is sampled
  void* env = nullptr;
  if (profiler->vm_->GetEnv(&env, JNI_VERSION_1_6) == JNI_OK) {
    // Start-up may still be choosing among the layouts; this offset is the same in all of them.
    const walk::Layout& any_layout = *walk::KnownLayouts().rows;
    profiler->watched_.runtime_thread.store(
        art::RuntimeThreadOf(any_layout, static_cast<JNIEnv*>(env)), std::memory_order_release);
  }
  if (profiler->config_.dump_on_sigquit) sigquit::QuitSignal::UnblockOnThisThread();
}

FollowedLoopers::Setup Profiler::LooperSetup() {
  FollowedLoopers::Setup setup;
  setup.watched.limits = {config_.slow_ms * kNsPerMs, config_.quick_ms * kNsPerMs,
                          config_.group_ms * kNsPerMs, config_.idle_ms * kNsPerMs};
  setup.watched.wake_fd = wake_fd_;
  setup.watched.selection = {config_.loopers == "all", config_.loopers};
  setup.watched.bind = BindWatchedThread;
  setup.watched.bind_argument = this;
  setup.sizes = {config_.groups, config_.records, config_.history};
  setup.tap = config_.tap;
  setup.frozen_ns = config_.frozen_ms * kNsPerMs;
  setup.frozen_frame_ns = config_.frozen_frame_ms * kNsPerMs;
  setup.main_tid = getpid();
  setup.names = &frames_;
  if (config_.live) setup.listener = {LiveFeed::Heard, &live_};
  return setup;
}

void Profiler::StartUp() {
  const auto kernel_sigaction = os::KernelSigaction();
  std::string why;
  facts_.layout = walk::KnownLayouts().rows;
  build_id_ = art::RuntimeBuildId(vm_);
  const os::AddressRange stack = os::MainStack();
  writer_ = std::make_unique<dump::Writer>();
  trees_ = std::make_unique<sampling::TreeBuilder>(
      sampling::TreeLimits{config_.tree_min_ms * kNsPerMs, config_.trees,
                           uint64_t{config_.tree_budget_kib} * 1024},
      facts_, &frames_, writer_.get());
  java_reader_.Start(vm_);
  if (!config_.dump_dir.empty()) {
    triggers_ = anr::TriggerPolicy(
        {.long_message_ns = config_.long_ms * kNsPerMs, .gap_ns = config_.dump_gap_ms * kNsPerMs});
    process_facts_.Remember(core::MonotonicNs());
  }

  bool verified = false;
  if (loopers_.Start(LooperSetup()) != 0) {
    why = "the process has used up its pthread keys";
  } else if (kernel_sigaction == nullptr) {
    why = "the C library's sigaction is not found";
  } else if (core::InstallFaultRecovery(kernel_sigaction) != 0 || !core::RecoveryWorks()) {
    why = "faults cannot be recovered from";
  } else if (loopers_.taps().tap().LoadClasses(env_, &why)) {
    // The tap first: messages count from here on, and none is slow before slow_ms.
    if (config_.dump_on_sigquit) {
      sigquit::QuitSignal::Install(kernel_sigaction, wake_fd_);
      if (!config_.dump_dir.empty()) HearSignalCatcher();
    }
    if (loopers_.taps().wants_tap() &&
        loopers_.taps().Install(env_, &why) == tap::InstallResult::kFailed) {
      os::Log("no tap: %s", why.c_str());
    }
    verified = VerifyRuntime(env_, &why);
    facts_.stack_low = stack.begin;
    facts_.stack_high = stack.end;
  }
  if (verified) {
    StartSampler();
  } else {
    StaysOff(why);
  }
  started_ns_ = core::MonotonicNs();
  if (config_.live) OpenLive();
}

void Profiler::OpenLive() {
  const int error = live_.Open(&loopers_, config_.slow_ms * kNsPerMs);
  if (error != 0) os::Log("no socket for 'stillframe live': %s", strerror(error));
}

bool Profiler::VerifyRuntime(JNIEnv* env, std::string* why) {
  const std::string folder = build_id_.empty() ? "" : config_.dump_dir;
  const art::SelfCheckCache cache(
      folder, build_id_ + " " + stillframe_version() + " " + std::to_string(sizeof(void*)));
  art::SelfCheckResult kept;
  const bool has_kept = cache.Load(&kept);
  if (has_kept && !kept.is_good) {
    *why = kept.text + " (found by an earlier process; delete " + cache.path() + " to check again)";
    return false;
  }
  const bool verified = CompareLayouts(env, kept.text, why);
  const art::SelfCheckResult verdict = {verified, verified ? facts_.layout->release : *why};
  if (!verified || kept.text != verdict.text) cache.Store(verdict);
  return verified;
}

bool Profiler::CompareLayouts(JNIEnv* env, const std::string& likely, std::string* why) {
  const walk::LayoutTable table = walk::KnownLayouts();
  const uint32_t oat_version = art::FindOatVersion();
  std::vector<const walk::Layout*> layouts;
  for (uint32_t i = 0; i < table.count; ++i) {
    if (art::MayFit(table.rows[i], oat_version)) layouts.push_back(&table.rows[i]);
  }
  std::stable_partition(layouts.begin(), layouts.end(), [&likely](const walk::Layout* layout) {
    return likely == layout->release;
  });
  // The layouts that came as far as the self-check say most about what is wrong: they come first.
  std::string compared;
  std::string other;
  for (const walk::Layout* layout : layouts) {
    walk::RuntimeFacts facts;
    const bool has_facts = art::ProbeRuntime(*layout, vm_, env, &facts, why);
    if (has_facts && art::RunSelfCheck(env, loopers_.taps().tap().self_check(), &facts, why)) {
      facts_ = facts;
      loopers_.taps().tap().SetLayout(facts.layout);
      return true;
    }
    (has_facts ? compared : other) +=
        std::string("; layout of ART ") + layout->release + ": " + *why;
  }
  const std::string tried = compared + other;
  *why = "this build of ART (" + (build_id_.empty() ? "no build id" : build_id_) +
         ", oat version " + (oat_version == 0 ? "not known" : std::to_string(oat_version)) +
         ") fits no known layout (" +
         (tried.empty() ? "none is of that version" : tried.substr(2)) + "); update Stillframe";
  return false;
}

// The main thread takes SIGQUITs from the first message on that the tap sees; the one before may be
// the start of the application. The timer is on the thread's CPU clock: it interrupts no sleeper.
void Profiler::HearEarlyQuits() {
  const bool has_begun = watched_.message.begun.load(std::memory_order_relaxed) != 0;
  if (!config_.dump_on_sigquit || has_begun) return;
  const clockid_t clock = core::ThreadCpuClock(watched_.tid);
  if (early_quits_.Create(clock, watched_.tid, sampler_.unblock_sigquit_cookie()) != 0 ||
      early_quits_.Arm(1, 0) != 0) {
    os::Log("an ANR before the first message will not be noticed: no timer");
  }
}

int Profiler::FollowLoopers(core::Sampler* sampler) {
  return loopers_.Follow({sampler, trees_.get(), config_.interval_us * uint64_t{1'000},
                          config_.max_depth, config_.timer == config::TimerChoice::kWall});
}

void Profiler::StartSampler() {
  const int error =
      sampler_.Start({walk::WalkManagedStack, &facts_, &watched_, config_.slow_ms * kNsPerMs,
                      config_.max_depth, size_t{config_.ring_kib} * 1024, os::KernelSigaction()});
  const int timer_error = error != 0 ? error : FollowLoopers(&sampler_);
  if (timer_error != 0) {
    StaysOff(std::string("no sampling timer: ") + strerror(timer_error));
    return;
  }
  sampler_runs_ = true;
  HearEarlyQuits();
  SetState("on");
  os::Log("on: ART %s, build %s, tap %s, slow from %u ms, a sample every %u us",
          facts_.layout->release, build_id_.c_str(), tap::TapName(loopers_.taps().kind()),
          config_.slow_ms, config_.interval_us);
}

void Profiler::Loop() {
  if (!sampler_runs_) FollowLoopers(nullptr);
  for (;;) {
    const uint64_t now_ns = core::MonotonicNs();
    loopers_.frames().Show(annotations_.Scene(), now_ns);
    uint64_t sleep_ns = loopers_.Tick(now_ns);
    if (art::HasVm()) sleep_ns = std::min(sleep_ns, KeepTap(now_ns));
    WarnIfNothingHappens(now_ns);
    ServeRequests();
    sleep_ns = std::min(sleep_ns, ServeTriggers(core::MonotonicNs()));
    if (config_.live) sleep_ns = std::min(sleep_ns, live_.Serve(core::MonotonicNs()));
    if (!warned_) sleep_ns = std::min(sleep_ns, kNsPerSecond);
    loopers_.Sleeps(sleep_ns);
    WaitForWork(sleep_ns);
    if (const uint64_t lost_ns = loopers_.Woke()) triggers_.WasFrozen(lost_ns);
  }
}

// Returns after how long it wants to be called again.
uint64_t Profiler::KeepTap(uint64_t now_ns) {
  tap::TapKeeper& taps = loopers_.taps();
  if (taps.wants_tap()) {
    std::string why;
    taps.Install(env_, &why);
    return (now_ns - started_ns_ < kNothingHappensNs ? 5 : 1'000) * kNsPerMs;
  }
  const std::string news = loopers_.KeepTap(env_, now_ns);
  if (!news.empty()) os::Log("%s", news.c_str());
  // A slow message keeps the collector from looking: it comes by often enough then.
  return std::max(taps.NextCheckNs(now_ns), 10 * kNsPerMs);
}

void Profiler::WaitForWork(uint64_t sleep_ns) {
  pollfd wake[] = {{wake_fd_, POLLIN, 0}, {live_.listener(), POLLIN, 0}};
  const timespec time = os::TimespecOf(sleep_ns);
  if (ppoll(wake, 2, sleep_ns == UINT64_MAX ? nullptr : &time, nullptr) > 0) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t bytes = read(wake_fd_, &count, sizeof count);
  }
}

void Profiler::WarnIfNothingHappens(uint64_t now_ns) {
  if (warned_) return;
  if (watched_.message.begun.load(std::memory_order_relaxed) != 0) {
    warned_ = true;
  } else if (now_ns - started_ns_ > kNothingHappensNs) {
    warned_ = true;
    os::Log(
        "the main thread has dispatched no message within 30 s: it runs no Looper, so there is "
        "nothing to profile yet");
  }
}

void Profiler::ServeRequests() {
  pthread_mutex_lock(&mutex_);
  if (served_ != requested_) {
    const uint32_t number = requested_;
    const model::Trigger trigger = request_trigger_;
    pthread_mutex_unlock(&mutex_);
    std::string path;
    const dump::WriteResult result = WriteDump(trigger, "", &path);
    triggers_.Dumped(anr::TriggerPolicy::Reason::kOther, path, core::MonotonicNs());
    pthread_mutex_lock(&mutex_);
    request_status_ = result.ok() ? STILLFRAME_OK : STILLFRAME_DUMP_FAILED;
    request_path_ = path;
    served_ = number;
    changed_.WakeAll();
  }
  pthread_mutex_unlock(&mutex_);
}

}  // namespace stillframe::collector
