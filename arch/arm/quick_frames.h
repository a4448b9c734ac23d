// Sizes of the quick frames that ART's own stubs build on arm.
// Source: ART 11.0.0_r48 runtime/arch/arm/asm_support_arm.h (FRAME_SIZE_SAVE_*); the same in
// 10.0.0_r36 and 14.0.0_r15.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

// In the order of Runtime::callee_save_methods_ (CalleeSaveType, ART 11
// runtime/base/callee_save_type.h).
constexpr uint32_t kCalleeSaveFrameBytes[6] = {112, 32, 112, 192, 192, 192};

// A generic JNI frame is a SaveRefsAndArgs frame (ART 11 runtime/stack.cc,
// GetCurrentQuickFrameInfo).
constexpr uint32_t kGenericJniFrameBytes = kCalleeSaveFrameBytes[2];

}  // namespace stillframe::arch
