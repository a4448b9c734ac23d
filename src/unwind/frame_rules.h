// SPDX-License-Identifier: Apache-2.0
// The unwind rules at one code address: where the caller's registers are.
// Source: DWARF 4, sections 6.4.2 and 7.23.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/unwind/frame_description.h"

namespace stillframe::unwind {

enum class RuleKind : uint8_t {
  kSame,          // also without a rule
  kUndefined,     // the caller's value is lost
  kAtOffset,      // in memory at CFA + value
  kValueOffset,   // CFA + value
  kRegister,      // in register `value`
  kAtExpression,  // in memory at an expression's result; value: its offset from common_program
  kExpression,    // an expression's result
};

struct FrameRules {
  // Canonical frame address: register + offset, or an expression.
  uint32_t cfa_register;
  int32_t cfa_offset;
  uintptr_t cfa_expression;  // 0: none
  RuleKind kinds[arch::kDwarfRegisters];
  int32_t values[arch::kDwarfRegisters];
};

// False for programs with unsupported operations. Expressions in `values` are relative to
// description.common_program.
bool RulesAt(const FrameDescription& description, uintptr_t pc, FrameRules* rules);

}  // namespace stillframe::unwind
