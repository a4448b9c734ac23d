// SPDX-License-Identifier: Apache-2.0
// The action of a signal, which one thread changes while handlers on others read it.
//
// Problem: a handler may be interrupted for any time between reading two words of the action, so
// neither two slots that take turns nor a sequence lock with a bounded number of tries exclude a
// torn one.
// Rule: a record is written once, before its address is published, and is never written again. An
// action that was published before gets its old record.
// Order: the writer's release store of the address and the reader's acquire load of it pair up, on
// arm64 by stlr and ldar: who sees the address sees the whole record.
// Context: Get: any, signal-safe. Set: one thread at a time
#pragma once

#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stillframe::core {

class PublishedAction {
 public:
  // Different actions in a process's life. Two components that install themselves in turns need
  // two.
  static constexpr size_t kMostRecords = 8;

  // The default action before the first Set. The record is valid and constant until the process
  // ends.
  const struct sigaction& Get() const {
    const struct sigaction* const record = now_.load(std::memory_order_acquire);
    return record != nullptr ? *record : kDefault;
  }

  // False, and without effect, if all records hold other actions.
  bool Set(const struct sigaction& action) {
    size_t place = 0;
    while (place < count_ && !IsSame(records_[place], action)) ++place;
    if (place == kMostRecords) return false;
    if (place == count_) records_[count_++] = action;
    now_.store(&records_[place], std::memory_order_release);
    return true;
  }

 private:
  // The signals below 65, which are all that the kernel keeps. Not memcmp, which no handler may
  // call.
  static uint64_t MaskOf(const struct sigaction& action) {
    uint64_t mask = 0;
    std::memcpy(&mask, &action.sa_mask, std::min(sizeof mask, sizeof action.sa_mask));
    return mask;
  }
  static bool IsSame(const struct sigaction& a, const struct sigaction& b) {
    return a.sa_sigaction == b.sa_sigaction && a.sa_flags == b.sa_flags && MaskOf(a) == MaskOf(b);
  }

  static constexpr struct sigaction kDefault = {};
  std::array<struct sigaction, kMostRecords> records_ = {};
  size_t count_ = 0;
  std::atomic<const struct sigaction*> now_{nullptr};
};

}  // namespace stillframe::core
