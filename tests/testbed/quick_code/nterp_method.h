// SPDX-License-Identifier: Apache-2.0
// Follows one method that nterp runs, from its first instruction to its return.
// Context: the handler of SIGTRAP
#pragma once

#include <cstdint>
#include <cstring>

#include "tests/testbed/quick_code/fixture.h"
#include "tests/testbed/quick_code/stepper.h"

namespace testbed::quick_code {

class NterpMethod {
 public:
  NterpMethod() = default;
  NterpMethod(const Fixture& fixture, uint64_t method, const Step& entry)
      : instructions_(fixture.InstructionsOf(method)), entry_sp_(entry.registers.sp) {}

  // For each of nterp's instructions while the method is the innermost.
  void Follow(const Step& step) {
    const uintptr_t dex_pointer = step.nterp_dex_pc;
    uint32_t units = 0;
    memcpy(&units, reinterpret_cast<const void*>(instructions_ - sizeof units), sizeof units);
    const uintptr_t offset = (dex_pointer - instructions_) / 2;
    const bool is_own = offset < units;
    has_begun_ = has_begun_ || (is_own && IsHandler(step));
    if (is_own && has_begun_) dex_pc_ = static_cast<uint32_t>(offset);
    is_edge_ = !has_begun_ || !is_own || step.registers.sp + kCalleeSaveBytes >= entry_sp_;
  }

  bool has_begun() const { return has_begun_; }

  uint32_t dex_pc() const { return dex_pc_; }

  // The frame is being built or given up: the caller is still, or again, at its call. Which of the
  // two a sample names is a matter of taste.
  bool is_edge() const { return is_edge_; }

 private:
  // From the stack pointer at the entry to the frame proper: what is above it but for the return
  // address, where a call pushes that.
  static constexpr uintptr_t kCalleeSaveBytes =
      arch::kNterpCalleeSaveBytes - (arch::kHasLinkRegister ? 0 : sizeof(uintptr_t));

  // True if the instruction at the dex pointer is about to begin. Each opcode has the same number
  // of code bytes (ART 11 and 14 runtime/interpreter/mterp, MTERP_HANDLER_SIZE,
  // NTERP_HANDLER_SIZE).
  static bool IsHandler(const Step& step) {
    constexpr uintptr_t kHandlerBytes = 128;
    uint8_t opcode = 0;
    memcpy(&opcode, reinterpret_cast<const void*>(step.nterp_dex_pc), sizeof opcode);
    return step.registers.pc == step.nterp_handlers + opcode * kHandlerBytes;
  }

  uintptr_t instructions_ = 0;
  uintptr_t entry_sp_ = 0;
  uint32_t dex_pc_ = 0;
  bool has_begun_ = false;
  bool is_edge_ = true;
};

}  // namespace testbed::quick_code
