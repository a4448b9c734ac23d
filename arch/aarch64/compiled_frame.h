// SPDX-License-Identifier: Apache-2.0
// Finds the return address of a compiled method on aarch64. It runs the instructions between
// prologue and pc, or between pc and return.
// Source: ART 11.0.0_r48 and 14.0.0_r15 compiler/optimizing/code_generator_arm64.cc,
// GenerateFrameEntry and GenerateFrameExit. One instruction makes the whole frame. Stores of
// registers follow; x30 goes into the highest word. The epilogue is the reverse, then ret. Until
// x30 is stored, and after the frame is dropped, the return address is in x30 alone.
// Context: signal
#pragma once

#include <cstdint>
#include <initializer_list>

#include "arch/aarch64/guarded_load.h"
#include "arch/aarch64/memory_access.h"
#include "arch/aarch64/unwind_registers.h"
#include "arch/caller_place.h"

namespace stillframe::arch {

// Compiled code does not move the stack pointer within a method's body.
constexpr uint32_t kMaxScratchBytes = 0;

// Tracks the effect of instructions on the stack pointer and on x30. It knows the forms that ART's
// assembler uses for frames. Any other instruction that could change either one ends the run.
// Source: Arm Architecture Reference Manual, C4.1 (encodings) and C6.2: ADD, SUB, MOVZ, MOVN, LDR,
// STR, LDP, STP in all their addressing modes. VIXL's src/aarch64/macro-assembler-aarch64.cc puts
// sizes and addresses that do not fit an instruction into x16 and x17.
class FrameCode {
 public:
  enum class Next {
    kOn,
    kJump,  // may go elsewhere
    kReturn,
    kLost,  // a call, not an instruction, or the stack pointer or x30 is unknown from here on
  };

  // Runs the instruction at `pc`.
  Next Run(uintptr_t pc) {
    uint32_t code = 0;
    if (pc % 4 != 0 || !GuardedLoad32(pc, &code)) return Next::kLost;
    if ((code & 0x1c000000) == 0x10000000) return Compute(code);
    if ((code & 0x1c000000) == 0x14000000) return Branch(code);
    if ((code & 0x0e000000) == 0x0a000000) return Compute(code);
    if ((code & 0x0e000000) == 0x0e000000) return Next::kOn;  // floating point and vectors
    if (IsLoadOrStore(code)) return Transfer(code);
    return Next::kLost;
  }

  // bytes, relative to the stack pointer at the start of the run
  int64_t sp() const { return registers_[kSp].value; }

  // Whether x30 was stored on the stack or loaded from it. link_at: bytes from the first stack
  // pointer.
  bool HasStoredLink() const { return has_stored_link_; }
  bool HasLoadedLink() const { return has_loaded_link_; }
  int64_t link_at() const { return link_at_; }

 private:
  // Value of a register: a number, or a distance from the first stack pointer.
  struct Value {
    bool is_known = false;
    bool is_on_stack = false;
    int64_t value = 0;
  };

  enum Slot : uint32_t { kSp, kX16, kX17, kSlots };

  // Slot of a register; number 31 is the stack pointer. kSlots: the register is not tracked.
  static uint32_t SlotOf(uint32_t number) {
    switch (number) {
      case 16: return kX16;
      case 17: return kX17;
      case 31: return kSp;
      default: return kSlots;
    }
  }
  Value Read(uint32_t number) const {
    const uint32_t slot = SlotOf(number);
    return slot != kSlots ? registers_[slot] : Value{};
  }
  Next Write(uint32_t number, const Value& value) {
    const uint32_t slot = SlotOf(number);
    if (slot != kSlots) registers_[slot] = value;
    const bool is_lost = number == kLinkRegister || !registers_[kSp].is_on_stack;
    return is_lost ? Next::kLost : Next::kOn;
  }
  // Makes a register unknown. Number 31 is the zero register here.
  Next Overwrite(uint32_t number) { return number == 31 ? Next::kOn : Write(number, {}); }

  static Value Sum(const Value& a, int64_t b, bool is_subtraction) {
    return {a.is_known, a.is_on_stack, is_subtraction ? a.value - b : a.value + b};
  }

  static Next Branch(uint32_t code) {
    constexpr uint32_t kBranchWithLink = 0x94000000;
    if ((code & 0xffc00000) == 0xd5000000) return Next::kOn;  // hints, barriers, system registers
    if ((code & 0xfffffbff) == 0xd65f0bff || code == 0xd65f03c0) return Next::kReturn;
    if ((code & 0xff000000) == 0xd4000000 || (code & 0xfc000000) == kBranchWithLink ||
        (code & 0xfe600000) == 0xd6200000)
      return Next::kLost;
    return Next::kJump;
  }

