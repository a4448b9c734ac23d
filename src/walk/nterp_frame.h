// SPDX-License-Identifier: Apache-2.0
// Frames of the nterp interpreter.
// Source: ART 11 and 14 runtime/nterp_helpers.cc, runtime/interpreter/mterp/x86_64ng/main.S.
#pragma once

#include <cstdint>

#include "src/walk/last_class.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::walk {

// What all frames of a method have in common.
struct NterpShape {
  uintptr_t instructions;
  uint32_t instruction_count;
  uint32_t references;   // offset of the reference array, behind {dex pc, previous stack pointer}
  uint32_t least_bytes;  // between the frame and the previous stack pointer, without alignment
};

// False for a method without a readable code item. `last` is what WalkIsMethod left for the method.
bool LoadNterpShape(const Layout& layout, uintptr_t method, LastClass* last, NterpShape* shape);

struct NterpFrame {
  uintptr_t end;  // the caller's frame
  uint32_t dex_pc;
};

// Reads the frame at `frame`, with the dex pc that nterp stored when it called out. False when it
// does not hold together: sizes of the code item and stack pointers must agree.
bool ReadNterpFrame(const RuntimeFacts& facts, uintptr_t frame, const NterpShape& shape,
                    NterpFrame* nterp);

// The frame on which nterp code runs with these registers, and its live dex pc. False in code that
// enters or leaves a frame, where the registers and the stack do not describe one yet, or any more.
struct LiveNterpFrame {
  uintptr_t frame;
  uint32_t dex_pc;
};
bool FindLiveNterpFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                        LiveNterpFrame* live);

}  // namespace stillframe::walk
