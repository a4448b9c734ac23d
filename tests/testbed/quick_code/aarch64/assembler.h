// SPDX-License-Identifier: Apache-2.0
// The few aarch64 instructions that the compiled methods need. Each Emit is one instruction.
// Frames are addressed as ART's assembler does it: an offset that does not fit the instruction goes
// through x16 and x17 (VIXL, src/aarch64/macro-assembler-aarch64.cc: AddSubMacro, LoadStoreMacro,
// LoadStorePairMacro).
// Context: any thread
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace testbed::quick_code {

constexpr uint32_t kX16 = 16;
constexpr uint32_t kX17 = 17;
constexpr uint32_t kLr = 30;
constexpr uint32_t kSp = 31;
constexpr uint32_t kZero = 31;

class Assembler {
 public:
  uint32_t Emit(uint32_t instruction) {
    instructions_.push_back(Here());
    code_.resize(code_.size() + sizeof instruction);
    memcpy(&code_[instructions_.back()], &instruction, sizeof instruction);
    return Here();
  }

  // mov: of one half word, or of the complement of one
  void Move(uint32_t reg, int64_t value) {
    const bool is_negative = value < 0;
    Emit((is_negative ? 0x92800000 : 0xd2800000) | Field(is_negative ? ~value : value, 5, 16) |
         reg);
  }
  void LoadAddress(uint32_t reg, uint64_t value) {
    Emit(0xd2800000 | Field(static_cast<int64_t>(value), 5, 16) | reg);  // movz, movk
    for (uint32_t half = 1; half < 4; ++half) {
      Emit(0xf2800000 | half << 21 | Field(static_cast<int64_t>(value >> (16 * half)), 5, 16) |
           reg);
    }
  }

  // target = source + bytes; either may be the stack pointer
  void Add(uint32_t target, uint32_t source, int64_t bytes, uint32_t scratch) {
    const int64_t size = bytes < 0 ? -bytes : bytes;
    if (size < 1 << 12) {
      Emit((bytes < 0 ? 0xd1000000 : 0x91000000) | Field(size, 10, 12) | source << 5 | target);
      return;
    }
    Move(scratch, bytes);
    Emit(0x8b206000 | scratch << 16 | source << 5 | target);  // add target, source, scratch, uxtx
  }
  void ClaimStack(int64_t bytes) {
    if (bytes < 1 << 12) return Add(kSp, kSp, -bytes, kX16);
    Move(kX16, bytes);
    Emit(0xcb206000 | kX16 << 16 | kSp << 5 | kSp);  // sub sp, sp, x16
  }
  void DropStack(int64_t bytes) { Add(kSp, kSp, bytes, kX16); }

  // One register or two at [sp + offset]
  void Store(uint32_t reg, int64_t offset) { Emit(0xf9000000 | Scaled(offset) | kSp << 5 | reg); }
  void Load(uint32_t reg, int64_t offset) { Emit(0xf9400000 | Scaled(offset) | kSp << 5 | reg); }
  void StoreDouble(uint32_t reg, int64_t at) { Emit(0xfd000000 | Scaled(at) | kSp << 5 | reg); }
  void LoadDouble(uint32_t reg, int64_t at) { Emit(0xfd400000 | Scaled(at) | kSp << 5 | reg); }
  void StorePair(uint32_t first, uint32_t second, int64_t offset) {
    Pair(0xa9000000, first, second, offset);
  }
  void LoadPair(uint32_t first, uint32_t second, int64_t offset) {
    Pair(0xa9400000, first, second, offset);
  }

  // str reg, [sp, -bytes]!
  void Push(uint32_t reg, int64_t bytes) {
    if (bytes <= 1 << 8) {
      Emit(0xf8000c00 | Field(-bytes, 12, 9) | kSp << 5 | reg);
      return;
    }
    Add(kSp, kSp, -bytes, kX16);
    Store(reg, 0);
  }
  // stp first, second, [sp, -bytes]!
  void PushPair(uint32_t first, uint32_t second, int64_t bytes) {
    Emit(0xa9800000 | Field(-bytes / 8, 15, 7) | second << 10 | kSp << 5 | first);
  }
  // ldp first, second, [sp], bytes
  void PopPair(uint32_t first, uint32_t second, int64_t bytes) {
    Emit(0xa8c00000 | Field(bytes / 8, 15, 7) | second << 10 | kSp << 5 | first);
  }
  void Return() { Emit(0xd65f03c0); }

  // Branches whose target is not known yet: Bind fills the distance in.
  struct Jump {
    uint32_t at;
    bool is_conditional;
  };
  Jump JumpForward() { return {Emit(0x14000000) - 4, false}; }
  Jump JumpForward(uint32_t condition) { return {Emit(0x54000000 | condition) - 4, true}; }
  void Bind(Jump jump) {
    uint32_t instruction = 0;
    memcpy(&instruction, &code_[jump.at], sizeof instruction);
    const int64_t words = (Here() - jump.at) / 4;
    instruction |= jump.is_conditional ? Field(words, 5, 19) : Field(words, 0, 26);
    memcpy(&code_[jump.at], &instruction, sizeof instruction);
  }
  void JumpBack(uint32_t condition, uint32_t target) {
    const int64_t words = (int64_t{target} - Here()) / 4;
    Emit(0x54000000 | Field(words, 5, 19) | condition);
  }

  uint32_t Here() const { return static_cast<uint32_t>(code_.size()); }
  const std::vector<uint8_t>& code() const { return code_; }
  const std::vector<uint32_t>& instructions() const { return instructions_; }

 private:
  static uint32_t Field(int64_t value, uint32_t from, uint32_t bits) {
    return (static_cast<uint32_t>(value) & ((1U << bits) - 1)) << from;
  }
  static uint32_t Scaled(int64_t offset) { return Field(offset / 8, 10, 12); }

  void Pair(uint32_t opcode, uint32_t first, uint32_t second, int64_t offset) {
    if (offset < 512) {
      Emit(opcode | Field(offset / 8, 15, 7) | second << 10 | kSp << 5 | first);
      return;
    }
    Add(kX16, kSp, offset, kX17);
    Emit(opcode | second << 10 | kX16 << 5 | first);
  }

  std::vector<uint8_t> code_;
  std::vector<uint32_t> instructions_;
};

}  // namespace testbed::quick_code
