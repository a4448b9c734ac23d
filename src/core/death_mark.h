// SPDX-License-Identifier: Apache-2.0
// Leaves a mark in a file where the process dies by a fatal signal: a process that is killed
// leaves none.
//
// Problem: who starts next cannot tell a crash from the kills of every day. Rule: a handler under
// the signal chain, behind ART's own, which keeps the faults that it handles, writes eight bytes
// and hands on; where the process lives on and the signal would come here again, they are taken
// back. Faults in our own code are marked by the recovery, which comes first. What another process
// sends is a kill, wherever it interrupts the thread. Surviving risk: who
// installs a handler later and never hands on hides deaths that are not in our code; who leaves a
// handler by longjmp leaves the mark, until UnmarkOld.
#pragma once

#include <signal.h>

#include <cstdint>

#include "src/core/guarded_memory.h"

namespace stillframe::core {

struct DeathFile {
  int fd = -1;
  // Of the file: the number may be another's by then.
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t offset = 0;
  uint64_t mark = 0;  // what is written, but for the low kDeathBits
  // Our library's; 0 and 0: it is not one of its own.
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
};

constexpr uint64_t kDeathSignalBits = 0xff;
constexpr uint64_t kDeathIsOurs = 0x100;
constexpr uint64_t kDeathIsLate = 0x200;     // after the time that SetHealthyAt has told
constexpr uint64_t kDeathInHandler = 0x400;  // of SIGPROF
constexpr uint64_t kDeathBits = 0x7ff;

// From here on deaths of this process are marked. `chain_sigaction` is that of the signal chain,
// where there is one. Once per process, before InstallFaultRecovery.
// Context: start-up only
void WatchForDeath(const DeathFile& file, SigactionFunction chain_sigaction,
                   SigactionFunction kernel_sigaction);

// From this time on, by CLOCK_MONOTONIC, the process is healthy, without anybody to wake up for it.
void SetHealthyAt(uint64_t at_ns);

// Takes a mark back that is older than `age_ns`: the process lives.
void UnmarkOld(uint64_t age_ns);

// Whether another process sent this signal. For kKillNs nothing is marked then: what the process
// dies of meanwhile follows from it, as where a runtime meets a fault that is none, and aborts.
bool NoteKill(const siginfo_t& info);
constexpr uint64_t kKillNs = 10'000'000'000;

// For the recovery. Marks a fault at `pc` if that is our code.
bool MarkDeathInOurCode(int signal, uintptr_t pc);
// The handlers before ours returned. Takes the mark back if the signal would come here again.
void UnmarkIfAlive(int signal);

}  // namespace stillframe::core
