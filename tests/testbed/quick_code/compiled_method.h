// SPDX-License-Identifier: Apache-2.0
// A method as a compiler of ours leaves it: machine code, what CodeInfo says of it, and where its
// instructions begin.
// Context: any thread
#pragma once

#include <cstdint>
#include <vector>

#include "tests/testbed/quick_code/code_info.h"

namespace testbed::quick_code {

struct CompiledMethod {
  std::vector<uint8_t> code;
  std::vector<uint32_t> instructions;  // offsets, ascending
  CodeDescription description;
};

// A call's place and target.
struct CallSite {
  uint64_t callee = 0;  // ArtMethod*
  uint32_t dex_pc = 0;
  std::vector<InlinedMethod> inlined;
};

// How the frame of a method that calls others is made.
struct FrameShape {
  uint32_t local_bytes = 0;  // besides the method's slot and the spilled registers
  bool spills_fp = false;    // one floating point register that the callee must keep
};

// int f(int code): calls sites[code & 15](code >> 4) and returns one more than it does. All sites
// but the last that has a callee are chosen by comparison. `entry_point` is the offset of a
// method's entry point in ArtMethod.
CompiledMethod CompileCaller(const FrameShape& shape, const std::vector<CallSite>& sites,
                             uint32_t entry_point);

// void f(int left, int argument): while left is above 1 calls `next` with one less, then
// `end`(argument, true).
CompiledMethod CompileDescent(const FrameShape& shape, const CallSite& next, const CallSite& end,
                              uint32_t entry_point);

// int f(int value): 3 * value + 1, without a frame.
CompiledMethod CompileLeaf();

// int f(int value): the sum of the numbers up to value & 7, in a frame that spills registers and
// does not store the method.
CompiledMethod CompileSpillingLeaf();

}  // namespace testbed::quick_code
