// SPDX-License-Identifier: Apache-2.0
// Wakes a thread of ours by a signal to it. The thread has the signal blocked and waits for it.
//
// Problem: descriptors belong to the whole process. An application that closes one twice, or all of
// them, closes ours, and the number is soon reused for its own file.
// Rule: no descriptor. SIGSTKFLT, which the kernel never sends, goes to one thread that has it
// blocked. So no handler runs, and the signal's action cannot end the process. Several wake-ups
// before a sleep count as one.
// Remaining risk: code that sets the signal to be ignored discards a pending one.
// Context: Wake: any thread, signal handlers; Start, Await: the thread that sleeps
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "arch/arch.h"
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

  // Waits for a wake-up, at most for `time`; null: no limit. Other signals end the wait as well.
  static void Await(const timespec* time) {
    constexpr uint64_t kSet = uint64_t{1} << (kWakeSignal - 1);  // the kernel's signal set
    static_assert(sizeof(timespec) == 2 * sizeof(long), "the call takes the kernel's old timespec");
    arch::RestingCall(SYS_rt_sigtimedwait, reinterpret_cast<uintptr_t>(&kSet), 0,
                      reinterpret_cast<uintptr_t>(time), sizeof kSet);
  }

  // For the child of a fork: it has no thread to wake.
  void Forget() { tid_.store(0, std::memory_order_relaxed); }

 private:
  pid_t process_ = 0;
  std::atomic<pid_t> tid_{0};
};

}  // namespace stillframe::core
