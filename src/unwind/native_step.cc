#include "src/unwind/native_step.h"

#include "src/unwind/expression.h"
#include "src/unwind/frame_rules.h"

namespace stillframe::unwind {
namespace {

using arch::UnwindRegisters;

bool CallerValue(const FrameRules& rules, const FrameDescription& description, uintptr_t cfa,
                 const UnwindRegisters& inner, uint32_t number, uintptr_t* value) {
  const auto offset = static_cast<uintptr_t>(static_cast<intptr_t>(rules.values[number]));
  uintptr_t address = 0;
  switch (rules.kinds[number]) {
    case RuleKind::kSame: *value = inner.values[number]; return true;
    case RuleKind::kUndefined: *value = 0; return true;
    case RuleKind::kAtOffset: return arch::GuardedLoadWord(cfa + offset, value);
    case RuleKind::kValueOffset: *value = cfa + offset; return true;
    case RuleKind::kRegister:
      if (offset >= arch::kDwarfRegisters) return false;
      *value = inner.values[offset];
      return true;
    case RuleKind::kAtExpression:
      return Evaluate(description.common_program + offset, cfa, inner, &address) &&
             arch::GuardedLoadWord(address, value);
    case RuleKind::kExpression:
      return Evaluate(description.common_program + offset, cfa, inner, value);
  }
  return false;
}

// From a procedure linkage stub, which calls and is called by nobody, so that pc stands in it only
// where a thread was interrupted.
bool StepLinkageStub(UnwindRegisters* registers) {
  if (!arch::IsLinkageStub(registers->pc())) return false;
  const UnwindRegisters inner = *registers;
  if (!arch::LeaveLinkageStub(registers) || !arch::FollowsCall(registers->pc())) {
    *registers = inner;
    return false;
  }
  registers->values[arch::kDwarfPc] = arch::CodeAddress(registers->pc());
  return true;
}

bool FindReturnAddress(const FrameRules& rules, const FrameDescription& description, uintptr_t cfa,
                       const UnwindRegisters& inner, uintptr_t* return_address) {
  return CallerValue(rules, description, cfa, inner, description.return_register, return_address) &&
         arch::FollowsCall(*return_address);
}

}  // namespace

bool StepNativeFrame(const CodeModules& modules, bool is_call, UnwindRegisters* registers) {
  const uintptr_t pc = registers->pc() - (is_call ? 1 : 0);
  const CodeModule* module = modules.Find(pc);
  FrameDescription description = {};
  FrameRules rules;
  if (module == nullptr) return false;
  if (!FindFrameDescription(*module, pc, &description)) {
    return !is_call && StepLinkageStub(registers);
  }
  if (description.return_register >= arch::kDwarfRegisters || !RulesAt(description, pc, &rules)) {
    return false;
  }
  uintptr_t cfa = registers->values[rules.cfa_register] +
                  static_cast<uintptr_t>(static_cast<intptr_t>(rules.cfa_offset));
  if (rules.cfa_expression != 0 && !Evaluate(rules.cfa_expression, 0, *registers, &cfa)) {
    return false;
  }
  const UnwindRegisters inner = *registers;
  // The caller's stack pointer is the CFA unless a rule says otherwise.
  if (rules.kinds[arch::kDwarfSp] == RuleKind::kSame) {
    rules.kinds[arch::kDwarfSp] = RuleKind::kValueOffset;
    rules.values[arch::kDwarfSp] = 0;
  }
  uintptr_t return_address = 0;
  if (rules.kinds[description.return_register] == RuleKind::kUndefined) return false;
  if (!FindReturnAddress(rules, description, cfa, inner, &return_address)) {
    // ART's invoke stubs pop their registers with a stack pointer that they go on describing as the
    // frame pointer (ART 11 and 14 runtime/arch/x86_64/quick_entrypoints_x86_64.S,
    // art_quick_invoke_stub).
    cfa = inner.sp() + static_cast<uintptr_t>(static_cast<intptr_t>(rules.cfa_offset));
    if (is_call || rules.cfa_expression != 0 || rules.cfa_register == arch::kDwarfSp ||
        !FindReturnAddress(rules, description, cfa, inner, &return_address)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < arch::kDwarfRegisters; ++i) {
    if (!CallerValue(rules, description, cfa, inner, i, &registers->values[i])) {
      *registers = inner;
      return false;
    }
  }
  registers->values[arch::kDwarfPc] = arch::CodeAddress(return_address);
  return true;
}

}  // namespace stillframe::unwind
