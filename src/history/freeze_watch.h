// SPDX-License-Identifier: Apache-2.0
// Distinguishes a frozen process from a thread that only waited long.
//
// Problem: a frozen process (SIGSTOP, cgroup freezer, suspended device) looks like an hour-long
// message.
// Rule: the collector says how long it sleeps. The process was frozen if the collector wakes much
// later, with little run-queue wait of its own, and the main thread used no more CPU than the sleep
// allows. A suspended device shows in CLOCK_BOOTTIME, which continues while CLOCK_MONOTONIC is
// stopped.
// Remaining risks: if the kernel does not report run-queue wait, a starved process looks frozen. A
// freeze that begins while the collector works is missed: its system calls may take as long.
#pragma once

#include <cstdint>

namespace stillframe::history {

class FreezeWatch {
 public:
  struct Clocks {
    uint64_t monotonic_ns;
    uint64_t boottime_ns;
  };
  // Each is a system call or two.
  struct Usage {
    uint64_t main_cpu_ns;      // main thread only: the process's sums up all threads
    int64_t runqueue_wait_ns;  // of the collector; -1: unknown
  };
  struct Freeze {
    uint64_t start_ns;  // CLOCK_MONOTONIC
    uint64_t end_ns;    // device suspended: start_ns plus that time
    uint64_t lost_ns;   // of CLOCK_MONOTONIC, which stops during suspend
  };

  explicit FreezeWatch(uint64_t least_ns) : least_ns_(least_ns) {}

  // Whether the usage must be read before a sleep that begins now. Several short sleeps share one:
  // it may be a twentieth of the shortest freeze old.
  bool NeedsUsage(const Clocks& now) const;
  void Note(const Clocks& now, const Usage& usage);
  // Call before the collector sleeps. UINT64_MAX: until it is woken.
  void BeforeSleep(const Clocks& now, uint64_t sleep_ns);
  // Call afterwards. False: there was no freeze.
  bool IsLate(const Clocks& now) const;
  // If it is late: true if the process was frozen or the device suspended for at least least_ns.
  bool WasFrozen(const Clocks& now, const Usage& usage, Freeze* freeze);

 private:
  uint64_t SuspendedNs(const Clocks& now) const;

  uint64_t least_ns_;
  Clocks before_ = {};
  uint64_t expected_ns_ = UINT64_MAX;
  Usage usage_ = {};
  uint64_t usage_ns_ = 0;  // when it was read; 0: never
};

}  // namespace stillframe::history
