// SPDX-License-Identifier: Apache-2.0
// The rules of one code address: how its caller's registers are found.
// Source: DWARF 4, sections 6.4.2 and 7.23.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "src/unwind/frame_description.h"

namespace stillframe::unwind {

enum class RuleKind : uint8_t {
  kSame,          // also what nothing is said about
  kUndefined,     // the caller's value is lost
  kAtOffset,      // in memory at CFA + value
  kValueOffset,   // CFA + value
  kRegister,      // in register `value`
  kAtExpression,  // in memory where an expression says; value: its place behind code_rules_base
  kExpression,    // what an expression says
};

struct FrameRules {
  // Canonical frame address: register + offset, or an expression.
  uint32_t cfa_register;
  int32_t cfa_offset;
  uintptr_t cfa_expression;  // 0: none
  RuleKind kinds[arch::kDwarfRegisters];
  int32_t values[arch::kDwarfRegisters];
};

// False when the programs hold what this does not understand. Expressions in `values` are relative
// to description.common_program.
bool RulesAt(const FrameDescription& description, uintptr_t pc, FrameRules* rules);

}  // namespace stillframe::unwind
