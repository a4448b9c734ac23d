// SPDX-License-Identifier: Apache-2.0
// Frames of the nterp interpreter.
// Source: ART 11 and 14 runtime/nterp_helpers.cc, runtime/interpreter/mterp/x86_64ng/main.S.
#pragma once

#include <bit>
#include <cstdint>

#include "src/core/dex_pc.h"
#include "src/walk/method_check.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// What all frames of a method have in common.
struct NterpShape {
  uintptr_t instructions;
  uint32_t instruction_count;
  uint32_t least_bytes;      // between the frame and the previous stack pointer, without alignment
  uint16_t reference_words;  // of 4 bytes, below the reference array
  uint16_t method_index;     // of WalkMethodTag; whoever keeps a shape for its method fills it in

  // Offset of the reference array, behind {dex pc, previous stack pointer}.
  uint32_t references() const { return 4U * reference_words; }
};

// False for a method without a readable code item. `last` is what WalkIsMethod left for the method.
bool LoadNterpShape(const Layout& layout, uintptr_t method, LastClass* last, NterpShape* shape);

struct NterpFrame {
  uintptr_t end;  // the caller's frame
  uint32_t dex_pc;
};

// True when a frame of this shape, built below `previous`, begins at `frame`. In 32 bits a small
// word less a large frame may be an address of the stack.
inline bool NterpFrameFits(uintptr_t frame, uintptr_t previous, const NterpShape& shape) {
  return (sizeof(uintptr_t) == 8 || previous > frame) &&
         ((previous - shape.least_bytes) & ~uintptr_t{arch::kStackAlignment - 1}) == frame;
}

// False when `pointer` leads to no instruction of the method.
inline bool NterpDexPc(const NterpShape& shape, uintptr_t pointer, uint32_t* dex_pc) {
  const uintptr_t offset = std::rotr(pointer - shape.instructions, 1);  // half; large if it was odd
  *dex_pc = static_cast<uint32_t>(offset);
  return offset < shape.instruction_count;
}

// Reads the frame at `frame`, with the dex pc that nterp stored when it called out. False when it
// does not hold together: sizes of the code item and stack pointers must agree.
[[gnu::always_inline]] inline bool ReadNterpFrame(uintptr_t frame, const NterpShape& shape,
                                                  NterpFrame* nterp) {
  const uintptr_t references = frame + shape.references();
  uintptr_t previous = 0;
  uintptr_t pointer = 0;
  if (!LoadPointer(references - sizeof(uintptr_t), &previous) ||
      !LoadPointer(references - 2 * sizeof(uintptr_t), &pointer) ||
      !NterpFrameFits(frame, previous, shape))
    return false;
  nterp->end = previous + arch::kNterpCalleeSaveBytes;
  // Before its first call out a frame has stored no dex pc: whoever asks knows the live one.
  if (!NterpDexPc(shape, pointer, &nterp->dex_pc)) nterp->dex_pc = core::kNoDexPc;
  return true;
}

// The frame on which nterp code runs with these registers, and its live dex pc. False in code that
// enters or leaves a frame, where the registers and the stack do not describe one yet, or any more.
struct LiveNterpFrame {
  uintptr_t frame;
  uint32_t dex_pc;
};
bool FindLiveNterpFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                        LiveNterpFrame* live);

}  // namespace stillframe::walk
