// The dumps that nobody asked for: SIGQUIT, a message beyond its limit, a missed heartbeat.
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "src/anr/anr_confirmation.h"
#include "src/anr/signal_catcher.h"
#include "src/art/runtime_probe.h"
#include "src/art/trace_output.h"
#include "src/collector/from_java.h"
#include "src/collector/profiler.h"
#include "src/core/clock.h"
#include "src/jvm/error_state.h"
#include "src/jvm/java_facts.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/sigquit/catcher_output.h"
#include "src/sigquit/quit_signal.h"

namespace stillframe::collector {
namespace {

using anr::TriggerPolicy;

using os::kNsPerMs;
// What a dump waits for the runtime, and the part of it that is left for its facts in any case.
constexpr uint32_t kJavaTimeoutMs = 50;
constexpr uint32_t kLeastFactsMs = 10;
// A heartbeat looks at the head of the queue only.
constexpr size_t kHeartbeatMessages = 8;

class QueueJob : public jvm::JavaReader::Job {
 public:
  QueueJob(size_t messages, config::PendingChoice choice) : messages_(messages), choice_(choice) {}

  void Run(JNIEnv* env) override { result = jvm::ReadPendingQueue(env, messages_, choice_); }

  jvm::PendingMessages result;

 private:
  size_t messages_;
  config::PendingChoice choice_;
};

class FactsJob : public jvm::JavaReader::Job {
 public:
  void Run(JNIEnv* env) override { jvm::DescribeJava(env, &facts); }

  std::vector<model::ContextEntry> facts;
};

class ErrorStateJob : public jvm::JavaReader::Job {
 public:
  void Run(JNIEnv* env) override { state = jvm::ReadErrorState(env, getpid()); }

  jvm::ErrorState state;
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
  if (elf::SetImportSlot(slot, sigquit::CatcherOutput::Replacement(*slot.at, wake_fd_))) {
    traces_absent_.clear();
  }
}

// The dump was written before the Signal Catcher began: its traces may take seconds.
void Profiler::AddTraces() {
  model::SignalCatcherText traces;
  if (!sigquit::CatcherOutput::Take(&traces.text, &traces.full_bytes) || traces_path_.empty())
    return;
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
  const unsigned quits = sigquit::QuitSignal::arrivals();
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
    const dump::WriteResult result = WriteDump(model::Trigger::kSigquit, "SIGQUIT", &path);
    triggers_.Dumped(TriggerPolicy::Reason::kQuit, path, core::MonotonicNs());
    if (result.ok() && decision == TriggerPolicy::Decision::kReplace) unlink(replaced.c_str());
    if (result.ok() && quit_.occasion.trigger_confirmed.empty()) error_state_.Start(now_ns);
    if (result.ok() && traces_absent_.empty()) {
      traces_path_ = path;
      sigquit::CatcherOutput::Expect();
    }
  }
  // Each look hands one on: those that came meanwhile are one for the kernel, too.
  if (!anr::PassQuitOn()) os::Log("there is no Signal Catcher to hand SIGQUIT on to");
}

void Profiler::DumpLongMessage(uint64_t now_ns) {
  if (triggers_.OnLongMessage(now_ns) != TriggerPolicy::Decision::kDump) return;
  const std::string detail = "one message has been running for " +
                             Ms(triggers_.StandingNs(now_ns)) + "; the limit is " +
                             std::to_string(config_.long_ms) + " ms";
  std::string path;
  WriteDump(model::Trigger::kLongMessage, detail, &path);
  triggers_.Dumped(TriggerPolicy::Reason::kLongMessage, path, core::MonotonicNs());
}

// Outside a message: in an idle handler, in the dispatch of input, behind a leaked barrier, or in a
// loop of its own.
void Profiler::CheckHeartbeat(uint64_t now_ns) {
  if (!triggers_.HeartbeatIsDue(now_ns) || !art::HasVm()) return;
  const FromJava java = ReadFromJava(kHeartbeatMessages, false);
  const auto late_ns = static_cast<uint64_t>(anr::HeadLateMs(java.pending.messages)) * kNsPerMs;
  if (triggers_.OnHeartbeat(late_ns, now_ns) != TriggerPolicy::Decision::kDump) return;
  const std::string detail = "no message was begun for " + Ms(triggers_.StandingNs(now_ns)) +
                             ", while the first of the queue is " + Ms(late_ns) + " late";
  std::string path;
  WriteDump(model::Trigger::kHeartbeat, detail, &path);
  triggers_.Dumped(TriggerPolicy::Reason::kOther, path, core::MonotonicNs());
}

// A SIGQUIT that nothing of this process explains: the system knows, a little later.
void Profiler::PollErrorState(uint64_t now_ns) {
  if (!error_state_.IsDue(now_ns)) return;
  std::string why;
  const auto job = std::make_shared<ErrorStateJob>();
  const bool has_answer = AskJava(job, kJavaTimeoutMs, &why);
  if (has_answer && job->state.is_not_responding) {
    quit_.occasion.trigger_confirmed =
        "the system holds this process for not responding: " + job->state.message;
  } else if (has_answer && !job->state.absent.empty()) {
    quit_.occasion.trigger_detail += "; not known to be an ANR: " + job->state.absent;
  } else if (error_state_.IsOver(now_ns)) {
    quit_.occasion.trigger_detail += "; no ANR: the system did not say so within 20 s";
  } else {
    return;
  }
  error_state_.Stop();
  const dump::WriteResult result =
      writer_->Amend({.occasion = &quit_.occasion}, quit_.path.c_str());
  if (!result.ok()) os::Log("%s", dump::Writer::Describe(result, quit_.path).c_str());
}

std::string Profiler::ConfirmAnr(const FromJava& java, const model::Message* running) const {
  anr::AnrSigns signs;
  signs.has_queue = !java.pending.source.empty();
  signs.head_late_ms = anr::HeadLateMs(java.pending.messages);
  if (running != nullptr) signs.running_ms = running->wall_ns / static_cast<int64_t>(kNsPerMs);
  constexpr size_t kDigits = 16;
  os::ReadFileText("/proc/self/oom_score_adj", kDigits, &signs.oom_score_adj);
  return anr::ConfirmAnr(signs);
}

bool Profiler::AskJava(const std::shared_ptr<jvm::JavaReader::Job>& job, uint32_t timeout_ms,
                       std::string* why) {
  *why = "the Java VM has been destroyed";
  return art::HasVm() && java_reader_.Run(job, timeout_ms, why);
}

// The queue first: it is kept even where there is no time left for the rest.
FromJava Profiler::ReadFromJava(size_t messages, bool with_facts) {
  const uint64_t begin_ns = core::MonotonicNs();
  FromJava result;
  std::string why;
  const auto queue = std::make_shared<QueueJob>(messages, config_.pending);
  bool has_answer = AskJava(queue, kJavaTimeoutMs, &why);
  if (has_answer) {
    result.pending = queue->result;
  } else {
    result.pending.absent = why;
  }
  if (!with_facts) return result;
  const uint64_t used_ms = (core::MonotonicNs() - begin_ns) / kNsPerMs;
  const auto facts = std::make_shared<FactsJob>();
  has_answer = has_answer && AskJava(facts,
                                     used_ms < kJavaTimeoutMs - kLeastFactsMs
                                         ? kJavaTimeoutMs - static_cast<uint32_t>(used_ms)
                                         : kLeastFactsMs,
                                     &why);
  if (has_answer) {
    result.facts = facts->facts;
  } else {
    jvm::DescribeJavaAbsent(why, &result.facts);
  }
  return result;
}

}  // namespace stillframe::collector