  Next Compute(uint32_t code) {
    const uint32_t target = code & 31;
    const Value source = Read(code >> 5 & 31);
    const bool is_wide = code >> 31 != 0;
    const bool is_subtraction = (code & 0x40000000) != 0;
    const bool sets_flags = (code & 0x20000000) != 0;
    if ((code & 0x1f800000) == 0x11000000) {  // add, sub: immediate
      const int64_t immediate = int64_t{code >> 10 & 0xfff} << ((code & 0x00400000) != 0 ? 12 : 0);
      if (sets_flags || !is_wide) return sets_flags ? Overwrite(target) : Write(target, {});
      return Write(target, Sum(source, immediate, is_subtraction));
    }
    if ((code & 0x1fe00000) == 0x0b200000) {  // add, sub: register, extended
      const Value second = Read(code >> 16 & 31);
      const bool is_known = is_wide && (code & 0x6000) == 0x6000 && (code >> 16 & 31) != 31 &&
                            second.is_known && !second.is_on_stack;
      if (sets_flags || !is_known) return sets_flags ? Overwrite(target) : Write(target, {});
      return Write(target, Sum(source, second.value << (code >> 10 & 7), is_subtraction));
    }
    if ((code & 0x1f800000) == 0x12800000) {  // movn, movz, movk
      const int64_t number = int64_t{code >> 5 & 0xffff} << (code >> 17 & 0x30);
      if (!is_wide || sets_flags || target == 31) return Overwrite(target);
      return Write(target, {true, false, is_subtraction ? number : ~number});
    }
    // and, orr, eor: immediate. Others read 31 as zero.
    const bool is_logical = (code & 0x1f800000) == 0x12000000 && (code & 0x60000000) != 0x60000000;
    return is_logical ? Write(target, {}) : Overwrite(target);
  }

  Next Transfer(uint32_t code) {
    const MemoryAccess access = ReadMemoryAccess(code);
    const uint32_t base_number = code >> 5 & 31;
    if (access.bytes == 0) {
      const bool is_literal = (code & 0x3b000000) == 0x18000000;
      const bool is_indexed = (code & 0x3b200c00) == 0x38200800;
      const bool may_write_stack = !is_literal && !is_indexed && base_number == 31;
      if (may_write_stack) return Next::kLost;
      return access.is_vector ? Next::kOn : Overwrite(code & 31);
    }
    const Value base = Read(base_number);
    int64_t at = base.value + (access.is_post ? 0 : access.offset);
    for (const uint32_t number : {code & 31, code >> 10 & 31}) {
      if (!access.is_vector && !TransferRegister(access, number, base.is_on_stack, at))
        return Next::kLost;
      if (!access.is_pair) break;
      at += access.bytes;
    }
    return access.writes_back ? Write(base_number, Sum(base, access.offset, false)) : Next::kOn;
  }

  bool TransferRegister(const MemoryAccess& access, uint32_t number, bool is_on_stack, int64_t at) {
    if (number == kLinkRegister) {
      if (access.is_load && (!is_on_stack || access.bytes != sizeof(uintptr_t))) return false;
      if (is_on_stack) {
        (access.is_load ? has_loaded_link_ : has_stored_link_) = true;
        link_at_ = at;
      }
      return true;
    }
    return !access.is_load || Overwrite(number) == Next::kOn;
  }

