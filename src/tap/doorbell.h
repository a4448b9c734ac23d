// SPDX-License-Identifier: Apache-2.0
// How a message wakes the collector while that rests.
//
// Problem: a message that begins while the collector lies down must not be missed, and one that
// begins while the collector looks by itself must not pay a system call. Rule: a watched thread
// stores its token, then reads whether a ring is wanted; the collector wants one, then reads all
// tokens. These four accesses are sequentially consistent, so that at least one side sees the
// other's store. On aarch64 that is STLR before LDAR, which keep their order (Arm ARM, B2.3), on
// x86 an XCHG, on arm a DMB. The first message takes the wish back: one write for each rest.
// Context: Ring: watched thread, after its token was stored. Others: collector
#pragma once

#include <atomic>

#include "src/core/waker.h"

namespace stillframe::tap {

class Doorbell {
 public:
  // `waker` is the collector's, and outlives this. Before the first ring.
  void Start(const core::Waker* waker) { waker_ = waker; }

  void Ring() {
    if (is_wanted_.load(std::memory_order_seq_cst)) WakeCollector();
  }

  void Want() { is_wanted_.store(true, std::memory_order_seq_cst); }
  void WantNoMore() { is_wanted_.store(false, std::memory_order_relaxed); }

 private:
  [[gnu::noinline]] void WakeCollector() {
    if (!is_wanted_.exchange(false, std::memory_order_relaxed)) return;
    waker_->Wake();
  }

  const core::Waker* waker_ = nullptr;
  std::atomic<bool> is_wanted_{false};
};

}  // namespace stillframe::tap
