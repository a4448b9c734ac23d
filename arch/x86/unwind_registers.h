// SPDX-License-Identifier: Apache-2.0
// The registers of call frame information, by DWARF number.
// Source: System V ABI, Intel386 supplement, table 2.14.
// Context: signal
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "arch/x86/guarded_load.h"
#include "arch/x86_return_address.h"

namespace stillframe::arch {

constexpr uint32_t kDwarfRegisters = 9;
constexpr uint32_t kDwarfSp = 4;
constexpr uint32_t kDwarfPc = 8;  // the return address column

// DWARF numbers by the number in an instruction.
constexpr uint8_t kEncodingOrder[8] = {0, 1, 2, 3, 4, 5, 6, 7};

struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return values[kDwarfPc]; }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

// Index in the kernel's context, by DWARF number.
constexpr int kContextOrder[kDwarfRegisters] = {REG_EAX, REG_ECX, REG_EDX, REG_EBX, REG_ESP,
                                                REG_EBP, REG_ESI, REG_EDI, REG_EIP};

inline void FillUnwindRegisters(const ucontext_t& context, UnwindRegisters* registers) {
  for (uint32_t i = 0; i < kDwarfRegisters; ++i)
    registers->values[i] = static_cast<uintptr_t>(context.uc_mcontext.gregs[kContextOrder[i]]);
}

inline void StoreUnwindRegisters(const UnwindRegisters& registers, ucontext_t* context) {
  for (uint32_t i = 0; i < kDwarfRegisters; ++i)
    context->uc_mcontext.gregs[kContextOrder[i]] = static_cast<greg_t>(registers.values[i]);
}

// Signal frames are not read on this CPU.
inline bool IsSignalReturn(uintptr_t) { return false; }
inline bool LoadInterruptedRegisters(uintptr_t, UnwindRegisters*) { return false; }

// Whether pc is at the jump of a procedure linkage stub (System V ABI, "Procedure Linkage Table").
// Linkers may leave those undescribed.
inline bool IsLinkageStub(uintptr_t pc) {
  uint8_t b[2] = {};
  return GuardedLoad8(pc, &b[0]) && GuardedLoad8(pc + 1, &b[1]) && b[0] == 0xff &&
         (b[1] == 0x25 || b[1] == 0xa3);
}

// Progress of a function with a frame pointer, from the bytes around pc.
enum class FramePointer { kNotYet, kPushed, kSetUp, kGone };

inline FramePointer FramePointerAt(uintptr_t pc) {
  constexpr uint32_t kBehind = 1;
  constexpr uint32_t kAhead = 16;
  uint8_t bytes[kBehind + kAhead + 2] = {};
  for (uint32_t i = 0; i < sizeof bytes; ++i)
    if (!GuardedLoad8(pc - kBehind + i, &bytes[i])) break;
  for (uint32_t i = 0; i + 2 < sizeof bytes; ++i) {
    const bool sets_up = bytes[i] == 0x55 && bytes[i + 1] == 0x89 && bytes[i + 2] == 0xe5;
    if (sets_up) return i < kBehind ? FramePointer::kPushed : FramePointer::kNotYet;
  }
  uint32_t at = kBehind;
  while (at + 2 < sizeof bytes && bytes[at] == 0x31) at += 2;  // xor: what the caller is not to see
  return bytes[at] == 0xc3 ? FramePointer::kGone : FramePointer::kSetUp;
}

// Steps out of a C function of the vDSO. Linux builds it without call frame information but with
// frame pointers (Linux 6.1 arch/x86/entry/vdso/Makefile, KBUILD_CFLAGS_32). False for other code.
inline bool StepVdsoFrame(UnwindRegisters* registers) {
  constexpr uint32_t kFramePointer = 5;
  constexpr uintptr_t kMaxFrameBytes = 1024;
  const uintptr_t sp = registers->sp();
  const FramePointer how_far = FramePointerAt(registers->pc());
  uintptr_t at = sp;  // of the return address
  uintptr_t caller_frame = registers->values[kFramePointer];
  if (how_far == FramePointer::kSetUp) {
    at = caller_frame + sizeof(uintptr_t);
    if (!GuardedLoad32(caller_frame, &caller_frame)) return false;
  } else if (how_far == FramePointer::kPushed) {
    at = sp + sizeof(uintptr_t);
  }
  uintptr_t return_address = 0;
  if (at - sp > kMaxFrameBytes || !GuardedLoad32(at, &return_address) ||
      !FollowsCall(return_address))
    return false;
  registers->values[kFramePointer] = caller_frame;
  registers->values[kDwarfSp] = at + sizeof(uintptr_t);
  registers->values[kDwarfPc] = return_address;
  return true;
}

// Other code without call frame information is not unwound on this CPU.
inline bool StepUndescribedFrame(bool, UnwindRegisters*) { return false; }

}  // namespace stillframe::arch
