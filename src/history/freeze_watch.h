// SPDX-License-Identifier: Apache-2.0
// Tells a process that was not run from a thread that only waited long.
//
// A frozen process (SIGSTOP, the cgroup freezer, a sleeping device) looks like a message of an
// hour. Rule: the collector says until when it sleeps. Where it wakes much later, the main thread
// used no more CPU than the sleep took, and the collector had little run-queue wait, nobody was
// run. A
// device that slept shows by CLOCK_BOOTTIME, which went on while CLOCK_MONOTONIC stood. Surviving
// risk: where the kernel does not tell how long a thread waited for a CPU, a starved process is
// taken for a frozen one.
#pragma once

#include <cstdint>

namespace stillframe::history {

class FreezeWatch {
 public:
  struct Reading {
    uint64_t monotonic_ns;
    uint64_t boottime_ns;
    uint64_t main_cpu_ns;  // of the main thread: the process's would be added up over all of them
    int64_t runqueue_wait_ns;  // of the collector's thread; -1: not known
  };
  struct Freeze {
    uint64_t start_ns;  // CLOCK_MONOTONIC
    uint64_t end_ns;    // start plus the time asleep, when the device slept
    uint64_t lost_ns;   // of CLOCK_MONOTONIC, which stands while the device sleeps
  };

  explicit FreezeWatch(uint64_t least_ns) : least_ns_(least_ns) {}

  // Before the collector sleeps; UINT64_MAX: until it is woken.
  void BeforeSleep(const Reading& now, uint64_t sleep_ns);
  // After it. True when the process or the device stood still for least_ns or longer.
  bool AfterSleep(const Reading& now, Freeze* freeze);

 private:
  uint64_t least_ns_;
  Reading before_ = {};
  uint64_t expected_ns_ = UINT64_MAX;
};

}  // namespace stillframe::history
