// SPDX-License-Identifier: Apache-2.0
// The registers of call frame information, by DWARF number.
// Source: DWARF for the Arm Architecture (ABI 2023Q3), section 4.1.
// Context: signal
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>

#include "arch/arm/frame_pointer.h"
#include "arch/arm/guarded_load.h"
#include "arch/arm/registers.h"
#include "arch/call_before.h"

namespace stillframe::arch {

constexpr uint32_t kDwarfRegisters = 16;
constexpr uint32_t kDwarfSp = 13;
constexpr uint32_t kDwarfPc = 15;  // return addresses are in column 14, lr

// Bit 0 of pc marks Thumb, as in a return address in lr.
struct UnwindRegisters {
  uintptr_t values[kDwarfRegisters];

  uintptr_t pc() const { return CodeAddress(values[kDwarfPc]); }
  uintptr_t sp() const { return values[kDwarfSp]; }
};

inline void FillUnwindRegisters(const ucontext_t& context, UnwindRegisters* registers) {
  const auto& machine = context.uc_mcontext;
  *registers = {{machine.arm_r0, machine.arm_r1, machine.arm_r2, machine.arm_r3, machine.arm_r4,
                 machine.arm_r5, machine.arm_r6, machine.arm_r7, machine.arm_r8, machine.arm_r9,
                 machine.arm_r10, machine.arm_fp, machine.arm_ip, machine.arm_sp, machine.arm_lr,
                 machine.arm_pc | (machine.arm_cpsr >> 5 & 1)}};
}

inline void StoreUnwindRegisters(const UnwindRegisters& registers, ucontext_t* context) {
  auto& machine = context->uc_mcontext;
  const auto& values = registers.values;
  machine.arm_r0 = values[0];
  machine.arm_r1 = values[1];
  machine.arm_r2 = values[2];
  machine.arm_r3 = values[3];
  machine.arm_r4 = values[4];
  machine.arm_r5 = values[5];
  machine.arm_r6 = values[6];
  machine.arm_r7 = values[7];
  machine.arm_r8 = values[8];
  machine.arm_r9 = values[9];
  machine.arm_r10 = values[10];
  machine.arm_fp = values[11];
  machine.arm_ip = values[12];
  machine.arm_sp = values[13];
  machine.arm_lr = values[14];
  machine.arm_pc = CodeAddress(values[15]);
  machine.arm_cpsr = (values[15] & 1) << 5;
}

// Signal frames are not read on this CPU.
inline bool IsSignalReturn(uintptr_t) { return false; }
inline bool LoadInterruptedRegisters(uintptr_t, UnwindRegisters*) { return false; }

// Stack pointer after the return of a signal handler. 0: the kernel did not call the handler;
// another handler did. The kernel's frame begins with `info`. Hazard: clang takes the frame pointer
// for the CFA on this CPU. The kernel's return is mov r7, 173 (rt_sigreturn); svc, in either
// instruction set (Linux arch/arm/kernel/sigreturn_codes.S; bionic and glibc have their own).
inline uintptr_t StackAfterHandler(uintptr_t, uintptr_t return_address, const siginfo_t* info,
                                   const void*) {
  const uintptr_t code = CodeAddress(return_address);
  bool is_return = false;
  if (code == return_address) {
    uint32_t number = 0;
    uint32_t call = 0;
    is_return = GuardedLoad32(code, &number) && number == 0xe3a070ad &&
                GuardedLoad32(code + 4, &call) && call >> 24 == 0xef;
  } else {
    uint16_t first = 0;
    uint16_t second = 0;
    uint16_t third = 0;
    is_return = GuardedLoad16(code, &first) && GuardedLoad16(code + 2, &second) &&
                ((first == 0x27ad && second >> 8 == 0xdf) ||
                 (first == 0xf04f && second == 0x07ad && GuardedLoad16(code + 4, &third) &&
                  third >> 8 == 0xdf));
  }
  return is_return ? reinterpret_cast<uintptr_t>(info) : 0;
}

// Whether the instruction before a return address is a call; rejects words that only look like
// return addresses. Source: Arm ARM, A8.8: BL, BLX; Thumb if bit 0 is set.
inline CallBefore ReadCallBefore(uintptr_t return_address) {
  const uintptr_t code = CodeAddress(return_address);
  bool is_call = false;
  if (code == return_address) {
    uint32_t before = 0;
    if (!GuardedLoad32(code - 4, &before)) return CallBefore::kUnreadable;
    is_call = (before & 0x0f000000) == 0x0b000000 || (before & 0x0ffffff0) == 0x012fff30 ||
              (before & 0xfe000000) == 0xfa000000;
  } else {
    uint16_t first = 0;
    uint16_t second = 0;
    if (!GuardedLoad16(code - 4, &first) || !GuardedLoad16(code - 2, &second))
      return CallBefore::kUnreadable;
    is_call =
        (second & 0xff87) == 0x4780 || ((first & 0xf800) == 0xf000 && (second & 0xc000) == 0xc000);
  }
  return is_call ? CallBefore::kYes : CallBefore::kNo;
}

inline bool FollowsCall(uintptr_t return_address) {
  return ReadCallBefore(return_address) == CallBefore::kYes;
}

// ART's stub that a method returns to while its calls are traced, without a call before it (ART 8
// to 13 runtime/arch/arm/quick_entrypoints_arm.S, art_quick_instrumentation_exit): mov.w lr, #0,
// and the push of SETUP_SAVE_EVERYTHING_FRAME.
inline bool IsInstrumentationExit(uintptr_t return_address) {
  uint32_t clear = 0;
  uint32_t push = 0;
  return GuardedLoad32(CodeAddress(return_address), &clear) && clear == 0x0e00f04f &&
         GuardedLoad32(CodeAddress(return_address) + 4, &push) && push == 0x5fffe92d;
}

// Calls are not decoded and linkage stubs are not detected on this CPU.
inline uintptr_t DirectCallTarget(uintptr_t) { return 0; }
inline bool IsLinkageStub(uintptr_t) { return false; }

// Long jumps are not detected on this CPU.
inline bool IsInLongJump(uintptr_t) { return false; }

// The vDSO's frames are unwound by call frame information alone.
inline bool StepVdsoFrame(UnwindRegisters*) { return false; }

// Steps from code without call frame information to its caller, after the call.
inline bool StepUndescribedFrame(bool is_call, UnwindRegisters* registers) {
  const uintptr_t place = registers->values[is_call ? kA32Lr : kDwarfPc];
  // Bit 0 marks Thumb. For a blocked thread only pc and stack pointer are known.
  if (place != registers->pc() || registers->values[kA32Lr] == 0) return false;
  A32Frame<GuardedLoad32> frame(registers->values);
  return frame.Find(is_call) && FollowsCall(frame.return_address()) &&
         frame.Restore(registers->values);
}

}  // namespace stillframe::arch
