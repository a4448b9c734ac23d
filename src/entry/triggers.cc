// The dumps that nobody asked for: SIGQUIT, a message beyond its limit, a missed heartbeat.
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "src/anr/anr_confirmation.h"
#include "src/anr/catcher_output.h"
#include "src/anr/quit_signal.h"
#include "src/art/runtime_probe.h"
#include "src/art/trace_output.h"
#include "src/context/error_state.h"
#include "src/context/java_facts.h"
#include "src/core/clock.h"
#include "src/entry/from_java.h"
#include "src/entry/profiler.h"
#include "src/os/file_text.h"
#include "src/os/log.h"

namespace stillframe::entry {
namespace {

using anr::TriggerPolicy;

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint32_t kJavaTimeoutMs = 50;
// A heartbeat looks at the head of the queue only.
constexpr size_t kHeartbeatMessages = 8;

class ReadJob : public art::JavaReader::Job {
 public:
  ReadJob(size_t messages, looper::PendingChoice choice, bool with_facts)
      : messages_(messages), choice_(choice), with_facts_(with_facts) {}

  void Run(JNIEnv* env) override {
    result.pending = looper::ReadPendingQueue(env, messages_, choice_);
    if (with_facts_) context::DescribeJava(env, &result.facts);
  }

  FromJava result;

 private:
  size_t messages_;
  looper::PendingChoice choice_;
  bool with_facts_;
};

class ErrorStateJob : public art::JavaReader::Job {
 public:
  void Run(JNIEnv* env) override { state = context::ReadErrorState(env, getpid()); }

