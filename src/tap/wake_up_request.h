// SPDX-License-Identifier: Apache-2.0
// How a message wakes the idle collector.
//
// Problem: a message that begins while the collector becomes idle must not be missed. One that
// begins while the collector checks by itself must not cost a system call.
// Rule: a watched thread stores its token, then reads whether a wake-up is wanted. The collector
// stores that it wants one, then reads all tokens. These four accesses are sequentially consistent,
// so at least one side sees the other's store: on aarch64 STLR before LDAR, which keep their order
// (Arm ARM, B2.3), on x86 an XCHG, on arm a DMB. The first message clears the wish: one write per
// idle time.
// Context: Ring: watched thread, after its token was stored. Others: collector
#pragma once

#include <atomic>

#include "src/core/waker.h"

namespace stillframe::tap {

class WakeUpRequest {
 public:
  // `waker` is the collector's and outlives this. Call before the first Ring.
  void Start(const core::Waker* waker) { waker_ = waker; }

  void Ring() {
    if (is_wanted_.load(std::memory_order_seq_cst)) WakeCollector();
  }

  void Request() { is_wanted_.store(true, std::memory_order_seq_cst); }
  void Cancel() { is_wanted_.store(false, std::memory_order_relaxed); }

 private:
  [[gnu::noinline]] void WakeCollector() {
    if (!is_wanted_.exchange(false, std::memory_order_relaxed)) return;
    waker_->Wake();
  }

  const core::Waker* waker_ = nullptr;
  std::atomic<bool> is_wanted_{false};
};

}  // namespace stillframe::tap
