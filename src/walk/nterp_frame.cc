// SPDX-License-Identifier: Apache-2.0
// Size and dex pc of nterp's frames, from the code item of their method.
#include "src/walk/nterp_frame.h"

#include "src/core/sample.h"
#include "src/walk/method_check.h"
#include "src/walk/method_code.h"

namespace stillframe::walk {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// nterp pushes at most this many words below its own frame: two saved registers around a call, or
// one while it makes up a wide argument (GET_SHORTY, LOOP_OVER_SHORTY_LOADING_*).
constexpr uint32_t kMaxPushedWords = 3;

// True when a frame of this shape, built below `previous`, begins at `frame`.
bool FrameFits(const RuntimeFacts& facts, uintptr_t frame, uintptr_t previous,
               const NterpShape& shape) {
  return previous > frame && previous < facts.stack_high - arch::kNterpCalleeSaveBytes &&
         ((previous - shape.least_bytes) & ~uintptr_t{arch::kStackAlignment - 1}) == frame;
}

bool DexPcOf(const NterpShape& shape, uintptr_t pointer, uint32_t* dex_pc) {
  const uintptr_t offset = pointer - shape.instructions;
  *dex_pc = static_cast<uint32_t>(offset / 2);
  return (offset & 1) == 0 && offset / 2 < shape.instruction_count;
}

}  // namespace

bool LoadNterpShape(const Layout& layout, uintptr_t method, LastClass* last, NterpShape* shape) {
  uintptr_t code_item = 0;
  uint16_t registers = 0;
  uint16_t method_outs = 0;
  if (!LoadCodeItem(layout, method, last, &code_item) ||
      !arch::GuardedLoad16(code_item + kCodeItemRegisters, &registers) ||
      !arch::GuardedLoad16(code_item + kCodeItemOuts, &method_outs) ||
      !arch::GuardedLoad32(code_item + kCodeItemInstructionCount, &shape->instruction_count))
    return false;
  shape->instructions = code_item + kCodeItemInstructions;
  const uint32_t outs = method_outs < arch::kMinNterpOuts ? arch::kMinNterpOuts : method_outs;
  const uint32_t mask = layout.nterp_outs_alignment - 1;
  shape->references = 3 * uint32_t{kWord} + ((outs * 4 + mask) & ~mask);
  shape->least_bytes = 3 * uint32_t{kWord} + 4 * (outs + 2 * uint32_t{registers});
  return true;
}

bool ReadNterpFrame(const RuntimeFacts& facts, uintptr_t frame, const NterpShape& shape,
                    NterpFrame* nterp) {
  const uintptr_t references = frame + shape.references;
  uintptr_t previous = 0;
  uintptr_t pointer = 0;
  if (!LoadPointer(references - kWord, &previous) ||
      !LoadPointer(references - 2 * kWord, &pointer) || !FrameFits(facts, frame, previous, shape))
    return false;
  nterp->end = previous + arch::kNterpCalleeSaveBytes;
  // Before its first call out a frame has stored no dex pc: whoever asks knows the live one.
  if (!DexPcOf(shape, pointer, &nterp->dex_pc)) nterp->dex_pc = core::kNoDexPc;
  return true;
}

bool FindLiveNterpFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                        LiveNterpFrame* live) {
  const uintptr_t references = registers.values[arch::kNterpReferencesRegister];
  const uintptr_t sp = registers.sp();
  if (references <= sp || references >= facts.stack_high || sp < facts.stack_low) return false;
  uintptr_t previous = 0;
  if (!LoadPointer(references - kWord, &previous)) return false;
  for (uint32_t words = 0; words <= kMaxPushedWords; ++words) {
    const uintptr_t frame = sp + words * kWord;
    uintptr_t method = 0;
    NterpShape shape;
    LastClass last;
    if (frame % arch::kStackAlignment != 0 || !LoadPointer(frame, &method) ||
        !WalkIsMethod(*facts.layout, method, &last) ||
        !LoadNterpShape(*facts.layout, method, &last, &shape) ||
        frame + shape.references != references || !FrameFits(facts, frame, previous, shape))
      continue;
    live->frame = frame;
    if (DexPcOf(shape, registers.values[arch::kNterpDexPcRegister], &live->dex_pc)) return true;
    // The pointer is not its own yet at the entry: nor may the method be, but one whose frame was
    // there before. It is still in its register then.
    uintptr_t stored = 0;
    return registers.values[arch::kMethodRegister] == method &&
           LoadPointer(references - 2 * kWord, &stored) && DexPcOf(shape, stored, &live->dex_pc);
  }
  return false;
}

}  // namespace stillframe::walk
