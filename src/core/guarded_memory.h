// SPDX-License-Identifier: Apache-2.0
// Recovery for the guarded loads of arch/<cpu>/guarded_load.h.
//
// Problem: a walker reads memory that may be gone. Crash reporters install handlers of their own:
// ART's libsigchain keeps SIGSEGV for itself, but passes SIGBUS on to the kernel wherever ART has
// not claimed it (art/sigchainlib/sigchain.cc, runtime/fault_handler.cc).
// Rule: a fault at the address of a guarded load continues at its recovery; every other fault goes
// to the handler that was there before, with the mask and flags it asked for. Where another handler
// was installed since, KeepFaultRecovery puts ours in front of it. Each time it is another function
// of ours, so that a handler that hands on to the one that it replaced reaches what was before
// that. Remaining risk: until KeepFaultRecovery is called again, the new handler gets the fault of
// a guarded load. A handler of SIGSEGV that is installed and followed by EnsureFrontOfChain before
// that is lost to the chain, which has ours instead.
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

// How the recovery stands.
struct FaultRecovery {
  // False: a fault of a guarded load would reach another handler, which ours cannot go in front of.
  bool is_in_place = true;
  uintptr_t foreign = 0;    // that handler; 0: the default action
  uintptr_t overtaken = 0;  // a handler that ours went in front of in this call, or 0
};

// Looks which handlers the kernel has, and puts the recovery in front again: of any SIGBUS handler
// kMostTimesInFront times in a process, of SIGSEGV's only where it is the signal chain itself
// (EnsureFrontOfChain, which ART calls after each JNI_OnLoad for applications of targetSdk 21 and
// before).
// Context: collector
FaultRecovery KeepFaultRecovery();
// The newest handler that ours went in front of since the last call, or 0. Context: collector
uintptr_t TakeOvertaken();
constexpr uint32_t kMostTimesInFront = 8;

// Whether this action is the recovery. Context: signal
bool IsFaultRecovery(const struct sigaction& action);

// Loads through a guarded load from an address that cannot be read. True when the fault was
// recovered. Kills the process when no handler is installed at all: call after InstallFaultRecovery
// only.
// Context: start-up only
bool RecoveryWorks();

}  // namespace stillframe::core