  Value registers_[kSlots] = {{true, true, 0}, {}, {}};
  bool has_stored_link_ = false;
  bool has_loaded_link_ = false;
  int64_t link_at_ = 0;
};

enum class FrameState {
  kNone,   // the stack pointer is the caller's
  kMade,   // the frame exists, x30 is not stored yet
  kWhole,  // after the prologue
  kUnknown,
};

// The longest prologue: a class check, the stack probe, and a dozen stores, each with two
// instructions for a distant address.
constexpr uint32_t kMaxPrologueInstructions = 64;
constexpr uint32_t kMaxEpilogueInstructions = 40;

// State of the frame of the method at `begin`, after all instructions before pc. Code before the
// frame may branch: on each path the stack pointer is still the caller's. In a leaf it always is.
inline FrameState ReadFrameState(uintptr_t begin, uintptr_t pc, uint32_t frame_bytes) {
  FrameCode code;
  uintptr_t at = begin;
  for (uint32_t i = 0; at < pc && i < kMaxPrologueInstructions; ++i, at += 4) {
    const FrameCode::Next next = code.Run(at);
    const bool goes_on =
        next == FrameCode::Next::kOn ||
        (code.sp() == 0 && (next == FrameCode::Next::kJump ||
                            (next == FrameCode::Next::kReturn && frame_bytes == 0)));
    if (!goes_on) return FrameState::kUnknown;
    if (code.HasStoredLink()) {
      const bool is_whole = code.link_at() == -int64_t{sizeof(uintptr_t)} && frame_bytes != 0 &&
                            code.sp() == -int64_t{frame_bytes};
      return is_whole ? FrameState::kWhole : FrameState::kUnknown;
    }
  }
  if (code.sp() == 0 && (at == pc || frame_bytes == 0)) return FrameState::kNone;
  return at == pc && code.sp() == -int64_t{frame_bytes} ? FrameState::kMade : FrameState::kUnknown;
}

// Whether the frame at the stack pointer is the method's own and complete. The method at `begin`
// contains pc. The word at the stack pointer names it. At the first instruction and at the return,
// that frame belongs to the caller, which may be the same method.
inline bool IsInFrame(uintptr_t begin, uintptr_t pc, uint32_t frame_bytes) {
  return ReadFrameState(begin, pc, frame_bytes) == FrameState::kWhole &&
         FrameCode().Run(pc) != FrameCode::Next::kReturn;
}

// Finds the caller if pc is in the prologue of the method at `begin`. A leaf without a frame is all
// prologue.
inline bool FindCallerInPrologue(uintptr_t begin, uintptr_t pc, uint32_t frame_bytes,
                                 CallerPlace* place) {
  const FrameState state = ReadFrameState(begin, pc, frame_bytes);
  *place = {state == FrameState::kMade ? frame_bytes : 0, true};
  return state == FrameState::kNone || state == FrameState::kMade;
}

// Finds the caller if no branch is between pc and a return.
inline bool FindCallerInEpilogue(uintptr_t pc, CallerPlace* place) {
  FrameCode code;
  for (uint32_t i = 0; i < kMaxEpilogueInstructions; ++i, pc += 4) {
    const FrameCode::Next next = code.Run(pc);
    if (next == FrameCode::Next::kReturn && code.sp() >= 0 && code.sp() <= INT32_MAX) {
      *place = {static_cast<uint32_t>(code.sp()), !code.HasLoadedLink()};
      return place->is_in_register || code.link_at() == code.sp() - int64_t{sizeof(uintptr_t)};
    }
    if (next != FrameCode::Next::kOn || code.HasStoredLink()) return false;
  }
  return false;
}

// Whether the code begins with a stack allocation: sub sp, sp, #imm, possibly behind a landing pad.
inline bool TakesStack(uintptr_t begin) {
  uint32_t code = 0;
  if (!GuardedLoad32(begin, &code)) return false;
  if (code == kLandingPad && !GuardedLoad32(begin + 4, &code)) return false;
  return (code & 0xffc003ff) == 0xd10003ff;
}

// Whether pc is in a boot image's trampoline into the runtime: ldr x16, [x19, #offset], br x16. The
// called method has not begun (ART 11 and 14 compiler/trampolines/trampoline_compiler.cc,
// arm64::CreateTrampoline).
inline bool IsRuntimeTrampoline(uintptr_t pc) {
  constexpr uint32_t kJump = 0xd61f0200;
  uint32_t code = 0;
  uint32_t before = 0;
  if (!GuardedLoad32(pc, &code)) return false;
  if (code == kJump) return GuardedLoad32(pc - 4, &before) && (before & 0xffc003ff) == 0xf9400270;
  return (code & 0xffc003ff) == 0xf9400270 && GuardedLoad32(pc + 4, &code) && code == kJump;
}

// Whether the prologue before pc stored the method at the stack pointer: x0 alone or in a pair,
// possibly with writeback. Not all prologues do (ART 11 CodeGenerator::RequiresCurrentMethod).
// Without that store, the word there is left over from earlier frames.
inline bool HasStoredMethod(uintptr_t begin, uintptr_t pc) {
  for (uint32_t i = 0; begin < pc && i < kMaxPrologueInstructions; ++i, begin += 4) {
    uint32_t code = 0;
    if (!GuardedLoad32(begin, &code)) return false;
    if ((code & 0xffe00fff) == 0xf8000fe0 || (code & 0xffc003ff) == 0xa98003e0 ||
        code == 0xf90003e0 || (code & 0xffff83ff) == 0xa90003e0)
      return true;
  }
  return false;
}

// Finds the caller if pc is in the body of a method that did not store itself.
inline bool FindCallerInBody(uintptr_t begin, uintptr_t pc, uint32_t frame_bytes,
                             CallerPlace* place) {
  *place = {frame_bytes, false};
  return ReadFrameState(begin, pc, frame_bytes) == FrameState::kWhole;
}

// Size of the frame that was dropped right before pc. For a large frame the instruction before puts
// the size into a register.
inline bool DroppedFrameBytes(uintptr_t pc, uint32_t* bytes) {
  for (const uintptr_t before : {pc - 4, pc - 8}) {
    FrameCode code;
    bool goes_on = true;
    for (uintptr_t at = before; goes_on && at < pc; at += 4)
      goes_on = code.Run(at) == FrameCode::Next::kOn;
    if (!goes_on || code.sp() <= 0 || code.sp() > INT32_MAX) continue;
    *bytes = static_cast<uint32_t>(code.sp());
    return true;
  }
  return false;
}

}  // namespace stillframe::arch
