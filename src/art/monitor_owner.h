// SPDX-License-Identifier: Apache-2.0
// Finds the thread that holds the monitor on which another thread is blocked.
//
// The location of monitors is found at start-up, by a monitor that the checking thread holds. Later
// results count only if monitor, object and owner point to each other. Surviving risk: an owner
// that releases the monitor at this moment is still named.
#pragma once

#include <cstdint>

#include "src/walk/runtime_facts.h"

namespace stillframe::art {

// Fills facts->monitors from the monitor of `object`, held by the thread `self` (art::Thread*,
// kernel id `tid`). False for unexpected data, or if the object has just
// moved. Context: start-up only
bool ProbeMonitors(uintptr_t runtime, uintptr_t self, int32_t tid, uintptr_t object,
                   walk::RuntimeFacts* facts);

// Kernel id of the thread that holds the monitor that `thread` (art::Thread*) waits to enter; 0:
// unknown. Context: any thread; only guarded loads
int32_t MonitorOwner(const walk::RuntimeFacts& facts, uintptr_t thread);

// The object whose monitor `thread` waits to enter; 0: none. Context as above
uintptr_t MonitorEntered(const walk::RuntimeFacts& facts, uintptr_t thread);

// The object on whose monitor `thread` waits, in Object.wait or Thread.sleep; 0: unknown.
// `*wait_at`: the field's offset in the `thread_bytes` of a thread, once found, the same for all
// threads; 0 at first. Context as above
uintptr_t MonitorWaitedOn(const walk::RuntimeFacts& facts, uintptr_t thread, uint32_t thread_bytes,
                          uint32_t* wait_at);

}  // namespace stillframe::art
