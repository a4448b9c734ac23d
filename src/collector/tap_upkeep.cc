// SPDX-License-Identifier: Apache-2.0
#include "src/collector/tap_upkeep.h"

#include <algorithm>
#include <string>

#include "src/art/runtime_probe.h"
#include "src/context/device_class.h"
#include "src/core/clock.h"
#include "src/jvm/refresh_interval.h"
#include "src/os/duration.h"
#include "src/os/log.h"

namespace stillframe::collector {
namespace {

using model::Outcome;
using os::kNsPerMs;
using os::kNsPerSecond;
constexpr uint64_t kNothingHappensNs = 30 * kNsPerSecond;
// Minimum time between checks of the tap, since each enters the VM.
constexpr uint64_t kCheckNs = kNsPerSecond;
// Time from a check that sends a probe to the one that reads its answer.
constexpr uint64_t kRecheckNs = 100 * kNsPerMs;
// Interval of the search for a new main Looper during start-up.
constexpr uint64_t kFindMainThreadNs = 50 * kNsPerMs;

}  // namespace

void TapUpkeep::Start(const art::Vm& vm, const Parts& parts, uint64_t now_ns) {
  vm_ = vm;
  parts_ = parts;
  started_ns_ = now_ns;
}

Outcome TapUpkeep::LoadClasses(const art::AttachedThread& thread) {
  Outcome loaded = parts_.tap->LoadClasses(thread.env());
  has_classes_ = loaded.ok();
  return loaded;
}

void TapUpkeep::InstallTap(const art::AttachedThread& thread) {
  if (!parts_.taps->wants_tap()) return;
  const Outcome installed = Install(thread);
  if (installed.status == model::Status::kUnavailable) os::Log("no tap: %s", installed.why.c_str());
}

Outcome TapUpkeep::Install(const art::AttachedThread& thread) {
  parts_.tap->KnowPoll(parts_.pipelines->PollNs());
  Outcome installed = parts_.taps->Install(thread.env());
  if (installed.ok()) HasTap(thread);
  // The main Looper runs a message, maybe a long one.
  if (parts_.tap->is_waiting()) {
    if (!parts_.main_queue->was_sought()) parts_.main_queue->Find(thread.env());
    if (!KnowsMainThread()) FindMainThread(thread);
  }
  return installed;
}

// An Observer sees all Loopers, but exists only since API 29.
void TapUpkeep::HasTap(const art::AttachedThread& thread) {
  parts_.main_queue->Find(thread.env());
  const tap::TapKind kind = parts_.taps->kind();
  const char* const losses = tap::TapLosses(kind);
  if (*losses != '\0') os::Log("the tap is a %s: %s", tap::TapName(kind), losses);
}

bool TapUpkeep::KnowsMainThread() const {
  return parts_.main_thread->runtime_thread.load(std::memory_order_relaxed) != 0;
}

// Needed only before its first message, which identifies it.
void TapUpkeep::FindMainThread(const art::AttachedThread& thread) {
  uintptr_t none = 0;
  parts_.main_thread->runtime_thread.compare_exchange_strong(
      none, art::FindMainThread(thread.env()), std::memory_order_release);
}

uint64_t TapUpkeep::Tick(uint64_t now_ns) {
  const uint64_t sleep_ns = art::HasVm() ? KeepTap(now_ns) : UINT64_MAX;
  return std::min({sleep_ns, Probe(now_ns), WarnIfNothingHappens(now_ns)});
}

uint64_t TapUpkeep::KeepTap(uint64_t now_ns) {
  if (!has_classes_) return UINT64_MAX;
  const bool is_start_up = now_ns - started_ns_ < kNothingHappensNs;
  const bool ran = MainRanOutsideMessages(now_ns);
  const bool knew_main_thread = KnowsMainThread();
  if (parts_.taps->wants_tap()) {
    if ((is_start_up || ran) && EnterVm()) static_cast<void>(Install(thread_));
    if (is_start_up && parts_.taps->wants_tap()) {
      // Early messages need quick tries; a process without a Looper needs few.
      const uint64_t waited_ns = now_ns - started_ns_;
      const bool is_early = waited_ns < kNsPerSecond;
      if (!is_early || parts_.taps->has_failed()) LeaveVm();
      if (is_early) return 5 * kNsPerMs;
      return waited_ns < 5 * kNsPerSecond ? 50 * kNsPerMs : 500 * kNsPerMs;
    }
  } else if (!parts_.pipelines->IsAnySlow(now_ns)) {
    if (ran || (recheck_ns_ != 0 && now_ns >= recheck_ns_)) LookAfterTap(now_ns);
    ReadRefreshInterval();
  }
  if ((is_start_up || ran) && !KnowsMainThread() && EnterVm()) FindMainThread(thread_);
  LeaveVm();
  // An idle thread must be seen in its poll, or a hang would seem to begin at the start.
  if (!knew_main_thread && KnowsMainThread()) return kNsPerMs;
  if (recheck_ns_ != 0) return std::max(recheck_ns_, now_ns + kNsPerMs) - now_ns;
  return is_start_up && !KnowsMainThread() ? kFindMainThreadNs : UINT64_MAX;
}

// True at most once per kCheckNs. Excludes the CPU time of messages, since the clock is read anew
// after each.
bool TapUpkeep::MainRanOutsideMessages(uint64_t now_ns) {
  const core::WatchedThread& main = *parts_.main_thread;
  if (core::Read(main.message).token != Token::kNone) return false;
  const uint64_t begun = main.message.begun.load(std::memory_order_relaxed);
  const uint64_t cpu_ns = core::CpuClockNs(core::ThreadCpuClock(main.tid));
  const bool ran = begun == begun_ && cpu_ns - cpu_ns_ >= kActivityNs;
  if (begun == begun_ && (!ran || now_ns - checked_ns_ < kCheckNs)) return false;
  begun_ = begun;
  cpu_ns_ = cpu_ns;
  if (ran) checked_ns_ = now_ns;
  return ran;
}

void TapUpkeep::LookAfterTap(uint64_t now_ns) {
  if (!parts_.taps->can_be_replaced() || !EnterVm()) return;
  parts_.tap->KnowPoll(parts_.pipelines->PollNs());
  const tap::TapKeeper::Checked checked = parts_.taps->Check(thread_.env());
  const bool is_awaited =
      parts_.tap->is_blind() && (recheck_ns_ == 0 || parts_.tap->lacks_answer());
  recheck_ns_ = is_awaited ? now_ns + kRecheckNs : 0;
  if (checked.was_lost) parts_.pipelines->AddBlind(now_ns);
  if (!checked.news.empty()) os::Log("%s", checked.news.c_str());
}

void TapUpkeep::ReadRefreshInterval() {
  if (has_refresh_interval_ || parts_.frames->frames() == 0 || !EnterVm()) return;
  has_refresh_interval_ = true;
  const uint64_t interval_ns = jvm::ReadRefreshInterval(thread_);
  if (interval_ns != 0) parts_.frames->SetRefreshInterval(interval_ns);
}

// The main thread is never woken: it gets a message only where it runs one.
uint64_t TapUpkeep::Probe(uint64_t now_ns) {
  if (parts_.taps->kind() != tap::TapKind::kProbe) return UINT64_MAX;
  const uint64_t begun = parts_.main_thread->message.begun.load(std::memory_order_relaxed);
  parts_.tap->KnowPoll(parts_.pipelines->PollNs());
  const bool is_due = begun != probed_ || parts_.tap->has_lost_probe();
  if (parts_.pipelines->SuspectsSegment() && is_due && EnterVm()) {
    probed_ = begun;
    parts_.tap->SendProbe(thread_.env());
    LeaveVm();
  }
  if (now_ns - foreground_ns_ >= kNsPerSecond) {
    is_foreground_ = context::IsInForeground();
    foreground_ns_ = now_ns;
  }
  return is_foreground_ ? kProbeNs : UINT64_MAX;
}

bool TapUpkeep::EnterVm() {
  if (!thread_.is_attached()) thread_ = vm_.AttachThread("stillframe");
  return thread_.is_attached();
}

void TapUpkeep::LeaveVm() {
  if (!thread_.is_attached()) return;
  thread_ = {};
  vm_.DetachThread();
}

uint64_t TapUpkeep::WarnIfNothingHappens(uint64_t now_ns) {
  if (is_first_seen_) return UINT64_MAX;
  const uint64_t waited_ns = now_ns - started_ns_;
  if (parts_.main_thread->message.begun.load(std::memory_order_relaxed) != 0) {
    is_first_seen_ = true;
  } else if (waited_ns > kNothingHappensNs) {
    is_first_seen_ = true;
    os::Log(
        "the main thread has dispatched no message within 30 s: it runs no Looper, so there is "
        "nothing to profile yet");
  }
  return is_first_seen_ ? UINT64_MAX : kNothingHappensNs - waited_ns + kNsPerMs;
}

}  // namespace stillframe::collector
