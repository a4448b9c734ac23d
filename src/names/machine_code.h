// SPDX-License-Identifier: Apache-2.0
// A copy of a compiled method's code as a graph: the instructions reachable from its entry, and
// their successors.
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

  // Copies the code by guarded loads. False if it is gone, or longer than kMaxBytes.
  bool Copy(const walk::CompiledCode& code);

  // Decodes the copy from its entry and from `places`, the offsets of other entries. False on CPUs
  // whose code is not read, and for code that compilers do not emit.
  bool Decode(std::span<const uint32_t> places);

  // Sorted by offset.
  std::span<const MachineInstruction> instructions() const { return instructions_; }

  // A possible target of a jump through a register. Both are instruction indices.
  struct Switch {
    uint32_t from;
    uint32_t target;
  };
  std::span<const Switch> switches() const { return switches_; }

  // Index of the instruction that contains the byte at `offset`; kNoInstruction: not reachable.
  uint32_t Holding(uint32_t offset) const;

  // Checksum of the copied bytes.
  uint64_t checksum() const;

 private:
  static constexpr uint32_t kNotReached = 0;

  bool Follow(uint32_t offset, std::vector<uint32_t>* open);
  bool FollowTable(std::vector<uint32_t>* open);

  std::vector<uint8_t> bytes_;
  std::vector<uint8_t> begins_;  // by offset: size of the instruction that begins there
  std::vector<MachineInstruction> instructions_;
  std::vector<Switch> switches_;  // offsets instead of indices until all is decoded
};

}  // namespace stillframe::names
