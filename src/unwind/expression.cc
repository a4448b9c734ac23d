// SPDX-License-Identifier: Apache-2.0
#include "src/unwind/expression.h"

#include "src/unwind/byte_cursor.h"

namespace stillframe::unwind {
namespace {

enum Operation : uint8_t {
  kDeref = 0x06,
  kConst1u = 0x08,
  kConst1s = 0x09,
  kConst2u = 0x0a,
  kConst4u = 0x0c,
  kDrop = 0x13,
  kAnd = 0x1a,
  kMinus = 0x1c,
  kPlus = 0x22,
  kPlusUconst = 0x23,
  kShiftLeft = 0x24,
  kGreaterOrEqual = 0x2a,
  kLiteral0 = 0x30,
  kLiteral31 = 0x4f,
  kBreg0 = 0x70,
  kBreg31 = 0x8f,
  kBregx = 0x92,
};

constexpr uint32_t kMaxDepth = 8;
constexpr uint32_t kMaxBytes = 64;

class Machine {
 public:
  Machine(ByteCursor cursor, const arch::UnwindRegisters& registers)
      : cursor_(cursor), registers_(registers) {}

  bool Run(uintptr_t first, uintptr_t* result) {
    Push(first);
    while (cursor_.ok() && !cursor_.at_end()) Step();
    *result = Pop();
    return cursor_.ok();
  }

 private:
  void Push(uintptr_t value) {
    if (depth_ == kMaxDepth)
      cursor_.Fail();
    else
      stack_[depth_++] = value;
  }
  uintptr_t Pop() {
    if (depth_ == 0) {
      cursor_.Fail();
      return 0;
    }
    return stack_[--depth_];
  }
  void PushRegister(uint64_t number) {
    const auto offset = static_cast<uintptr_t>(cursor_.Sleb());
    if (number >= arch::kDwarfRegisters)
      cursor_.Fail();
    else
      Push(registers_.values[number] + offset);
  }
  void Deref() {
    const uintptr_t address = Pop();
    uintptr_t value = 0;
    if (!arch::GuardedLoadWord(address, &value)) cursor_.Fail();
    Push(value);
  }
  void Binary(uint8_t operation) {
    const uintptr_t second = Pop();
    const uintptr_t first = Pop();
    switch (operation) {
      case kAnd: return Push(first & second);
      case kMinus: return Push(first - second);
      case kPlus: return Push(first + second);
      case kShiftLeft: return Push(second < 8 * sizeof first ? first << second : 0);
      default:
        return Push(
            static_cast<uintptr_t>(static_cast<intptr_t>(first) >= static_cast<intptr_t>(second)));
    }
  }
  void Step() {
    const uint8_t operation = cursor_.U8();
    if (operation >= kLiteral0 && operation <= kLiteral31) return Push(operation - kLiteral0);
    if (operation >= kBreg0 && operation <= kBreg31) return PushRegister(operation - kBreg0);
    switch (operation) {
      case kDeref: return Deref();
      case kConst1u: return Push(cursor_.U8());
      case kConst1s: return Push(static_cast<uintptr_t>(static_cast<int8_t>(cursor_.U8())));
      case kConst2u: return Push(cursor_.U16());
      case kConst4u: return Push(cursor_.U32());
      case kDrop: Pop(); return;
      case kPlusUconst: return Push(Pop() + static_cast<uintptr_t>(cursor_.Uleb()));
      case kBregx: return PushRegister(cursor_.Uleb());
      case kAnd:
      case kMinus:
      case kPlus:
      case kShiftLeft:
      case kGreaterOrEqual: return Binary(operation);
      default: cursor_.Fail();
    }
  }

  ByteCursor cursor_;
  const arch::UnwindRegisters& registers_;
  uintptr_t stack_[kMaxDepth] = {};
  uint32_t depth_ = 0;
};

}  // namespace

bool Evaluate(uintptr_t block, uintptr_t first, const arch::UnwindRegisters& registers,
              uintptr_t* result) {
  ByteCursor length(block, block + 10);
  const uint64_t bytes = length.Uleb();
  if (!length.ok() || bytes > kMaxBytes) return false;
  return Machine(ByteCursor(length.at(), length.at() + static_cast<uintptr_t>(bytes)), registers)
      .Run(first, result);
}

}  // namespace stillframe::unwind
