// SPDX-License-Identifier: Apache-2.0
// Recovery for the guarded loads of arch/<cpu>/guarded_load.h.
//
// Problem: a walker reads memory that may be gone. Crash reporters install handlers of their own.
// ART's libsigchain keeps SIGSEGV for itself, but forwards SIGBUS to the kernel unless ART has
// claimed it (art/sigchainlib/sigchain.cc, runtime/fault_handler.cc).
// Rule: a fault at a guarded load continues at its recovery. Every other fault goes to the handler
// before ours, with the mask and flags it asked for. If another handler was installed since,
// KeepFaultRecovery puts ours in front again. Each time it installs a different function of ours. A
// handler that forwards to its predecessor thus reaches what preceded that function.
// Remaining risk: until the next KeepFaultRecovery, a new handler gets the faults of guarded loads.
// If a SIGSEGV handler is installed and EnsureFrontOfChain follows before that call, the chain
// loses the handler and has ours instead.
#pragma once

#include <signal.h>

#include <cstdint>

namespace stillframe::core {

// The C library's own sigaction, not that of a preloaded signal chain. ART's libsigchain answers
// for SIGSEGV itself and never calls the kernel.
using SigactionFunction = int (*)(int, const struct sigaction*, struct sigaction*);

// Installs the recovery for SIGSEGV and SIGBUS. Call after ART has installed its handlers. Returns
// 0 or errno.
// Context: start-up only
int InstallFaultRecovery(SigactionFunction kernel_sigaction);

// State of the recovery.
struct FaultRecovery {
  // False: another handler would get the faults of guarded loads, and ours cannot be put in front.
  bool is_in_place = true;
  uintptr_t foreign = 0;    // address of that handler; 0: the default action
  uintptr_t overtaken = 0;  // a handler that this call put ours in front of; 0: none
};

// Checks the kernel's handlers and puts the recovery in front again. For SIGBUS this works with any
// handler, kMostTimesInFront times in a process. For SIGSEGV it works only if the signal chain
// itself is in front (EnsureFrontOfChain, which ART calls after each JNI_OnLoad for applications of
// targetSdk 21 and before).
// Context: collector
FaultRecovery KeepFaultRecovery();
// The newest handler that ours went in front of since the last call, or 0. Context: collector
uintptr_t TakeOvertaken();
constexpr uint32_t kMostTimesInFront = 8;

// Whether this action is the recovery. Context: signal
bool IsFaultRecovery(const struct sigaction& action);

// Reads an unreadable address through a guarded load. True if the fault was recovered. Without an
// installed handler this kills the process: call only after InstallFaultRecovery.
// Context: start-up only
bool RecoveryWorks();

}  // namespace stillframe::core
