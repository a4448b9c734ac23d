// SPDX-License-Identifier: Apache-2.0
// Where the kernel lets a timer expire: in its interrupt, or when the thread returns to its
// program.
//
// Problem: a timer on a thread's CPU clock cannot interrupt a sleep, but an expiry on the way into
// one can, where the kernel signals from the timer's interrupt: the sleep then ends with EINTR, if
// it is not one that SA_RESTART begins again. Kernels with CONFIG_POSIX_CPU_TIMERS_TASK_WORK (x86
// since 5.10, others later) signal on the way back to the program. Rule: it is tried, with a signal
// that the calling thread blocks, in a system call that takes long and looks for the signal at its
// end. Surviving risk: an expiry in the last thousandth of that call tells the wrong thing.
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::os {

enum class TimerContext : uint8_t { kUnknown, kInterrupt, kReturn };

// Of timers on `clock`, one that runs while the calling thread does. Takes the thread until the
// kernel's next tick, a few milliseconds of its CPU time, at most 50. The thread blocks SIGPROF.
// Context: start-up only
TimerContext FindTimerContext(clockid_t clock);

}  // namespace stillframe::os
