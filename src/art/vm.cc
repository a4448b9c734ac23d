// SPDX-License-Identifier: Apache-2.0
// Waits for the VM.
#include "src/art/vm.h"

#include "src/core/clock.h"
#include "src/os/duration.h"

namespace stillframe::art {

// Looks often at first: a message that begins before the tap is there is not seen from its start.
Vm Vm::AwaitStarted(uint32_t timeout_ms) {
  const uint64_t begin_ns = core::MonotonicNs();
  for (;;) {
    const Vm vm = FindStarted();
    const uint64_t waited_ms = (core::MonotonicNs() - begin_ns) / os::kNsPerMs;
    if (vm.exists() || waited_ms >= timeout_ms) return vm;
    os::SleepMs(waited_ms < 1'000 ? 1 : 20);
  }
}

}  // namespace stillframe::art
