// SPDX-License-Identifier: Apache-2.0
// The registers of call frame information, by DWARF number.
// Source: DWARF for the Arm 64-bit Architecture (ABI 2023Q3), section 4.1.
// Context: signal
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "arch/aarch64/guarded_load.h"
#include "arch/aarch64/registers.h"
#include "arch/call_before.h"

namespace stillframe::arch {

constexpr uint32_t kDwarfRegisters = 33;
constexpr uint32_t kDwarfSp = 31;
constexpr uint32_t kDwarfPc = 32;
constexpr uint32_t kLinkRegister = 30;  // x30, the column of return addresses

struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return values[kDwarfPc]; }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

inline void FillUnwindRegisters(const ucontext_t& context, UnwindRegisters* registers) {
  for (uint32_t i = 0; i < kDwarfSp; ++i) registers->values[i] = context.uc_mcontext.regs[i];
  registers->values[kDwarfSp] = context.uc_mcontext.sp;
  registers->values[kDwarfPc] = context.uc_mcontext.pc;
}

inline void StoreUnwindRegisters(const UnwindRegisters& registers, ucontext_t* context) {
  for (uint32_t i = 0; i < kDwarfSp; ++i) context->uc_mcontext.regs[i] = registers.values[i];
  context->uc_mcontext.sp = registers.values[kDwarfSp];
  context->uc_mcontext.pc = registers.values[kDwarfPc];
}

// Whether pc is the kernel's return from a signal handler: mov x8, 139 (rt_sigreturn); svc 0 (Linux
// arch/arm64/kernel/vdso/sigreturn.S; glibc and bionic have none of their own).
inline bool IsSignalReturn(uintptr_t pc) {
  uint32_t number = 0;
  uint32_t call = 0;
  return GuardedLoad32(pc, &number) && number == 0xd2801168 && GuardedLoad32(pc + 4, &call) &&
         call == 0xd4000001;
}

// Stack pointer after the return of a signal handler. 0: the kernel did not call the handler;
// another handler did. The kernel's frame begins with `info`. Hazard: clang takes the frame pointer
// for the CFA on this CPU.
inline uintptr_t StackAfterHandler(uintptr_t, uintptr_t return_address, const siginfo_t* info,
                                   const void*) {
  return IsSignalReturn(return_address) ? reinterpret_cast<uintptr_t>(info) : 0;
}

// Loads the interrupted registers from the kernel's signal frame, which begins at `sp` (Linux
// arch/arm64/kernel/signal.c, struct rt_sigframe).
inline bool LoadInterruptedRegisters(uintptr_t sp, UnwindRegisters* registers) {
  const uintptr_t machine = sp + sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext);
  for (uint32_t i = 0; i < kDwarfSp; ++i)
    if (!GuardedLoad64(machine + offsetof(mcontext_t, regs) + i * sizeof(uint64_t),
                       &registers->values[i]))
      return false;
  return GuardedLoad64(machine + offsetof(mcontext_t, sp), &registers->values[kDwarfSp]) &&
         GuardedLoad64(machine + offsetof(mcontext_t, pc), &registers->values[kDwarfPc]);
}

// Whether the instruction before a return address is a call; rejects words that only look like
// return addresses. Source: Arm ARM, C6.2: BL, BLR, BLRA*. The load of an implicit suspend check is
// one: when it faults, ART's handler puts the address behind it into x30 and continues in
// art_quick_implicit_suspend (ART 14 runtime/arch/arm64/fault_handler_arm64.cc,
// SuspensionHandler::Action).
inline CallBefore ReadCallBefore(uintptr_t return_address) {
  uint32_t before = 0;
  if (!GuardedLoad32(CodeAddress(return_address) - 4, &before)) return CallBefore::kUnreadable;
  constexpr uint32_t kSuspendCheck = 0xf94002b5;  // ldr x21, [x21]
  const bool is_call = (before & 0xfc000000) == 0x94000000 || (before & 0xfffffc1f) == 0xd63f0000 ||
                       (before & 0xfefff800) == 0xd63f0800 || before == kSuspendCheck;
  return is_call ? CallBefore::kYes : CallBefore::kNo;
}

inline bool FollowsCall(uintptr_t return_address) {
  return ReadCallBefore(return_address) == CallBefore::kYes;
}

// ART's stub that a method returns to while its calls are traced, without a call before it (ART 8
// to 13 runtime/arch/arm64/quick_entrypoints_arm64.S, art_quick_instrumentation_exit): mov x30, #0,
// and the allocation of SETUP_SAVE_EVERYTHING_FRAME.
inline bool IsInstrumentationExit(uintptr_t return_address) {
  uint32_t clear = 0;
  uint32_t room = 0;
  return GuardedLoad32(return_address, &clear) && clear == 0xd280001e &&
         GuardedLoad32(return_address + 4, &room) && room == 0xd10803ff;
}

// Target of the direct call before a return address; 0: not a direct call.
inline uintptr_t DirectCallTarget(uintptr_t return_address) {
  const uintptr_t call = CodeAddress(return_address) - 4;
  uint32_t code = 0;
  if (!GuardedLoad32(call, &code) || (code & 0xfc000000) != 0x94000000) return 0;
  return call + static_cast<uintptr_t>(intptr_t{static_cast<int32_t>(code << 6) >> 4});
}

constexpr uint32_t kLandingPad = 0xd503245f;  // bti c

// Whether pc is in a procedure linkage stub (AAELF64, "Procedure linkage table"): adrp x16, ldr
// x17, add x16, br x17. Linkers may leave those undescribed. With branch protection bti c is in
// front of the adrp, and autia1716 in front of the br (LLVM lld/ELF/Arch/AArch64.cpp,
// AArch64BtiPac).
inline bool IsLinkageStub(uintptr_t pc) {
  constexpr uint32_t kAuthenticate = 0xd503219f;
  constexpr uint32_t kBranch = 0xd61f0220;
  uint32_t at = 0;
  if (!GuardedLoad32(pc, &at)) return false;
  const uint32_t first = at;
  if ((first == kLandingPad || first == kAuthenticate) && !GuardedLoad32(pc + 4, &at)) return false;
  const bool is_begin = (at & 0x9f00001f) == 0x90000010;
  if (first == kLandingPad) return is_begin;
  if (first == kAuthenticate) return at == kBranch;
  return is_begin || (at & 0xffc003ff) == 0xf9400211 || (at & 0xffc003ff) == 0x91000210 ||
         at == kBranch;
}

// Whether pc is where ART's long jump has loaded the registers of another frame, but not yet its
// stack pointer (ART 11 and 14 runtime/arch/arm64/quick_entrypoints_arm64.S,
// art_quick_do_long_jump): no call frame information says so. Up to two loads are before the move.
inline bool IsInLongJump(uintptr_t pc) {
  constexpr uint32_t kMoveToSp = 0x9100021f;  // mov sp, x16
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t code = 0;
    if (!GuardedLoad32(pc + i * sizeof code, &code)) return false;
    if (code == kMoveToSp) return true;
    if ((code & 0x0a000000) != 0x08000000) return false;  // loads and stores
  }
  return false;
}

// The vDSO's frames are unwound by call frame information alone.
inline bool StepVdsoFrame(UnwindRegisters*) { return false; }

// Other code without call frame information is not unwound on this CPU either.
inline bool StepUndescribedFrame(bool, UnwindRegisters*) { return false; }

}  // namespace stillframe::arch