  context::ErrorState state;
};

std::string Ms(uint64_t ns) { return std::to_string(ns / kNsPerMs) + " ms"; }

}  // namespace

void Profiler::HearSignalCatcher() {
  if (!config_.copy_traces) {
    traces_absent_ = "switched off by STILLFRAME_COPY_TRACES=0";
    return;
  }
  const elf::ImportSlot slot = art::FindTraceOutput();
  traces_absent_ = "this build of ART does not hand its traces to libartpalette";
  if (slot.at == nullptr) return;
  traces_absent_ = "libart's table of calls cannot be written to";
  if (elf::SetImportSlot(slot, anr::CatcherOutput::Replacement(*slot.at, wake_fd_))) {
    traces_absent_.clear();
  }
}

// The dump was written before the Signal Catcher began: its traces may take seconds.
void Profiler::AddTraces() {
  dump::SignalCatcherText traces;
  if (!anr::CatcherOutput::Take(&traces.text, &traces.full_bytes) || traces_path_.empty()) return;
  traces.source = "PaletteWriteCrashThreadStacks";
  const dump::WriteResult result =
      writer_->Amend({.signal_catcher = &traces}, traces_path_.c_str());
  if (!result.ok()) os::Log("%s", dump::Writer::Describe(result, traces_path_).c_str());
  traces_path_.clear();
}

uint64_t Profiler::ServeTriggers(uint64_t now_ns) {
  AddTraces();
  const core::RunningMessage running = core::Read(watched_.message);
  const uint64_t begun = watched_.message.begun.load(std::memory_order_relaxed) +
                         watched_.message.nested.load(std::memory_order_relaxed);
  triggers_.Observe(running.token, running.start_ns, begun, now_ns);
  if (running.token != 0 && running.AgeNs(now_ns) >= config_.slow_ms * kNsPerMs &&
      !config_.dump_dir.empty()) {
    process_facts_.Remember(now_ns);
  }
  ServeQuits(now_ns);
  DumpLongMessage(now_ns);
  CheckHeartbeat(now_ns);
  PollErrorState(now_ns);
  const uint64_t end_ns = core::MonotonicNs();
  return std::min(triggers_.SleepNs(end_ns), error_state_.SleepNs(end_ns));
}

void Profiler::ServeQuits(uint64_t now_ns) {
  const unsigned quits = anr::QuitSignal::arrivals();
  if (quits == quits_served_) return;
  const unsigned fresh = quits - quits_served_;
  quits_served_ = quits;
  const TriggerPolicy::Decision decision = triggers_.OnQuit(now_ns);
  if (decision == TriggerPolicy::Decision::kMerge) {
    quits_merged_ += fresh;
  } else {
    quits_merged_ += fresh - 1;
    const std::string replaced = triggers_.long_message_path();
    std::string path;
    const dump::WriteResult result = WriteDump(dump::Trigger::kSigquit, "SIGQUIT", &path);
    triggers_.Dumped(TriggerPolicy::Reason::kQuit, path, core::MonotonicNs());
    if (result.ok() && decision == TriggerPolicy::Decision::kReplace) unlink(replaced.c_str());
    if (result.ok() && quit_.confirmed.empty()) error_state_.Start(now_ns);
    if (result.ok() && traces_absent_.empty()) {
      traces_path_ = path;
      anr::CatcherOutput::Expect();
    }
  }
  // Each look hands one on: those that came meanwhile are one for the kernel, too.
  if (!anr::QuitSignal::PassOn()) os::Log("there is no Signal Catcher to hand SIGQUIT on to");
}

void Profiler::DumpLongMessage(uint64_t now_ns) {
  if (triggers_.OnLongMessage(now_ns) != TriggerPolicy::Decision::kDump) return;
  const std::string detail = "one message has been running for " +
                             Ms(triggers_.StandingNs(now_ns)) + "; the limit is " +
                             std::to_string(config_.long_ms) + " ms";
  std::string path;
  WriteDump(dump::Trigger::kLongMessage, detail, &path);
  triggers_.Dumped(TriggerPolicy::Reason::kLongMessage, path, core::MonotonicNs());
}

// Outside a message: in an idle handler, in the dispatch of input, behind a leaked barrier, or in a
// loop of its own.
void Profiler::CheckHeartbeat(uint64_t now_ns) {
  if (!triggers_.HeartbeatIsDue(now_ns) || !art::HasVm()) return;
  const FromJava java = ReadFromJava(kJavaTimeoutMs, kHeartbeatMessages, false);
  const auto late_ns = static_cast<uint64_t>(anr::HeadLateMs(java.pending.messages)) * kNsPerMs;
  if (triggers_.OnHeartbeat(late_ns, now_ns) != TriggerPolicy::Decision::kDump) return;
  const std::string detail = "no message was begun for " + Ms(triggers_.StandingNs(now_ns)) +
                             ", while the first of the queue is " + Ms(late_ns) + " late";
  std::string path;
  WriteDump(dump::Trigger::kHeartbeat, detail, &path);
  triggers_.Dumped(TriggerPolicy::Reason::kOther, path, core::MonotonicNs());
}

// A SIGQUIT that nothing of this process explains: the system knows, a little later.
void Profiler::PollErrorState(uint64_t now_ns) {
  if (!error_state_.IsDue(now_ns)) return;
  std::string why = "the Java VM has been destroyed";
  const auto job = std::make_shared<ErrorStateJob>();
  const bool has_answer = art::HasVm() && java_reader_.Run(job, kJavaTimeoutMs, &why);
  if (has_answer && job->state.is_not_responding) {
    quit_.confirmed = "the system holds this process for not responding: " + job->state.message;
  } else if (has_answer && !job->state.absent.empty()) {
    quit_.detail += "; not known to be an ANR: " + job->state.absent;
  } else if (error_state_.IsOver(now_ns)) {
    quit_.detail += "; no ANR: the system did not say so within 20 s";
  } else {
    return;
  }
  error_state_.Stop();
  dump::Contents trigger;
  trigger.trigger = dump::Trigger::kSigquit;
  trigger.sequence = quit_.sequence;
  trigger.taken_monotonic_ns = quit_.taken_monotonic_ns;
  trigger.taken_realtime_ns = quit_.taken_realtime_ns;
  trigger.trigger_detail = quit_.detail;
  trigger.trigger_confirmed = quit_.confirmed;
  const dump::WriteResult result = writer_->Amend({.trigger = &trigger}, quit_.path.c_str());
  if (!result.ok()) os::Log("%s", dump::Writer::Describe(result, quit_.path).c_str());
}

std::string Profiler::ConfirmAnr(const FromJava& java, const dump::Message* running) const {
  anr::AnrSigns signs;
  signs.has_queue = !java.pending.source.empty();
  signs.head_late_ms = anr::HeadLateMs(java.pending.messages);
  if (running != nullptr) signs.running_ms = running->wall_ns / static_cast<int64_t>(kNsPerMs);
  constexpr size_t kDigits = 16;
  os::ReadFileText("/proc/self/oom_score_adj", kDigits, &signs.oom_score_adj);
  return anr::ConfirmAnr(signs);
}

FromJava Profiler::ReadFromJava(uint32_t timeout_ms, size_t messages, bool with_facts) {
  const auto choice = static_cast<looper::PendingChoice>(config_.pending);
  std::string why = "the Java VM has been destroyed";
  if (art::HasVm()) {
    const auto job = std::make_shared<ReadJob>(messages, choice, with_facts);
    if (java_reader_.Run(job, timeout_ms, &why)) return job->result;
  }
  FromJava none;
  none.pending.absent = why;
  if (with_facts) context::DescribeJavaAbsent(why, &none.facts);
  return none;
}

}  // namespace stillframe::entry
