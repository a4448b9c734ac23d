// SPDX-License-Identifier: Apache-2.0
#include "src/anr/trigger_policy.h"

#include <stdlib.h>

#include <algorithm>

namespace stillframe::anr {
namespace {

constexpr int64_t kForegroundMs = 2'000;
constexpr int64_t kBackgroundMs = 10'000;
constexpr int64_t kVisibleAdjustment = 100;
// Input timeout, 5 s: AOSP 11, ActivityTaskManagerService.java, KEY_DISPATCHING_TIMEOUT_MS.
constexpr int64_t kRunningMs = 5'000;

bool IsForeground(const std::string& oom_score_adj) {
  char* end = nullptr;
  const long value = strtol(oom_score_adj.c_str(), &end, 10);
  return end != oom_score_adj.c_str() && value <= kVisibleAdjustment;
}

}  // namespace

int64_t HeadLateMs(const std::vector<model::PendingMessage>& pending) {
  const auto first = std::find_if(pending.begin(), pending.end(),
                                  [](const auto& message) { return !message.is_barrier; });
  return first == pending.end() ? 0 : std::max<int64_t>(-first->delay_ms, 0);
}

std::string ConfirmAnr(const AnrSigns& signs) {
  const bool is_foreground = IsForeground(signs.oom_score_adj);
  const int64_t limit_ms = is_foreground ? kForegroundMs : kBackgroundMs;
  if (signs.has_queue && signs.head_late_ms > limit_ms) {
    return "the head of the queue is " + std::to_string(signs.head_late_ms) + " ms late (limit " +
           std::to_string(limit_ms) + " ms in the " +
           (is_foreground ? "foreground)" : "background)");
  }
  if (signs.running_ms >= kRunningMs)
    return "one message has been running for " + std::to_string(signs.running_ms) + " ms";
  return "";
}

void TriggerPolicy::Observe(Token token, uint64_t start_ns, uint64_t begun, uint64_t now_ns) {
  if (token == token_ && begun == begun_ && changed_ns_ != 0) return;
  // This change may be noticed late. A new message has its own start time; an end counts as now.
  const bool is_new_message = token != Token::kNone && begun != begun_ && token > token_;
  token_ = token;
  begun_ = begun;
  changed_ns_ = std::max<uint64_t>(is_new_message ? std::min(start_ns, now_ns) : now_ns, 1);
  heartbeat_asked_ns_ = changed_ns_;
  heartbeat_ns_ = limits_.long_message_ns;
  heartbeat_suspect_ = false;
  heartbeat_reported_ = false;
}

void TriggerPolicy::WasFrozen(uint64_t for_ns) {
  changed_ns_ += for_ns;
  heartbeat_asked_ns_ += for_ns;
}

TriggerPolicy::Decision TriggerPolicy::OnQuit(uint64_t now_ns) const {
  if (token_ != Token::kNone && token_ == long_token_ && !long_path_.empty())
    return Decision::kReplace;
  return GapLeftNs(now_ns) != 0 ? Decision::kMerge : Decision::kDump;
}

TriggerPolicy::Decision TriggerPolicy::OnLongMessage(uint64_t now_ns) const {
  if (limits_.long_message_ns == 0 || token_ == Token::kNone || RunningIsDumped() ||
      UnchangedNs(now_ns) < limits_.long_message_ns || GapLeftNs(now_ns) != 0)
    return Decision::kNothing;
  return Decision::kDump;
}

bool TriggerPolicy::HeartbeatIsDue(uint64_t now_ns) {
  if (limits_.long_message_ns == 0 || token_ != Token::kNone || heartbeat_reported_ ||
      Since(now_ns, heartbeat_asked_ns_) < heartbeat_ns_)
    return false;
  heartbeat_asked_ns_ = now_ns;
  heartbeat_ns_ = std::min(heartbeat_ns_ * 2, std::max(kMaxHeartbeatNs, limits_.long_message_ns));
  return true;
}

TriggerPolicy::Decision TriggerPolicy::OnHeartbeat(uint64_t late_ns, uint64_t now_ns) {
  const bool was_suspect = heartbeat_suspect_;
  heartbeat_suspect_ = late_ns >= limits_.long_message_ns;
  if (!heartbeat_suspect_) {
    // Late by less than the limit: check again when it is reached.
    if (late_ns != 0) heartbeat_ns_ = limits_.long_message_ns - late_ns;
    return Decision::kNothing;
  }
  if (!was_suspect) {
    heartbeat_ns_ = kConfirmHeartbeatNs;
    return Decision::kNothing;
  }
  heartbeat_reported_ = true;
  return GapLeftNs(now_ns) != 0 ? Decision::kMerge : Decision::kDump;
}

void TriggerPolicy::Dumped(Reason reason, const std::string& path, uint64_t now_ns) {
  dumped_ns_ = std::max<uint64_t>(now_ns, 1);
  if (reason == Reason::kQuit) {
    quit_token_ = token_;
    long_path_.clear();
  } else if (reason == Reason::kLongMessage) {
    long_token_ = token_;
    long_path_ = path;
  }
}

uint64_t TriggerPolicy::SleepNs(uint64_t now_ns) const {
  if (limits_.long_message_ns == 0) return UINT64_MAX;
  if (token_ != Token::kNone) {
    if (RunningIsDumped()) return UINT64_MAX;
    const uint64_t standing_ns = UnchangedNs(now_ns);
    const uint64_t left_ns =
        standing_ns < limits_.long_message_ns ? limits_.long_message_ns - standing_ns : 0;
    return std::max(left_ns, GapLeftNs(now_ns));
  }
  if (heartbeat_reported_) return UINT64_MAX;
  const uint64_t waited_ns = Since(now_ns, heartbeat_asked_ns_);
  return waited_ns < heartbeat_ns_ ? heartbeat_ns_ - waited_ns : 0;
}

}  // namespace stillframe::anr
