// SPDX-License-Identifier: Apache-2.0
// SIGQUIT, with which Android announces an ANR, seen on the Signal Catcher's own thread.
//
// Problem: ART's Signal Catcher waits for SIGQUIT with sigwait and suspends everything when it
// comes. A dump wants a look at the process before that, and the catcher must get its signal
// whatever becomes of the dump. Rule: a few lines of ours stand between the kernel and the runtime
// on that very thread: they count the signal, wake the collector, stay for kHeadStartNs, and hand
// the signal over, with address space that was kept for its trace. They need no other thread, lock,
// descriptor, file or memory. There is no handler
// for SIGQUIT and no thread's mask changes, so whoever else takes it keeps it. Measured against: a
// handler on the main thread loses the trace while that thread is in uninterruptible sleep; a
// signalfd races the catcher for the signal.
//
// The lines are reached in two ways: by libart's slot for sigwait (runtime/signal_set.h, ART 8 to
// 16), and for the wait that the catcher was in before, by a signal to it once, whose handler waits
// in its place. Surviving risk: a catcher that blocks that signal is seen from its second SIGQUIT
// on; the first one is noticed by its report.
#pragma once

#include <signal.h>

#include <cstdint>

#include "src/core/guarded_memory.h"
#include "src/core/waker.h"

namespace stillframe::sigquit {

class CatcherWatch {
 public:
  static constexpr uint64_t kHeadStartNs = 20'000'000;

  struct Setup {
    const core::Waker* waker;  // of the collector, woken for each SIGQUIT
    // A SIGQUIT that comes sooner after another one gets no head start: it gives no dump.
    uint64_t gap_ns;
  };
  // From here on SIGQUITs are counted and held for a moment. Context: start-up only
  static void Start(const Setup& setup);

  // What libart is to call instead of `original`, its sigwait. `has_64_bits`: the function is
  // bionic's sigwait64. Once per process. Context: start-up only
  static uintptr_t Replacement(uintptr_t original, bool has_64_bits);

  // Waits in the place of the thread `catcher`, which is inside sigwait: tells it so by a SIGPROF
  // of its own, again for 1 s while the thread does something else. False when it still does, or
  // does not answer within 2 s. No handler of SIGPROF remains unless the signal did not arrive.
  // Context: start-up only, before the sampler installs its handler
  static bool TakeOverWait(int32_t catcher, core::SigactionFunction kernel_sigaction);

  // How many came so far. Context: any thread
  static unsigned arrivals();

  // In the child of a fork, whose catcher is not ours. Context: the only thread
  static void Forget();
};

}  // namespace stillframe::sigquit
