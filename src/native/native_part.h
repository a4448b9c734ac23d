// SPDX-License-Identifier: Apache-2.0
// The native part of a stack: what the innermost managed frame of a thread has called.
//
// Of a thread that stands in a system call the kernel shows pc and sp (/proc/self/task/TID/syscall)
// and no other register. Those that are not known are given the address of a bait, so that what is
// computed from one is told by where it leads; where a frame needs one that no frame inside it has
// saved, the stack is truncated. The thread must stand still meanwhile: the caller compares its CPU
// clock before and after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/unwind/code_modules.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::native {

struct NativePart {
  static constexpr uint32_t kMaxFrames = 128;

  const char* absent = "";  // why there is none; "" when there is, it may be empty
  bool is_truncated = false;
  // Where each frame's code stands, the innermost first: the instruction, in callers the last byte
  // of the call.
  std::vector<uintptr_t> pcs;
};

// Where a thread stands in the kernel.
struct KernelEntry {
  uintptr_t pc = 0;
  uintptr_t sp = 0;
};

// Reads the text of /proc/self/task/TID/syscall. False when the thread runs, or it is none.
bool ParseKernelEntry(const std::string& text, KernelEntry* entry);

enum class KernelPlace { kKnown, kReady, kUnknown };  // kReady: it runs, or waits for a CPU
// Where a thread stands, as far as the kernel says so.
KernelPlace ReadKernelEntry(int32_t tid, KernelEntry* entry);

// As the first ones of a walk from there.
arch::UnwindRegisters RegistersAt(const KernelEntry& entry);

// The lowest address of the innermost managed frame, by the thread's own account, which is right
// outside managed code; 0 when there is none.
uintptr_t InnermostManagedFrame(const walk::RuntimeFacts& facts, uintptr_t thread);

// The frames from `entry` outwards that end below `managed_frame`. `facts`: with the bounds of that
// thread's stack.
NativePart WalkNativePart(const walk::RuntimeFacts& facts, const KernelEntry& entry,
                          uintptr_t managed_frame);

// All of it for one thread. `thread`: its art::Thread.
NativePart ReadNativePart(const walk::RuntimeFacts& facts, int32_t tid, uintptr_t thread);

}  // namespace stillframe::native
