// SPDX-License-Identifier: Apache-2.0
// The few x86_64 instructions that the compiled methods need, in the order a compiler emits them.
// Each Emit is one instruction and is noted as such.
// Context: any thread
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace testbed::quick_code {

enum class Register : uint8_t { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi };

class Assembler {
 public:
  uint32_t Emit(std::initializer_list<uint8_t> bytes) {
    instructions_.push_back(Here());
    code_.insert(code_.end(), bytes);
    return Here();
  }

  uint32_t Emit(std::initializer_list<uint8_t> bytes, uint32_t immediate) {
    Emit(bytes);
    Append(&immediate, sizeof immediate);
    return Here();
  }

  void Push(Register reg) { Emit({static_cast<uint8_t>(0x50 + Code(reg))}); }
  void Pop(Register reg) { Emit({static_cast<uint8_t>(0x58 + Code(reg))}); }
  void Return() { Emit({0xc3}); }
  void SubtractFromStack(uint32_t bytes) { Emit({0x48, 0x81, 0xec}, bytes); }
  void AddToStack(uint32_t bytes) { Emit({0x48, 0x81, 0xc4}, bytes); }

  void LoadAddress(Register reg, uint64_t value) {
    Emit({0x48, static_cast<uint8_t>(0xb8 + Code(reg))});
    Append(&value, sizeof value);
  }

  // Jumps whose target is not known yet: `opcode` with a distance that Bind fills in.
  using Jump = uint32_t;
  Jump JumpForward(std::initializer_list<uint8_t> opcode) { return Emit(opcode, 0); }
  void Bind(Jump jump) {
    const uint32_t distance = Here() - jump;
    memcpy(&code_[jump - sizeof distance], &distance, sizeof distance);
  }

  uint32_t Here() const { return static_cast<uint32_t>(code_.size()); }
  const std::vector<uint8_t>& code() const { return code_; }
  const std::vector<uint32_t>& instructions() const { return instructions_; }

 private:
  static uint8_t Code(Register reg) { return static_cast<uint8_t>(reg); }

  void Append(const void* bytes, size_t count) {
    const auto* from = static_cast<const uint8_t*>(bytes);
    code_.insert(code_.end(), from, from + count);
  }

  std::vector<uint8_t> code_;
  std::vector<uint32_t> instructions_;
};

}  // namespace testbed::quick_code
