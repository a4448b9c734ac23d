// SPDX-License-Identifier: Apache-2.0
// Accounts for a slow message's time without samples, and what it says about the thread.
//
// Problem: neither source of samples covers all time. A timer on the CPU clock does not reach a
// thread that is ready but has no CPU. A signal that is pending in the kernel, or blocked, comes
// late or never.
// Rule: each tick owes the tree one sample per interval of wall time. The thread's CPU clock
// explains a missing one. Unchanged: the thread is where it was last sampled. Moved by more than
// two intervals and kernel ticks (one interval while signals are known not to come): a signal is
// overdue, and reports the place when it comes. If it cannot come, the tree marks the time as
// missing; nothing is guessed.
// Remaining risk: on a shared CPU, running for less than an interval between two samples looks like
// waiting.
// Reads no clock itself.
#pragma once

#include <cstdint>

namespace stillframe::sampling {

class MissingTime {
 public:
  // Result of the latest tick. Only kBlocked is carried over to the next.
  enum class State : uint8_t {
    kRunning,          // no sample is owed
    kBlocked,          // has not moved since its last sample, which a tick repeats
    kUnsampled,        // owed one, did not run; no sample yet to repeat
    kReadyWithoutCpu,  // owed one, did not run: waits where it was last sampled
    kSignalOverdue,    // owed one, ran: the pending signal will report the place
    kSignalsBlocked,   // owed one, ran, but no signal can come: sample missing
  };

  // Sampling of a slow message begins. `cpu_ns` is the thread's CPU clock, here and below.
  void Start(uint64_t now_ns, uint64_t cpu_ns);

  // A signal's sample arrived, pending for `overrun` intervals beyond its own.
  struct Settled {
    uint64_t found;    // overdue samples that belong where the signal found the thread
    uint64_t missing;  // overdue before that: place unknown
  };
  Settled TakeSignal(uint64_t overrun);
  // Call after the last queued signal.
  void EndSignals(uint64_t cpu_ns) { sample_cpu_ns_ = cpu_ns; }

  // A tick begins. True: the thread has not moved since it was walked, so repeat that sample.
  // False: walk it, and report by HasStopped or HasMoved.
  bool IsStillBlocked(uint64_t cpu_ns);
  // Whether its CPU clock is unchanged since the tick began.
  bool HasNotRunSinceTick(uint64_t cpu_ns) const { return cpu_ns == tick_cpu_ns_; }
  void HasStopped(uint64_t cpu_ns);
  void HasMoved() { state_ = State::kRunning; }

  struct Tick {
    uint64_t now_ns;
    uint64_t cpu_ns;
    uint64_t interval_ns;
    uint64_t samples;  // of the message so far
    bool is_silent;    // no signal for long, with a known reason
  };
  // The tick ends. kReadyWithoutCpu: repeat the last sample. kSignalsBlocked: the samples of
  // TakeOverdue are missing.
  State Account(const Tick& tick);
  // After kSignalOverdue, if the thread blocks the signal.
  State BlockSignals() { return state_ = State::kSignalsBlocked; }

  // Overdue samples without a signal to come: the message ended, or the signal is blocked.
  uint64_t TakeOverdue();

  bool is_blocked() const { return state_ == State::kBlocked; }

 private:
  State state_ = State::kRunning;
  uint64_t tick_cpu_ns_ = 0;    // at the last tick
  uint64_t sample_cpu_ns_ = 0;  // at the last sample
  // Wall time without a sample up to owed_until_ns_, when the message had owed_samples_.
  int64_t owed_ns_ = 0;
  uint64_t owed_until_ns_ = 0;
  uint64_t owed_samples_ = 0;
  uint64_t overdue_ = 0;  // samples the thread ran for, signal not yet arrived
};

}  // namespace stillframe::sampling
