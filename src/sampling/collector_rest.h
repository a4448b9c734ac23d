// SPDX-License-Identifier: Apache-2.0
// When the collector looks next while no message is slow, and when it may rest until one begins.
//
// Problem: a rest saves the looks of a pause, and costs the message that ends it a system call; a
// look that comes early finds a message just when it becomes slow, and is one more wake-up. Rule:
// the collector looks every kLookNs while messages keep coming, and rests as soon as nothing runs
// and none began since the look before, or at once when it comes from a long rest. What comes
// sooner than kLookNs after the look before is paid from what longer pauses saved, so that a second
// has no more than kMaxLooksPerSecond in the long run, however messages come.
// Reads no clock itself.
#pragma once

#include <algorithm>
#include <cstdint>

namespace stillframe::sampling {

class CollectorRest {
 public:
  static constexpr uint64_t kLookNs = 50'000'000;
  static constexpr uint64_t kMaxLooksPerSecond = 22;

  struct Seen {
    uint64_t begun = 0;            // messages so far
    uint64_t due_ns = UINT64_MAX;  // until a running one is slow; UINT64_MAX: none runs
  };
  // How long after this look the next one is due; UINT64_MAX: it may rest until a message begins.
  uint64_t NextLookNs(const Seen& seen, uint64_t now_ns) {
    const uint64_t passed_ns = now_ns - std::min(looked_ns_, now_ns);
    saved_ns_ += static_cast<int64_t>(std::min(passed_ns, kLongNs)) - kPriceNs;
    saved_ns_ = std::clamp(saved_ns_, -kMaxSavedNs, kMaxSavedNs);
    const bool none_began = seen.begun == begun_ || passed_ns >= kLongNs;
    looked_ns_ = now_ns;
    begun_ = seen.begun;
    if (seen.due_ns == UINT64_MAX) return none_began && CanPay(kLookNs) ? UINT64_MAX : kLookNs;
    const uint64_t due_ns = std::min(seen.due_ns, kLookNs);
    return CanPay(kLookNs - due_ns) ? due_ns : kLookNs;
  }
  // A message is slow: it has looks of its own, which are not counted.
  void FollowsSlow(uint64_t begun, uint64_t now_ns) {
    begun_ = begun;
    looked_ns_ = now_ns;
  }

 private:
  static constexpr int64_t kPriceNs = 1'000'000'000 / kMaxLooksPerSecond;
  static constexpr int64_t kMaxSavedNs = 2 * kLookNs;
  static constexpr uint64_t kLongNs = 10 * kLookNs;

  bool CanPay(uint64_t ns) const { return saved_ns_ >= static_cast<int64_t>(ns); }

  uint64_t begun_ = 0;
  uint64_t looked_ns_ = 0;
  int64_t saved_ns_ = 0;
};

}  // namespace stillframe::sampling
