// SPDX-License-Identifier: Apache-2.0
#include "src/art/vm.h"

#include <unistd.h>

#include "src/core/clock.h"
#include "src/os/duration.h"
#include "src/os/proc.h"

namespace stillframe::art {

// Polls often at first, because a message that begins before the tap exists is not timed from its
// start.
Vm Vm::AwaitStarted(uint32_t timeout_ms) {
  constexpr uint64_t kLookMs = 100;
  const uint64_t begin_ns = core::MonotonicNs();
  uint64_t next_look_ms = 0;
  for (;;) {
    const Vm vm = FindStarted();
    const uint64_t waited_ms = (core::MonotonicNs() - begin_ns) / os::kNsPerMs;
    if (vm.exists() || waited_ms >= timeout_ms || HasForeignRuntime()) return vm;
    if (waited_ms >= next_look_ms) {
      // After its main thread has left, a process ends with its last thread: no VM will come.
      if (os::ThreadHasEnded(getpid())) return vm;
      next_look_ms = waited_ms + kLookMs;
    }
    os::SleepMs(waited_ms < 1'000 ? 1 : 20);
  }
}

}  // namespace stillframe::art
