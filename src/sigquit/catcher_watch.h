// SPDX-License-Identifier: Apache-2.0
// Observes SIGQUIT, by which Android announces an ANR, on the Signal Catcher's own thread.
//
// Problem: ART's Signal Catcher waits for SIGQUIT with sigwait and then suspends all threads. A
// dump must see the process before that, and the catcher must get its signal whatever happens to
// the dump.
// Rule: our code runs between the kernel and the runtime on that thread. It counts the signal,
// wakes the collector, waits for kHeadStartNs, and passes the signal on, with address space
// reserved for the trace. It needs no other thread, lock, descriptor, file or memory. There is no
// handler for SIGQUIT, and no thread's mask changes, so other components still get it. Alternatives
// fail. A handler on the main thread loses the trace while that thread is in uninterruptible sleep.
// A signalfd races the catcher for the signal.
//
// Our code runs through libart's import of sigwait (runtime/signal_set.h, ART 8 to 16). The wait
// that began before is interrupted by one signal to the catcher, whose handler waits in its place.
// Surviving risk: a catcher that blocks this signal is seen from its second SIGQUIT on; the first
// is noticed by its report.
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
    const core::Waker* waker;  // the collector's, woken for each SIGQUIT
    // A SIGQUIT sooner than this after another one is not delayed: it causes no dump.
    uint64_t gap_ns;
  };
  // From now on SIGQUITs are counted and held for a moment. Context: start-up only
  static void Start(const Setup& setup);

  // The function for libart to call instead of `original`, its sigwait. `has_64_bits`: the original
  // is bionic's sigwait64. Once per process. Context: start-up only
  static uintptr_t Replacement(uintptr_t original, bool has_64_bits);

  // Waits in place of the thread `catcher`, which is inside sigwait. Interrupts it by a SIGPROF of
  // its own, repeated for 1 s while the thread is elsewhere. False if it stays elsewhere, or does
  // not answer within 2 s. No SIGPROF handler remains unless the signal is still pending.
  // Context: start-up only, before the sampler installs its handler
  static bool TakeOverWait(int32_t catcher, core::SigactionFunction kernel_sigaction);

  // Number of SIGQUITs so far. Context: any thread
  static unsigned arrivals();

  // For the child of a fork, whose catcher is not ours. Context: the only thread
  static void Forget();
};

}  // namespace stillframe::sigquit
