// SPDX-License-Identifier: Apache-2.0
#include "src/unwind/frame_rules.h"

#include "src/unwind/byte_cursor.h"

namespace stillframe::unwind {
namespace {

enum Operation : uint8_t {
  kNop = 0x00,
  kAdvance1 = 0x02,
  kAdvance2 = 0x03,
  kAdvance4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefCfa = 0x0c,
  kDefCfaRegister = 0x0d,
  kDefCfaOffset = 0x0e,
  kDefCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSf = 0x11,
  kDefCfaSf = 0x12,
  kDefCfaOffsetSf = 0x13,
  kValOffset = 0x14,
  kValExpression = 0x16,
  kNegateReturnAddressStateWithPc = 0x2c,
  kNegateReturnAddressState = 0x2d,
  kGnuArgsSize = 0x2e,
  // In the upper two bits; the lower ones are an operand.
  kAdvance = 0x40,
  kOffset = 0x80,
  kRestore = 0xc0,
};

class Program {
 public:
  Program(const FrameDescription& description, uintptr_t pc, FrameRules* rules)
      : description_(description), pc_(pc), location_(description.code_begin), rules_(*rules) {}

  // `initial`: the rules that kRestore restores; null while the common program runs.
  bool Run(uintptr_t begin, uintptr_t end, const FrameRules* initial) {
    ByteCursor cursor(begin, end);
    while (cursor.ok() && !cursor.at_end() && location_ <= pc_) {
      const uint8_t byte = cursor.U8();
      const uint8_t low = byte & 0x3f;
      switch (byte & 0xc0) {
        case kAdvance: Advance(low); break;
        case kOffset: Set(low, RuleKind::kAtOffset, FactoredOffset(cursor.Uleb()), &cursor); break;
        case kRestore: Restore(low, initial, &cursor); break;
        default: Extended(low, initial, &cursor);
      }
    }
    return cursor.ok();
  }

 private:
  void Advance(uint32_t delta) { location_ += uintptr_t{delta} * description_.code_align; }
  int32_t FactoredOffset(uint64_t factor) const {
    return static_cast<int32_t>(static_cast<int64_t>(factor) * description_.data_align);
  }
  int32_t Factored(int64_t factor) const {
    return static_cast<int32_t>(factor * description_.data_align);
  }
  // Ignores registers that are not unwound on this CPU (vectors).
  void Set(uint64_t number, RuleKind kind, int32_t value, const ByteCursor* cursor) {
    if (number < arch::kDwarfRegisters && cursor->ok()) {
      rules_.kinds[number] = kind;
      rules_.values[number] = value;
    }
  }
  void Restore(uint64_t number, const FrameRules* initial, ByteCursor* cursor) {
    if (initial == nullptr)
      cursor->Fail();
    else if (number < arch::kDwarfRegisters)
      Set(number, initial->kinds[number], initial->values[number], cursor);
  }
  void SetCfa(uint64_t number, int64_t offset, ByteCursor* cursor) {
    if (number >= arch::kDwarfRegisters) return cursor->Fail();
    rules_.cfa_register = static_cast<uint32_t>(number);
    rules_.cfa_offset = static_cast<int32_t>(offset);
    rules_.cfa_expression = 0;
  }
  // Returns the begin of a block and skips it.
  static uintptr_t Block(ByteCursor* cursor) {
    const uintptr_t at = cursor->at();
    cursor->Skip(cursor->Uleb());
    return at;
  }
  void SetExpression(RuleKind kind, ByteCursor* cursor) {
    const uint64_t number = cursor->Uleb();
    const uintptr_t at = Block(cursor);
    Set(number, kind, static_cast<int32_t>(at - description_.common_program), cursor);
  }
  void Remember(ByteCursor* cursor) {
    if (remembered_ == kMaxRemembered) return cursor->Fail();
    memory_[remembered_++] = rules_;
  }
  void Recall(ByteCursor* cursor) {
    if (remembered_ == 0) return cursor->Fail();
    rules_ = memory_[--remembered_];
  }

  void Extended(uint8_t operation, const FrameRules* initial, ByteCursor* cursor) {
    switch (operation) {
      case kNop:
      // aarch64: the return address is signed; arch::CodeAddress removes the signature.
      case kNegateReturnAddressStateWithPc:
      case kNegateReturnAddressState: return;
      case kAdvance1: return Advance(cursor->U8());
      case kAdvance2: return Advance(cursor->U16());
      case kAdvance4: return Advance(cursor->U32());
      case kRestoreExtended: return Restore(cursor->Uleb(), initial, cursor);
      case kRememberState: return Remember(cursor);
      case kRestoreState: return Recall(cursor);
      case kDefCfaRegister: return SetCfa(cursor->Uleb(), rules_.cfa_offset, cursor);
      case kDefCfaOffset:
        return SetCfa(rules_.cfa_register, static_cast<int64_t>(cursor->Uleb()), cursor);
      case kDefCfaOffsetSf: return SetCfa(rules_.cfa_register, Factored(cursor->Sleb()), cursor);
      case kDefCfaExpression: rules_.cfa_expression = Block(cursor); return;
      case kExpression: return SetExpression(RuleKind::kAtExpression, cursor);
      case kValExpression: return SetExpression(RuleKind::kExpression, cursor);
      case kGnuArgsSize: cursor->Uleb(); return;
      default: OfTwoOperands(operation, cursor);
    }
  }

  void OfTwoOperands(uint8_t operation, ByteCursor* cursor) {
    const uint64_t number = cursor->Uleb();
    switch (operation) {
      case kUndefined: return Set(number, RuleKind::kUndefined, 0, cursor);
      case kSameValue: return Set(number, RuleKind::kSame, 0, cursor);
      case kOffsetExtended:
        return Set(number, RuleKind::kAtOffset, FactoredOffset(cursor->Uleb()), cursor);
      case kOffsetExtendedSf:
        return Set(number, RuleKind::kAtOffset, Factored(cursor->Sleb()), cursor);
      case kValOffset:
        return Set(number, RuleKind::kValueOffset, FactoredOffset(cursor->Uleb()), cursor);
      case kRegister:
        return Set(number, RuleKind::kRegister, static_cast<int32_t>(cursor->Uleb()), cursor);
      case kDefCfa: return SetCfa(number, static_cast<int64_t>(cursor->Uleb()), cursor);
      case kDefCfaSf: return SetCfa(number, Factored(cursor->Sleb()), cursor);
      default: cursor->Fail();
    }
  }

  // Compilers and ART's assembly nest at most one level.
  static constexpr uint32_t kMaxRemembered = 1;

  const FrameDescription& description_;
  uintptr_t pc_;
  uintptr_t location_;
  FrameRules& rules_;
  FrameRules memory_[kMaxRemembered] = {};
  uint32_t remembered_ = 0;
};

}  // namespace

bool RulesAt(const FrameDescription& description, uintptr_t pc, FrameRules* rules) {
  *rules = FrameRules{};
  Program program(description, pc, rules);
  if (!program.Run(description.common_program, description.common_program_end, nullptr))
    return false;
  const FrameRules initial = *rules;
  return program.Run(description.program, description.program_end, &initial);
}

}  // namespace stillframe::unwind
