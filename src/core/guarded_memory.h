// SPDX-License-Identifier: Apache-2.0
// Recovery for the guarded loads of arch/<cpu>/guarded_load.h.
//
// Problem: a walker reads memory that may be gone. Rule: a fault at the address of a guarded load
// continues at its recovery; every other fault goes to the handler that was there before, with the
// mask and flags it asked for. Surviving risk: a component that later installs a kernel-level
// SIGSEGV or SIGBUS handler of its own without chaining takes the recovery away; RecoveryWorks()
// tells.
#pragma once

#include <signal.h>

#include <cstdint>

namespace stillframe::core {

// The C library's own sigaction, not the one a preloaded signal chain interposes (ART's libsigchain
// answers for SIGSEGV itself and never tells the kernel).
using SigactionFunction = int (*)(int, const struct sigaction*, struct sigaction*);

// Installs the recovery for SIGSEGV and SIGBUS. Call when ART's own handlers are in place. Returns
// 0 or errno.
// Context: start-up only
int InstallFaultRecovery(SigactionFunction kernel_sigaction);

// The address of a handler that somebody installed over the recovery, past the signal chain: a
// fault of a guarded load would now reach it. 0 when the recovery is in place, or was never
// installed. Context: collector
uintptr_t ForeignFaultHandler();

// Whether this action is the recovery. Context: signal
bool IsFaultRecovery(const struct sigaction& action);

// Loads through a guarded load from an address that cannot be read. True when the fault was
// recovered. Kills the process when no handler is installed at all: call after InstallFaultRecovery
// only.
// Context: start-up only
bool RecoveryWorks();

}  // namespace stillframe::core
