// SPDX-License-Identifier: Apache-2.0
// The instructions of machine_code.h on aarch64.
#include <cstring>

#include "repairs/machine_code.h"

namespace stillframe::testbed {
namespace {

constexpr uint32_t kLoadTarget = 0x58000050;  // ldr x16, the address after the next instruction
constexpr uint32_t kJumpToIt = 0xd61f0200;    // br x16
constexpr uint32_t kNullArgs = 0xaa1f03e2;    // mov x2, xzr
constexpr uint32_t kOneByte = 0x52800023;     // mov w3, #1
constexpr uint32_t kNoBytes = 0x52800003;     // mov w3, #0
constexpr uint32_t kCall = 0x94000000;        // bl, the distance in its lower bits
constexpr uint32_t kCallMask = 0xfc000000;
// The two moves, then at most this many others up to the call.
constexpr size_t kWindow = 9;

uint32_t Word(const unsigned char* code, size_t index) {
  uint32_t word;
  std::memcpy(&word, code + index * sizeof word, sizeof word);
  return word;
}

}  // namespace

const size_t kJumpBytes = 16;

void WriteJump(unsigned char* function, const void* target) {
  std::memcpy(function, &kLoadTarget, sizeof kLoadTarget);
  std::memcpy(function + 4, &kJumpToIt, sizeof kJumpToIt);
  std::memcpy(function + 8, &target, sizeof target);
}

const size_t kInvokeCallBytes = kWindow * sizeof(uint32_t);
const size_t kCodeAlignment = sizeof(uint32_t);

bool IsInvokeOfOneByteAtNull(const unsigned char* code, const void* invoke) {
  if (Word(code, 0) != kNullArgs || Word(code, 1) != kOneByte) return false;
  for (size_t i = 2; i < kWindow; ++i) {
    const uint32_t word = Word(code, i);
    if ((word & kCallMask) == kCall) {
      const int32_t words = static_cast<int32_t>(word << 6) >> 6;
      return code + (static_cast<ptrdiff_t>(i) + words) * 4 == invoke;
    }
  }
  return false;
}

void PassNoArguments(unsigned char* code) { std::memcpy(code + 4, &kNoBytes, sizeof kNoBytes); }

}  // namespace stillframe::testbed
