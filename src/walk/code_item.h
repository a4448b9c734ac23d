// SPDX-License-Identifier: Apache-2.0
// Offsets in a standard code item of a dex file.
// Source: the dex format (source.android.com, "Dalvik executable format", code_item).
#pragma once

#include <cstdint>

namespace stillframe::walk {

constexpr uint32_t kCodeItemRegisters = 0;          // u16
constexpr uint32_t kCodeItemOuts = 4;               // u16
constexpr uint32_t kCodeItemInstructionCount = 12;  // u32, in 16-bit units
constexpr uint32_t kCodeItemInstructions = 16;

}  // namespace stillframe::walk
