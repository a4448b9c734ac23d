// SPDX-License-Identifier: Apache-2.0
#include "src/collector/anr_triggers.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "src/anr/trigger_policy.h"
#include "src/art/signal_catcher.h"
#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/dump/redaction.h"
#include "src/os/duration.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/sigquit/catcher_output.h"
#include "src/sigquit/catcher_watch.h"
#include "src/sigquit/trace_reserve.h"

namespace stillframe::collector {
namespace {

using anr::TriggerPolicy;
using os::kNsPerMs;
using settings::Ns;

// A heartbeat reads only the head of the queue.
constexpr size_t kHeartbeatMessages = 8;

// If memory is too short for a dump and the Signal Catcher's trace together, the catcher goes
// first.
constexpr size_t kReserveBytes = 8U << 20;
constexpr useconds_t kCatcherAloneUs = 500'000;

bool HasSpaceForTrace() {
  void* room =
      mmap(nullptr, kReserveBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return room != MAP_FAILED && munmap(room, kReserveBytes) == 0;
}

std::string Ms(uint64_t ns) { return std::to_string(ns / kNsPerMs) + " ms"; }

}  // namespace

void CatcherTraces::HookSignalCatcher(bool is_wanted, const core::Waker* waker) {
  absent_ = "switched off by STILLFRAME_COPY_TRACES=0";
  if (!is_wanted) return;
  const art::CatcherCall output = art::FindTraceOutput();
  absent_ = "this build of ART does not hand its traces to libartpalette";
  if (output.function == 0) return;
  absent_ = "libart's table of calls cannot be written to";
  if (art::Replace(output, sigquit::CatcherOutput::Replacement(output.function, waker)))
    absent_.clear();
}

std::string CatcherTraces::WhyAbsent() const {
  return absent_.empty() ? "they were not there when this dump was written" : absent_;
}

void CatcherTraces::Expect(unsigned arrival) {
  path_.clear();
  if (absent_.empty()) sigquit::CatcherOutput::Expect(arrival);
}

void CatcherTraces::BelongTo(const std::string& path) {
  if (absent_.empty()) path_ = path;
}

void CatcherTraces::AddToDump(dump::Writer* writer) {
  model::SignalCatcherText traces;
  if (path_.empty() || !sigquit::CatcherOutput::Take(&traces.text, &traces.full_bytes)) return;
  traces.source = "PaletteWriteCrashThreadStacks";
  const dump::WriteResult result = writer->Amend({.signal_catcher = &traces}, path_.c_str());
  if (!result.ok()) os::Log("%s", dump::Writer::Describe(result, path_).c_str());
  path_.clear();
}

void AnrTriggers::Start(const Parts& parts) {
  parts_ = parts;
  Reconfigure();
}

void AnrTriggers::Reconfigure() {
  if (parts_.config->dump_dir.empty()) return;
  policy_.SetLimits(
      {.long_message_ns = Ns(parts_.config->long_ms), .gap_ns = Ns(parts_.config->dump_gap_ms)});
}

void AnrTriggers::TakeSigquits(core::SigactionFunction kernel_sigaction, const core::Waker* waker) {
  if (parts_.config->dump_dir.empty() || !parts_.config->dump_on_sigquit) return;
  traces_.HookSignalCatcher(parts_.config->copy_traces, waker);
  const art::CatcherCall wait = art::FindSigwait();
  using sigquit::CatcherWatch;
  const bool is_64_bits = wait.function != 0 && strcmp(wait.symbol, "sigwait64") == 0;
  if (wait.function == 0 ||
      !art::Replace(wait, CatcherWatch::Replacement(wait.function, is_64_bits))) {
    os::Log("no dump on SIGQUIT: this build of ART waits for it by no call that can be replaced");
    return;
  }
  sigquit::TraceReserve::Keep();
  CatcherWatch::Start({waker, Ns(parts_.config->dump_gap_ms)});
  // A catcher that starts later waits through the replaced call anyway.
  const int32_t catcher = art::FindSignalCatcher();
  if (catcher != 0 && !CatcherWatch::TakeOverWait(catcher, kernel_sigaction))
    os::Log("the Signal Catcher does not answer: the dump of its first SIGQUIT comes after it");
}

DumpAssembler::Written AnrTriggers::Dump(model::Trigger trigger, const std::string& detail) {
  DumpAssembler::Written written = parts_.dumps->Write({trigger, detail, traces_.WhyAbsent()});
  if (written.result.ok()) parts_.news->Add(written.path);
  return written;
}

DumpAssembler::Written AnrTriggers::DumpOnRequest(model::Trigger trigger) {
  DumpAssembler::Written written = Dump(trigger, "");
  policy_.Dumped(TriggerPolicy::Reason::kOther, written.path, core::MonotonicNs());
  return written;
}

uint64_t AnrTriggers::Tick(uint64_t now_ns, bool is_idle) {
  traces_.AddToDump(parts_.writer);
  if (!parts_.config->enabled) {
    sigquits_handled_ = sigquit::CatcherWatch::arrivals();
    return UINT64_MAX;
  }
  const core::MessageSlot& slot = parts_.main_thread->message;
  // Before the first message, and where messages are not seen, an open segment has a message's time
  // limit.
  const bool limits_segments = slot.begun.load(std::memory_order_relaxed) == 0 ||
                               parts_.taps->kind() == tap::TapKind::kProbe;
  const core::RunningMessage running =
      limits_segments ? parts_.main_watch->Running() : core::Read(slot);
  policy_.Observe(running.token, running.start_ns, slot.begun.load(std::memory_order_relaxed),
                  now_ns);
  if (running.token != Token::kNone && running.AgeNs(now_ns) >= Ns(parts_.config->slow_ms))
    parts_.dumps->RememberFacts(now_ns);
  HandleSigquits(now_ns);
  DumpLongMessage(now_ns);
  if (!is_idle) CheckHeartbeat(now_ns);
  PollErrorState(now_ns);
  const uint64_t end_ns = core::MonotonicNs();
  return std::min(is_idle ? UINT64_MAX : policy_.SleepNs(end_ns), error_state_.SleepNs(end_ns));
}

void AnrTriggers::HandleSigquits(uint64_t now_ns) {
  const unsigned arrivals = sigquit::CatcherWatch::arrivals();
  if (arrivals == sigquits_handled_) return;
  const unsigned fresh = arrivals - sigquits_handled_;
  sigquits_handled_ = arrivals;
  const TriggerPolicy::Decision decision = policy_.OnQuit(now_ns);
  const bool is_merged = decision == TriggerPolicy::Decision::kMerge;
  core::Counters::Add(Counter::kSigquitsMerged, is_merged ? fresh : fresh - 1);
  if (!is_merged) DumpForSigquit(decision, now_ns);
}

void AnrTriggers::DumpForSigquit(TriggerPolicy::Decision decision, uint64_t now_ns) {
  const std::string replaced = policy_.long_message_path();
  // The Signal Catcher continues meanwhile.
  traces_.Expect(sigquits_handled_);
  if (!HasSpaceForTrace()) usleep(kCatcherAloneUs);
  const DumpAssembler::Written written = Dump(model::Trigger::kSigquit, "SIGQUIT");
  policy_.Dumped(TriggerPolicy::Reason::kQuit, written.path, core::MonotonicNs());
  sigquit::TraceReserve::Keep();
  if (!written.result.ok()) return;
  sigquit_path_ = written.path;
  sigquit_ = written.occasion;
  if (decision == TriggerPolicy::Decision::kReplace) unlink(replaced.c_str());
  error_state_.Start(now_ns);
  traces_.BelongTo(written.path);
}

void AnrTriggers::DumpLongMessage(uint64_t now_ns) {
  if (policy_.OnLongMessage(now_ns) != TriggerPolicy::Decision::kDump) return;
  const bool is_message = parts_.main_thread->message.begun.load(std::memory_order_relaxed) != 0;
  const std::string detail =
      std::string(is_message ? "one message" : "code before the first message") +
      " has been running for " + Ms(policy_.UnchangedNs(now_ns)) + "; the limit is " +
      std::to_string(parts_.config->long_ms.count()) + " ms";
  const DumpAssembler::Written written = Dump(model::Trigger::kLongMessage, detail);
  policy_.Dumped(TriggerPolicy::Reason::kLongMessage, written.path, core::MonotonicNs());
}

// Missed heartbeat outside messages: an idle handler, input dispatch, a leaked barrier, or a nested
// loop.
void AnrTriggers::CheckHeartbeat(uint64_t now_ns) {
  if (!policy_.HeartbeatIsDue(now_ns) || !art::HasVm()) return;
  const jvm::PendingMessages queue = parts_.questions->ReadQueue(kHeartbeatMessages);
  const auto late_ns = static_cast<uint64_t>(anr::HeadLateMs(queue.messages)) * kNsPerMs;
  if (policy_.OnHeartbeat(late_ns, now_ns) != TriggerPolicy::Decision::kDump) return;
  const std::string detail = "no message was begun for " + Ms(policy_.UnchangedNs(now_ns)) +
                             ", while the first of the queue is " + Ms(late_ns) + " late";
  const DumpAssembler::Written written = Dump(model::Trigger::kHeartbeat, detail);
  policy_.Dumped(TriggerPolicy::Reason::kOther, written.path, core::MonotonicNs());
}

// The system reports the cause of the SIGQUIT some time later.
void AnrTriggers::PollErrorState(uint64_t now_ns) {
  if (!error_state_.IsDue(now_ns)) return;
  jvm::ErrorState state;
  const bool has_answer = parts_.questions->ReadErrorState(&state).ok();
  const bool is_absent = has_answer && !state.absent.empty();
  const bool is_confirmed = has_answer && state.is_not_responding;
  if (!is_confirmed && !is_absent && !error_state_.IsOver(now_ns)) return;
  error_state_.Stop();
  const bool is_known = !sigquit_.trigger_confirmed.empty();
  if (is_confirmed) {
    if (!is_known) sigquit_.trigger_confirmed = "the system holds this process for not responding";
    sigquit_.system_reason = std::move(state.reason);
    sigquit_.system_component = std::move(state.component);
    dump::Redact(parts_.config->omit, &sigquit_);
  } else if (is_known) {
    return;  // nothing new
  } else if (is_absent) {
    sigquit_.trigger_detail += "; not known to be an ANR: " + state.absent;
  } else {
    sigquit_.trigger_detail += "; no ANR: the system did not say so within 20 s";
  }
  const dump::WriteResult result =
      parts_.writer->Amend({.occasion = &sigquit_}, sigquit_path_.c_str());
  if (!result.ok()) os::Log("%s", dump::Writer::Describe(result, sigquit_path_).c_str());
}

}  // namespace stillframe::collector
