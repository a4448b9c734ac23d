// Frames of the nterp interpreter.
// Source: ART 11 and 14 runtime/nterp_helpers.cc, runtime/interpreter/mterp/x86_64ng/main.S.
// Context: signal
#pragma once

#include <cstdint>

#include "src/art/last_class.h"
#include "src/art/runtime_facts.h"

namespace stillframe::art {

struct NterpFrame {
  uintptr_t end;  // the caller's frame
  uint32_t dex_pc;
};

// Reads the frame of `method` at `frame`, with the dex pc that nterp stored when it called out.
// False when it does not hold together: sizes of the code item and stack pointers must agree.
// `last` is what WalkIsMethod left for the method.
bool ReadNterpFrame(const RuntimeFacts& facts, uintptr_t frame, uintptr_t method, LastClass* last,
                    NterpFrame* nterp);

// The frame on which nterp code runs with these registers, and its live dex pc. False in code that
// enters or leaves a frame, where the registers and the stack do not describe one yet, or any more.
struct LiveNterpFrame {
  uintptr_t frame;
  uint32_t dex_pc;
};
bool FindLiveNterpFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                        LiveNterpFrame* live);

}  // namespace stillframe::art
