// SPDX-License-Identifier: Apache-2.0
// Wakes the collector by a signal to its thread, which has the signal blocked and waits for it.
//
// Problem: descriptors belong to the whole process. An application that closes one twice, or all of
// them, closes ours, and the number is soon reused for its own file.
// Rule: no descriptor. SIGSTKFLT, which the kernel never sends, goes to one thread that has it
// blocked. So no handler runs, and the signal's action cannot end the process. Several wake-ups
// before a sleep count as one.
// Remaining risk: code that sets the signal to be ignored discards a pending one.
// Context: Wake: any thread, signal handlers; Start: the thread that sleeps
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "src/core/wake_signal.h"

namespace stillframe::core {

class Waker {
 public:
  // From now on Wake wakes the calling thread, which must keep kWakeSignal blocked until it ends.
  void Start() {
    process_ = getpid();
    tid_.store(gettid(), std::memory_order_release);
  }

  // The woken thread sees all stores before this call.
  void Wake() const {
    const pid_t tid = tid_.load(std::memory_order_acquire);
    if (tid != 0) syscall(SYS_tgkill, process_, tid, kWakeSignal);
  }

  // For the child of a fork: it has no thread to wake.
  void Forget() { tid_.store(0, std::memory_order_relaxed); }

 private:
  pid_t process_ = 0;
  std::atomic<pid_t> tid_{0};
};

}  // namespace stillframe::core
