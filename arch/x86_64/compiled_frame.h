// SPDX-License-Identifier: Apache-2.0
// Finds the return address of a compiled method on x86_64. It reads the instructions between
// prologue and pc, or between pc and return.
// Source: ART 11 compiler/optimizing/code_generator_x86_64.cc, GenerateFrameEntry and
// GenerateFrameExit: stack probe, pushes, one subtraction, stores of float registers and of the
// method; the same backwards, then ret.
// Context: signal
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "arch/caller_place.h"
#include "arch/x86_64/guarded_load.h"
#include "arch/x86_64/unwind_registers.h"

namespace stillframe::arch {

// This CPU has no link register: calls push the return address.
constexpr uint32_t kLinkRegister = kDwarfPc;

// Bytes below the frame that floating point remainders use (ART 11
// compiler/optimizing/code_generator_x86_64.cc, GenerateRemFP).
constexpr uint32_t kMaxScratchBytes = 16;

// One instruction of a prologue or an epilogue.
struct FrameInstruction {
  uint32_t bytes = 0;  // 0: not a frame instruction
  int32_t pushed = 0;  // bytes by which the stack grows
  bool is_return = false;
};

// Length of a ModRM byte with the stack pointer as base, and its displacement; 0: another operand.
inline uint32_t StackOperandBytes(uint8_t modrm, uint8_t sib) {
  if ((modrm & 7) != 4 || sib != 0x24) return 0;
  switch (modrm >> 6) {
    case 0: return 2;
    case 1: return 3;
    case 2: return 6;
    default: return 0;
  }
}

inline FrameInstruction ReadFrameInstruction(uintptr_t pc) {
  uint8_t b[8] = {};
  for (uint32_t i = 0; i < sizeof b; ++i)
    if (!GuardedLoad8(pc + i, &b[i])) break;
  const uint32_t prefix = (b[0] == 0x41 || b[0] == 0x44) ? 1 : 0;
  const uint8_t op = b[prefix];
  if (b[0] != 0x44 && op >= 0x50 && op <= 0x57) return {prefix + 1, 8, false};   // push
  if (b[0] != 0x44 && op >= 0x58 && op <= 0x5f) return {prefix + 1, -8, false};  // pop
  if (b[0] == 0xc3) return {1, -8, true};                                        // ret
  if (b[0] == 0x48 && b[1] == 0x85) {  // test %rax, n(%rsp)
    const uint32_t operand = StackOperandBytes(b[2], b[3]);
    return {operand == 0 ? 0 : 2 + operand, 0, false};
  }
  if (b[0] == 0x48 && (b[1] == 0x83 || b[1] == 0x81) && (b[2] == 0xec || b[2] == 0xc4)) {
    int32_t bytes = static_cast<int32_t>(b[3] ^ 0x80U) - 0x80;  // sign-extended
    uint32_t immediate = 0;
    if (b[1] == 0x81) {
      if (!GuardedLoad32(pc + 3, &immediate)) return {};
      bytes = static_cast<int32_t>(immediate);
    }
    return {b[1] == 0x83 ? 4U : 7U, b[2] == 0xec ? bytes : -bytes, false};  // sub, add
  }
  if (b[0] == 0xf2) {  // movsd between a float register and the stack
    const uint32_t at = b[1] == 0x44 ? 2 : 1;
    const uint32_t operand = StackOperandBytes(b[at + 2], b[at + 3]);
    const bool is_move = b[at] == 0x0f && (b[at + 1] == 0x10 || b[at + 1] == 0x11);
    return {is_move && operand != 0 ? at + 2 + operand : 0, 0, false};
  }
  if (b[0] == 0x48 && b[1] == 0x89 && b[2] == 0x3c && b[3] == 0x24) return {4, 0, false};
  // mov %rdi, %rax: a stub of a @CriticalNative method allocates its arguments and keeps the method
  // (ART 14 compiler/jni/quick/jni_compiler.cc, ArtJniCompileMethodInternal).
  if (b[0] == 0x48 && b[1] == 0x89 && b[2] == 0xf8) return {3, 0, false};
  return {};
}

// Longest prologue or epilogue in instructions: six pushes, twelve float registers and a few more.
constexpr uint32_t kMaxFrameInstructions = 40;

// Whether the frame at the stack pointer is the method's own and complete. The method at `begin`
// contains pc. The word at the stack pointer names it. Always true on this CPU: an incomplete frame
// has the return address or a saved register on top.
inline bool IsInFrame(uintptr_t, uintptr_t, uint32_t) { return true; }

// Finds the caller if pc is in the prologue of the method at `begin`. False elsewhere.
inline bool FindCallerInPrologue(uintptr_t begin, uintptr_t pc, uint32_t, CallerPlace* place) {
  int32_t pushed = 0;
  uintptr_t at = begin;
  for (uint32_t i = 0; at < pc && i < kMaxFrameInstructions; ++i) {
    const FrameInstruction instruction = ReadFrameInstruction(at);
    if (instruction.bytes == 0 || instruction.is_return || instruction.pushed < 0) return false;
    pushed += instruction.pushed;
    at += instruction.bytes;
  }
  *place = {static_cast<uint32_t>(pushed) + uint32_t{sizeof(uintptr_t)}, false};
  return at == pc;
}

// Finds the caller if pc and a return have only frame-dropping instructions between them.
inline bool FindCallerInEpilogue(uintptr_t pc, CallerPlace* place) {
  int32_t popped = 0;
  for (uint32_t i = 0; i < kMaxFrameInstructions; ++i) {
    const FrameInstruction instruction = ReadFrameInstruction(pc);
    if (instruction.bytes == 0 || instruction.pushed > 0) return false;
    popped -= instruction.pushed;
    if (instruction.is_return) {
      *place = {static_cast<uint32_t>(popped), false};
      return true;
    }
    pc += instruction.bytes;
  }
  return false;
}

// Whether pc is after the prologue of the method at `begin`. The prologue must decode up to the
// instruction that completes a frame of `frame_bytes`.
inline bool IsBehindPrologue(uintptr_t begin, uintptr_t pc, uint32_t frame_bytes) {
  auto left = static_cast<int32_t>(frame_bytes) - int32_t{sizeof(uintptr_t)};
  for (uint32_t i = 0; begin < pc && i < kMaxFrameInstructions; ++i) {
    const FrameInstruction instruction = ReadFrameInstruction(begin);
    if (instruction.bytes == 0 || instruction.is_return || instruction.pushed < 0) return false;
    left -= instruction.pushed;
    begin += instruction.bytes;
    if (left <= 0) return left == 0 && begin <= pc;
  }
  return false;
}

// Whether the prologue before pc stored the method at the stack pointer. Not all do (ART 11
// CodeGenerator::RequiresCurrentMethod). Without that store, the word there is left over from
// earlier frames.
inline bool HasStoredMethod(uintptr_t begin, uintptr_t pc) {
  constexpr uint32_t kStore = 0x243c8948;  // mov %rdi, (%rsp)
  for (uint32_t i = 0; begin + sizeof kStore <= pc && i < kMaxFrameInstructions; ++i) {
    uint32_t code = 0;
    const FrameInstruction instruction = ReadFrameInstruction(begin);
    if (instruction.bytes == 0 || !GuardedLoad32(begin, &code)) return false;
    if (code == kStore) return true;
    begin += instruction.bytes;
  }
  return false;
}

// Whether the code begins with a stack allocation: sub $imm8, %rsp.
inline bool TakesStack(uintptr_t begin) {
  uint32_t code = 0;
  return GuardedLoad32(begin, &code) && (code & 0xffffff) == 0xec8348;
}

// Whether pc is at a boot image's trampoline into the runtime, jmp *%gs:offset. The called method
// has not begun (ART 11 dex2oat/linker/oat_writer.cc, InitOatCode).
inline bool IsRuntimeTrampoline(uintptr_t pc) {
  uint32_t code = 0;
  return GuardedLoad32(pc, &code) && code == 0x2524ff65;
}

// Finds the caller if pc is in the body of a method that did not store itself.
inline bool FindCallerInBody(uintptr_t begin, uintptr_t pc, uint32_t frame_bytes,
                             CallerPlace* place) {
  *place = {frame_bytes != 0 ? frame_bytes : uint32_t{sizeof(uintptr_t)}, false};
  return frame_bytes == 0 || IsBehindPrologue(begin, pc, frame_bytes);
}

// Size of the frame that was dropped before pc by an addition to the stack pointer, or by that and
// pops. The result is a guess: x86 instructions cannot be decoded backwards reliably.
inline bool DroppedFrameBytes(uintptr_t pc, uint32_t* bytes) {
  constexpr uint32_t kMaxPops = 6;
  *bytes = 0;
  for (uint32_t i = 0; i <= kMaxPops; ++i) {
    const FrameInstruction wide = ReadFrameInstruction(pc - 7);
    const FrameInstruction narrow = ReadFrameInstruction(pc - 4);
    for (const auto& [instruction, length] : {std::pair{wide, 7U}, std::pair{narrow, 4U}}) {
      if (instruction.bytes == length && instruction.pushed < 0) {
        *bytes += static_cast<uint32_t>(-instruction.pushed);
        return true;
      }
    }
    uint32_t length = 2;
    FrameInstruction pop = ReadFrameInstruction(pc - length);
    if (pop.bytes != length) pop = ReadFrameInstruction(pc - (length = 1));
    if (pop.bytes != length || pop.pushed >= 0 || pop.is_return) return false;
    *bytes += static_cast<uint32_t>(-pop.pushed);
    pc -= length;
  }
  return false;
}

}  // namespace stillframe::arch
