// SPDX-License-Identifier: Apache-2.0
// The limits, and the sentence.
#include "src/anr/anr_confirmation.h"

#include <stdlib.h>

#include <algorithm>

namespace stillframe::anr {
namespace {

constexpr int64_t kForegroundMs = 2'000;
constexpr int64_t kBackgroundMs = 10'000;
constexpr int64_t kVisibleAdjustment = 100;
// The platform gives input 5 s: AOSP 11, ActivityTaskManagerService.java,
// KEY_DISPATCHING_TIMEOUT_MS.
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
    return "the first message of the queue is " + std::to_string(signs.head_late_ms) +
           " ms late; " + (is_foreground ? "in the foreground" : "in the background") +
           " an ANR is one from " + std::to_string(limit_ms) + " ms";
  }
  if (signs.running_ms >= kRunningMs)
    return "one message has been running for " + std::to_string(signs.running_ms) + " ms";
  return "";
}

}  // namespace stillframe::anr
