// SPDX-License-Identifier: Apache-2.0
// Where the kernel delivers a timer's expiry: in the timer interrupt, or on return to user space.
//
// Problem: a timer on a thread's CPU clock does not run during a sleep, but it may expire on entry
// into one. If the kernel signals from the interrupt, that sleep ends with EINTR unless SA_RESTART
// restarts it. Kernels with CONFIG_POSIX_CPU_TIMERS_TASK_WORK (x86 since 5.10, others later) signal
// on return to user space.
// Rule: try it, with a signal that the calling thread blocks, in a long system call that checks for
// the signal at its end.
// Surviving risk: an expiry in the last thousandth of that call gives the wrong answer.
#pragma once

#include <time.h>

#include <cstdint>

namespace stillframe::os {

enum class TimerContext : uint8_t { kUnknown, kInterrupt, kReturn };

// Tests timers on `clock`, a clock that advances while the calling thread runs. Takes until the
// kernel's next tick: a few milliseconds of CPU time, at most 50. The thread must block SIGPROF.
// Context: start-up only
TimerContext FindTimerContext(clockid_t clock);

}  // namespace stillframe::os
