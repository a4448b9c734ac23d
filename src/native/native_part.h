// SPDX-License-Identifier: Apache-2.0
// The native part of a stack: the functions called by a thread's innermost managed frame.
//
// For a thread blocked in a system call, the kernel shows only pc and sp
// (/proc/self/task/TID/syscall). The other registers get the address of a bait, so that any value
// computed from one is recognised. If a frame needs a register that no inner frame has saved, the
// stack is truncated. The thread must not run meanwhile: the caller compares its CPU clock before
// and after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/unwind/code_modules.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::native {

struct NativePart {
  static constexpr uint32_t kMaxFrames = 128;

  const char* absent = "";  // why it is missing; "": present, but may be empty
  bool is_truncated = false;
  // Code positions, innermost first: the instruction; in callers the last byte of the call.
  std::vector<uintptr_t> pcs;
};

// A thread's position at its entry into the kernel.
struct KernelEntry {
  uintptr_t pc = 0;
  uintptr_t sp = 0;
};

// Parses /proc/self/task/TID/syscall. False if the thread runs, or for other text.
bool ParseKernelEntry(const std::string& text, KernelEntry* entry);

enum class KernelPlace { kKnown, kReady, kUnknown };  // kReady: running, or waiting for a CPU
// A thread's position, as far as the kernel shows it.
KernelPlace ReadKernelEntry(int32_t tid, KernelEntry* entry);

// The registers to start a walk with.
arch::UnwindRegisters RegistersAt(const KernelEntry& entry);

// The lowest address of the innermost managed frame, from the thread's structure, which is valid
// outside managed code; 0: none.
uintptr_t InnermostManagedFrame(const walk::RuntimeFacts& facts, uintptr_t thread);

// The frames from `entry` outwards that end below `managed_frame`. `facts` must have the bounds of
// that thread's stack.
NativePart WalkNativePart(const walk::RuntimeFacts& facts, const KernelEntry& entry,
                          uintptr_t managed_frame);

// All of the above for one thread. `thread`: its art::Thread.
NativePart ReadNativePart(const walk::RuntimeFacts& facts, int32_t tid, uintptr_t thread);

}  // namespace stillframe::native
