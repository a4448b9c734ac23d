// SPDX-License-Identifier: Apache-2.0
// Keeps the Signal Catcher's report from waiting for the collector's native stack.
//
// Problem: of each thread in native code, and of each that is not attached, the report has a native
// stack, for which the thread itself is asked by a signal; the catcher waits seconds for the answer
// (AOSP 8 to 11, libbacktrace/BacktraceCurrent.cpp, UnwindThread; from 12 on
// libunwindstack/ThreadUnwinder.cpp), and the whole report comes when the last one is done. A
// collector that waits for the disk in the kernel, or is stopped, would hold it up. Rule: the slot
// for tgkill leads through a function here, by which the collector is not there to be asked. All
// other threads, and other senders of signals, are as without us. Surviving risk: a thread of the
// application's that does not answer holds the report up, as without us.
#pragma once

#include <cstdint>

namespace stillframe::sigquit {

// What the library is to call instead of `original`, its tgkill; `tid` is the thread that is not
// asked. Once per process. Context: start-up only
uintptr_t UnaskedThread(uintptr_t original, int32_t tid);

}  // namespace stillframe::sigquit
