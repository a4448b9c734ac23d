// SPDX-License-Identifier: Apache-2.0
#include "src/walk/nterp_frame.h"

#include "src/walk/code_item.h"
#include "src/walk/method_check.h"
#include "src/walk/method_code.h"

namespace stillframe::walk {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// Limit of words that nterp pushes below its own frame: two saved registers around a call, or one
// while it assembles a wide argument (GET_SHORTY, LOOP_OVER_SHORTY_LOADING_*).
constexpr uint32_t kMaxPushedWords = 3;

// False if the outs exceed the limit of dex bytecode (format 3rc: 255).
bool SetSizes(const Layout& layout, uint32_t registers, uint32_t method_outs, NterpShape* shape) {
  if (method_outs > UINT8_MAX) return false;
  const uint32_t outs = method_outs < arch::kMinNterpOuts ? arch::kMinNterpOuts : method_outs;
  const uint32_t mask = layout.nterp_outs_alignment - 1;
  shape->reference_words =
      static_cast<uint16_t>((3 * uint32_t{kWord} + ((outs * 4 + mask) & ~mask)) / 4);
  shape->least_bytes = 3 * uint32_t{kWord} + 4 * (outs + 2 * registers);
  return true;
}

// For methods in a compact dex file, which occurs with code compiled ahead of time.
[[gnu::noinline]] bool LoadCompactShape(const Layout& layout, uintptr_t method, NterpShape* shape) {
  constexpr uint32_t kMaxSize = UINT16_MAX;  // larger values are invalid
  uintptr_t code_item = 0;
  bool is_compact = false;
  CompactCodeItem item;
  if (!LoadAnyCodeItem(layout, method, &code_item, &is_compact) || !is_compact ||
      !LoadCompactCodeItem(code_item, &item) || item.registers > kMaxSize)
    return false;
  shape->instructions = item.instructions;
  shape->instruction_count = item.instruction_count;
  return SetSizes(layout, item.registers, item.outs, shape);
}

}  // namespace

bool LoadNterpShape(const Layout& layout, uintptr_t method, LastClass* last, NterpShape* shape) {
  uintptr_t code_item = 0;
  uint16_t registers = 0;
  uint16_t outs = 0;
  if (!LoadCodeItem(layout, method, last, &code_item))
    return LoadCompactShape(layout, method, shape);
  if (!arch::GuardedLoad16(code_item + kCodeItemRegisters, &registers) ||
      !arch::GuardedLoad16(code_item + kCodeItemOuts, &outs) ||
      !arch::GuardedLoad32(code_item + kCodeItemInstructionCount, &shape->instruction_count))
    return false;
  shape->instructions = code_item + kCodeItemInstructions;
  return SetSizes(layout, registers, outs, shape);
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
        frame + shape.references() != references || !NterpFrameFits(frame, previous, shape) ||
        previous >= facts.stack_high - arch::kNterpCalleeSaveBytes)
      continue;
    live->frame = frame;
    if (NterpDexPc(shape, registers.values[arch::kNterpDexPcRegister], &live->dex_pc)) return true;
    // At the entry the dex pc pointer register is not set yet, and the frame's method slot may be
    // stale. The method is still in its register then.
    uintptr_t stored = 0;
    return registers.values[arch::kMethodRegister] == method &&
           LoadPointer(references - 2 * kWord, &stored) && NterpDexPc(shape, stored, &live->dex_pc);
  }
  return false;
}

}  // namespace stillframe::walk
