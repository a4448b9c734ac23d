// SPDX-License-Identifier: Apache-2.0
// A copy of a compiled method's code as a graph of instructions: those that control can reach from
// its entry, and where it goes from each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/code_flow.h"
#include "src/walk/compiled_code.h"

namespace stillframe::names {

constexpr uint32_t kNoInstruction = UINT32_MAX;

struct MachineInstruction {
  uint32_t offset;
  uint32_t bytes;
  arch::Flow flow;
  bool is_checked;
  uint32_t target;  // index of the instruction; kNoInstruction: none, or outside the code

  uint32_t end() const { return offset + bytes; }
  bool FallsThrough() const {
    return flow == arch::Flow::kNext || flow == arch::Flow::kBranch || flow == arch::Flow::kCall ||
           flow == arch::Flow::kRuntimeCall;
  }
};

class MachineCode {
 public:
  static constexpr uint32_t kMaxBytes = 64 * 1024;

  // Copies the code by guarded loads. False when it is gone, or longer than kMaxBytes.
  bool Copy(const walk::CompiledCode& code);

  // Decodes the copy from its entry and from `places`, offsets at which it is entered otherwise.
  // False on a CPU whose code is not read, and for code that does not look like a compiler's.
  bool Decode(std::span<const uint32_t> places);

  // In the order of their offsets.
  std::span<const MachineInstruction> instructions() const { return instructions_; }

  // A jump of which the target is in a register, by its index, and where it may lead.
  struct Switch {
    uint32_t from;
    uint32_t target;
  };
  std::span<const Switch> switches() const { return switches_; }

  // Index of the instruction that has the byte at `offset`; kNoInstruction: control does not reach
  // it.
  uint32_t Holding(uint32_t offset) const;

  // Of the copied bytes.
  uint64_t checksum() const;

 private:
  static constexpr uint32_t kNotReached = 0;

  bool Follow(uint32_t offset, std::vector<uint32_t>* open);
  bool FollowTable(std::vector<uint32_t>* open);

  std::vector<uint8_t> bytes_;
  std::vector<uint8_t> begins_;  // by offset: an instruction of so many bytes begins there
  std::vector<MachineInstruction> instructions_;
  std::vector<Switch> switches_;  // by offset until all is decoded
};

}  // namespace stillframe::names
