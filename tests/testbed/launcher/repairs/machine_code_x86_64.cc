// SPDX-License-Identifier: Apache-2.0
// The instructions of machine_code.h on x86-64.
#include <cstring>

#include "repairs/machine_code.h"

namespace stillframe::testbed {
namespace {

// xor edx, edx; mov ecx, 1; call rel32
constexpr unsigned char kInvokeCall[] = {0x31, 0xd2, 0xb9, 1, 0, 0, 0, 0xe8};
constexpr size_t kArgsSizeOffset = 3;

}  // namespace

// movabs rax, target; jmp rax
const size_t kJumpBytes = 12;

void WriteJump(unsigned char* function, const void* target) {
  function[0] = 0x48;
  function[1] = 0xb8;
  std::memcpy(function + 2, &target, sizeof target);
  function[10] = 0xff;
  function[11] = 0xe0;
}

const size_t kInvokeCallBytes = sizeof kInvokeCall + sizeof(int32_t);
const size_t kCodeAlignment = 1;

bool IsInvokeOfOneByteAtNull(const unsigned char* code, const void* invoke) {
  if (std::memcmp(code, kInvokeCall, sizeof kInvokeCall) != 0) return false;
  int32_t distance;
  std::memcpy(&distance, code + sizeof kInvokeCall, sizeof distance);
  return code + kInvokeCallBytes + distance == invoke;
}

void PassNoArguments(unsigned char* code) { code[kArgsSizeOffset] = 0; }

}  // namespace stillframe::testbed
