// SPDX-License-Identifier: Apache-2.0
// When the collector checks next while no message is slow, and when it may be idle until one
// begins.
//
// Problem: idling saves the checks of a pause, but costs the message that ends it a system call. An
// early check catches a message just as it becomes slow, but is one more wake-up.
// Rule: the collector checks every kPollNs while messages keep coming. It is idle as soon as
// nothing runs and none began since the previous check, or at once after a long idle time. Extra
// checks are paid from a credit that longer pauses earn: in the long run at most
// kMaxPollsPerSecond, however messages come.
// Reads no clock itself.
#pragma once

#include <algorithm>
#include <cstdint>

namespace stillframe::sampling {

class PollSchedule {
 public:
  static constexpr uint64_t kPollNs = 50'000'000;
  static constexpr uint64_t kMaxPollsPerSecond = 22;

  struct Seen {
    uint64_t begun = 0;            // messages so far
    uint64_t due_ns = UINT64_MAX;  // until a running one is slow; UINT64_MAX: none runs
  };
  // Nanoseconds until the next check; UINT64_MAX: idle until a message begins.
  uint64_t NextPollNs(const Seen& seen, uint64_t now_ns) {
    const uint64_t passed_ns = now_ns - std::min(polled_ns_, now_ns);
    saved_ns_ += static_cast<int64_t>(std::min(passed_ns, kLongNs)) - kPriceNs;
    saved_ns_ = std::clamp(saved_ns_, -kMaxSavedNs, kMaxSavedNs);
    const bool none_began = seen.begun == begun_ || passed_ns >= kLongNs;
    polled_ns_ = now_ns;
    begun_ = seen.begun;
    if (seen.due_ns == UINT64_MAX) return none_began && CanPay(kPollNs) ? UINT64_MAX : kPollNs;
    const uint64_t due_ns = std::min(seen.due_ns, kPollNs);
    return CanPay(kPollNs - due_ns) ? due_ns : kPollNs;
  }
  // A message is slow: it has checks of its own, which do not count.
  void FollowsSlow(uint64_t begun, uint64_t now_ns) {
    begun_ = begun;
    polled_ns_ = now_ns;
  }

 private:
  static constexpr int64_t kPriceNs = 1'000'000'000 / kMaxPollsPerSecond;
  static constexpr int64_t kMaxSavedNs = 2 * kPollNs;
  static constexpr uint64_t kLongNs = 10 * kPollNs;

  bool CanPay(uint64_t ns) const { return saved_ns_ >= static_cast<int64_t>(ns); }

  uint64_t begun_ = 0;
  uint64_t polled_ns_ = 0;
  int64_t saved_ns_ = 0;
};

}  // namespace stillframe::sampling
