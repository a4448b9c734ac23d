// SPDX-License-Identifier: Apache-2.0
// Sizes of the quick frames that ART's own stubs build on x86_64.
// Source: ART 11.0.0_r48 runtime/arch/x86_64/asm_support_x86_64.h (FRAME_SIZE_SAVE_*).
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

// In the order of Runtime::callee_save_methods_ (CalleeSaveType, ART 11
// runtime/base/callee_save_type.h).
constexpr uint32_t kCalleeSaveFrameBytes[6] = {64 + 4 * 8,   64 + 4 * 8,   112 + 12 * 8,
                                               144 + 16 * 8, 144 + 16 * 8, 144 + 16 * 8};

// A generic JNI frame is a SaveRefsAndArgs frame (ART 11 runtime/stack.cc,
// GetCurrentQuickFrameInfo).
constexpr uint32_t kGenericJniFrameBytes = kCalleeSaveFrameBytes[2];

// Bytes that nterp saves above its frame, including the return address. DWARF numbers of its dex pc
// pointer and its reference array (ART 11 and 14 runtime/interpreter/mterp/x86_64ng/main.S:
// CALLEE_SAVES_SIZE, rPC, rREFS).
constexpr uint32_t kNterpCalleeSaveBytes = 6 * 8 + 4 * 8 + 8;
constexpr uint32_t kNterpDexPcRegister = 12;
constexpr uint32_t kNterpReferencesRegister = 15;

// Minimum of outs in each nterp frame (ART 14 runtime/nterp_helpers.cc, GetNumberOfOutRegs).
constexpr uint32_t kMinNterpOuts = 0;

// Whether libart's C++ functions have call frame information on this CPU.
constexpr bool kRuntimeDescribesItself = true;

// ART's frames are aligned to this (kStackAlignment, ART 11 libartbase/base/globals.h).
constexpr uint32_t kStackAlignment = 16;

// Alignment of compiled instructions, in which CodeInfo counts. Bits of an entry point that are not
// address (ART 11 runtime/arch/instruction_set.h, entry_point_utils: Thumb's bit 0).
constexpr uint32_t kInstructionAlignment = 1;
constexpr uint32_t kCodePointerMask = 0;

// The register that holds the ArtMethod* when a method is entered, by DWARF number (rdi).
constexpr uint32_t kMethodRegister = 5;

}  // namespace stillframe::arch
