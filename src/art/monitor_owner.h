// SPDX-License-Identifier: Apache-2.0
// Which thread holds the monitor that another thread is blocked on.
//
// Where monitors are is found at start-up, by one that the checking thread holds itself; what is
// read later is believed only where monitor, object and owner point to each other.
// Surviving risk: an owner that releases the monitor in the same moment is still named.
#pragma once

#include <cstdint>

#include "src/walk/runtime_facts.h"

namespace stillframe::art {

// Fills in facts->monitors from the monitor of `object`, which the thread `self` (art::Thread*,
// with the kernel's id `tid`) holds. False when something is not as expected, or the object has
// just been moved. Context: start-up only
bool ProbeMonitors(uintptr_t runtime, uintptr_t self, int32_t tid, uintptr_t object,
                   walk::RuntimeFacts* facts);

// The kernel's id of the thread that holds the monitor that `thread` (art::Thread*) waits to enter;
// 0 when it is not known. Context: any thread; only guarded loads
int32_t MonitorOwner(const walk::RuntimeFacts& facts, uintptr_t thread);

// The object whose monitor `thread` waits to enter; 0 when there is none. Context as above
uintptr_t MonitorEntered(const walk::RuntimeFacts& facts, uintptr_t thread);

// The object on whose monitor `thread` waits, in Object.wait or Thread.sleep; 0 when it is not
// known. `*wait_at` is where in the `thread_bytes` of a thread that was found, for all threads the
// same, 0 at first. Context as above
uintptr_t MonitorWaitedOn(const walk::RuntimeFacts& facts, uintptr_t thread, uint32_t thread_bytes,
                          uint32_t* wait_at);

}  // namespace stillframe::art
