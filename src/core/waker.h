// SPDX-License-Identifier: Apache-2.0
// How the collector is woken: by a signal to its thread, which has it blocked and waits for it.
//
// Problem: descriptors belong to the whole process. An application that closes one twice, or all of
// them, takes ours away, and the number is soon its own file's. Rule: there is none. The signal is
// one that no kernel sends, SIGSTKFLT; it goes to one thread, whose mask keeps it, so that no
// handler runs and no action of the process's can end it. Wake-ups before a sleep are one.
// Remaining risk: whoever sets the signal to be ignored takes back one that is pending.
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
  // From here on Wake wakes the calling thread, which must have kWakeSignal blocked until it ends.
  void Start() {
    process_ = getpid();
    tid_.store(gettid(), std::memory_order_release);
  }

  // What was stored before is seen by the thread that is woken.
  void Wake() const {
    const pid_t tid = tid_.load(std::memory_order_acquire);
    if (tid != 0) syscall(SYS_tgkill, process_, tid, kWakeSignal);
  }

  // The child of a fork has nobody to wake.
  void Forget() { tid_.store(0, std::memory_order_relaxed); }

 private:
  pid_t process_ = 0;
  std::atomic<pid_t> tid_{0};
};

}  // namespace stillframe::core
