// SPDX-License-Identifier: Apache-2.0
// Writes a mark into a file when the process dies by a fatal signal. A kill leaves no mark.
//
// Problem: the next process cannot distinguish a crash from a routine kill.
// Rule: a handler under the signal chain, behind ART's own, writes eight bytes and forwards the
// signal. ART keeps the faults that it handles itself. If the process survives and our handler is
// still installed, the bytes are taken back. Faults in our own code are marked by the fault
// recovery, which runs first. A signal from another process counts as a kill.
// Surviving risk: a later handler that does not forward hides deaths outside our code. A handler
// left by longjmp leaves the mark until UnmarkOld.
#pragma once

#include <signal.h>

#include <cstdint>

#include "src/core/guarded_memory.h"

namespace stillframe::core {

struct DeathFile {
  int fd = -1;
  // Identify the file: the descriptor's number may be reused for another file.
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t offset = 0;
  uint64_t mark = 0;  // the value to write; its low kDeathBits are added
  // Bounds of our library's code; 0 and 0: it is not a library of its own.
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
};

constexpr uint64_t kDeathSignalBits = 0xff;
constexpr uint64_t kDeathIsOurs = 0x100;
constexpr uint64_t kDeathIsLate = 0x200;     // after the time of SetHealthyAt
constexpr uint64_t kDeathInHandler = 0x400;  // in the handler of SIGPROF
constexpr uint64_t kDeathBits = 0x7ff;

// From now on deaths of this process are marked. `chain_sigaction`: the signal chain's, if there is
// one. Once per process, before InstallFaultRecovery.
// Context: start-up only
void WatchForDeath(const DeathFile& file, SigactionFunction chain_sigaction,
                   SigactionFunction kernel_sigaction);

// From this time (CLOCK_MONOTONIC) on the process counts as healthy. No thread wakes up for it.
void SetHealthyAt(uint64_t at_ns);

// Takes back a mark older than `age_ns`: the process survived.
void UnmarkOld(uint64_t age_ns);

// Whether another process sent this signal. If so, nothing is marked for kKillNs: deaths within
// that time follow from the kill. For example, a runtime aborts when it sees a fault signal without
// a fault.
bool NoteKill(const siginfo_t& info);
constexpr uint64_t kKillNs = 10'000'000'000;

// For the fault recovery. Marks a fault if `pc` is in our code.
bool MarkDeathInOurCode(int signal, uintptr_t pc);
// Called after the handlers before ours returned. Takes the mark back if our handler is still
// installed.
void UnmarkIfAlive(int signal);

}  // namespace stillframe::core
