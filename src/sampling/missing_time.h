// SPDX-License-Identifier: Apache-2.0
// The account of a slow message's time that no sample stands for, and what it says of the thread.
//
// Problem: neither source of samples covers all time. A thread that is ready but has no CPU meets
// no timer; a signal that is pending in the kernel, or blocked, comes late or never. Rule: each
// tick owes the tree one sample an interval of wall time. What is owed is told by the thread's CPU
// clock: where it stands, the thread is where it was sampled last; where it moved by more than an
// interval and a kernel tick, a signal is overdue, and tells when it comes. Nothing is guessed: of
// time whose signal cannot come, the tree says that it is missing. Surviving risk: on a CPU that
// is shared, less than an interval of running between two samples is not told from waiting.
// Reads no clock itself.
#pragma once

#include <cstdint>

namespace stillframe::sampling {

class MissingTime {
 public:
  // What the latest tick found of the watched thread. Only kStandsStill is carried into the next.
  enum class State : uint8_t {
    kRunning,          // nothing is owed: its samples come in time
    kStandsStill,      // the last sample is of the thread where it still is; a tick repeats it
    kUnsampled,        // owed one, did not run for it, and has none yet that could be repeated
    kReadyWithoutCpu,  // owed one, did not run for it: it waits to go on where it was sampled last
    kSignalOverdue,    // owed one and ran for it: the pending signal will tell where
    kSignalsBlocked,   // owed one and ran for it, but no signal can come: the sample is missing
  };

  // A slow message begins to be sampled; `cpu_ns` is the thread's CPU clock, as all below.
  void Start(uint64_t now_ns, uint64_t cpu_ns);

  // A signal's sample arrived, pending for `overrun` intervals more than its own.
  struct Settled {
    uint64_t found;    // overdue samples that belong where the signal found the thread
    uint64_t missing;  // overdue before that: nobody knows where
  };
  Settled TakeSignal(uint64_t overrun);
  // After the last of those that were queued.
  void EndSignals(uint64_t cpu_ns) { sample_cpu_ns_ = cpu_ns; }

  // The next tick begins. True when the thread still stands where it was walked: that sample is to
  // be repeated. Otherwise it is to be walked, and HasStopped or HasMoved says how that went.
  bool StillStands(uint64_t cpu_ns);
  // Whether its CPU clock has not moved since the tick began.
  bool StandsSinceTick(uint64_t cpu_ns) const { return cpu_ns == tick_cpu_ns_; }
  void HasStopped(uint64_t cpu_ns);
  void HasMoved() { state_ = State::kRunning; }

  struct Tick {
    uint64_t now_ns;
    uint64_t cpu_ns;
    uint64_t interval_ns;
    uint64_t samples;  // of the message so far
    bool is_silent;    // no signal came for long, and it is known why
  };
  // The tick ends. kReadyWithoutCpu: the last sample is to be repeated. kSignalsBlocked: what
  // TakeOverdue gives is missing.
  State Account(const Tick& tick);
  // After kSignalOverdue: the thread blocks the signal.
  State BlockSignals() { return state_ = State::kSignalsBlocked; }

  // Overdue samples whose signal comes no more: the message ended, or no signal can come.
  uint64_t TakeOverdue();

  bool stands_still() const { return state_ == State::kStandsStill; }

 private:
  State state_ = State::kRunning;
  uint64_t tick_cpu_ns_ = 0;    // at the last tick
  uint64_t sample_cpu_ns_ = 0;  // at the last sample
  // Wall time that no sample stands for yet, up to owed_until_ns_ and the message's owed_samples_.
  int64_t owed_ns_ = 0;
  uint64_t owed_until_ns_ = 0;
  uint64_t owed_samples_ = 0;
  uint64_t overdue_ = 0;  // samples the thread ran for whose signal did not come yet
};

}  // namespace stillframe::sampling
