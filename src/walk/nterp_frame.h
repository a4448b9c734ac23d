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

// The parts of a frame that only depend on its method.
struct NterpShape {
  uintptr_t instructions;
  uint32_t instruction_count;
  uint32_t least_bytes;      // between the frame and the previous stack pointer, before alignment
  uint16_t reference_words;  // 4-byte words below the reference array
  uint16_t method_index;     // of WalkMethodTag; set by the code that caches the shape

  // Offset of the reference array, which follows {dex pc, previous stack pointer}.
  uint32_t references() const { return 4U * reference_words; }
};

// False for a method without a readable code item. `last`: as WalkIsMethod left it.
bool LoadNterpShape(const Layout& layout, uintptr_t method, LastClass* last, NterpShape* shape);

struct NterpFrame {
  uintptr_t end;  // the caller's frame
  uint32_t dex_pc;
};

// Whether a frame of this shape, built below `previous`, begins at `frame`. On 32 bits a small word
// minus a large frame may wrap into the stack.
inline bool NterpFrameFits(uintptr_t frame, uintptr_t previous, const NterpShape& shape) {
  return (sizeof(uintptr_t) == 8 || previous > frame) &&
         ((previous - shape.least_bytes) & ~uintptr_t{arch::kStackAlignment - 1}) == frame;
}

// False if `pointer` is outside the method's instructions.
inline bool NterpDexPc(const NterpShape& shape, uintptr_t pointer, uint32_t* dex_pc) {
  const uintptr_t offset = std::rotr(pointer - shape.instructions, 1);  // half; large if it was odd
  *dex_pc = static_cast<uint32_t>(offset);
  return offset < shape.instruction_count;
}

// Reads the frame at `frame`, with the dex pc stored at nterp's last call. False if code item and
// stack pointers disagree.
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
  // Before its first call a frame has no stored dex pc; the live one is in a register.
  if (!NterpDexPc(shape, pointer, &nterp->dex_pc)) nterp->dex_pc = core::kNoDexPc;
  return true;
}

// The frame in which nterp runs with these registers, and its live dex pc. False while a frame is
// entered or left, when registers and stack do not describe one.
struct LiveNterpFrame {
  uintptr_t frame;
  uint32_t dex_pc;
};
bool FindLiveNterpFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                        LiveNterpFrame* live);

}  // namespace stillframe::walk
