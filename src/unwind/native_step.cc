// SPDX-License-Identifier: Apache-2.0
#include "src/unwind/native_step.h"

#include "src/unwind/expression.h"
#include "src/unwind/frame_description.h"
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

// Returns from code that has put nothing on the stack, to after the call. False if the stack is
// unreadable.
bool ReturnToCaller(UnwindRegisters* registers) {
  uintptr_t& pc = registers->values[arch::kDwarfPc];
  if constexpr (arch::kHasLinkRegister) {
    pc = registers->values[arch::kLinkRegister];
    return true;
  }
  if (!arch::GuardedLoadWord(registers->sp(), &pc)) return false;
  registers->values[arch::kDwarfSp] += sizeof(uintptr_t);
  return true;
}

// Size limit of a function that only returns its return address: GCC's __x86.get_pc_thunk.*.
constexpr uintptr_t kThunkBytes = 4;

// Distinguishes return addresses from other words of the stack.
class Caller {
 public:
  // `module` becomes the library of the last tested address.
  Caller(const CodeModules& modules, CodeModule* module) : modules_(modules), module_(*module) {}

  // Whether a call can return to `address`. If a library's code is unreadable, any address in that
  // code is accepted; readability is tried once.
  bool CanReturnTo(uintptr_t address) {
    const uintptr_t code = arch::CodeAddress(address);
    if (!modules_.Find(code, &module_)) module_ = {};
    const bool is_library = module_.end != 0;
    if (is_library && !modules_.CanReadCode(module_)) return module_.HoldsCode(code);
    switch (arch::ReadCallBefore(address)) {
      case arch::CallBefore::kYes: return true;
      case arch::CallBefore::kNo: return arch::IsInstrumentationExit(address);
      case arch::CallBefore::kUnreadable: break;
    }
    if (!is_library || !module_.HoldsCode(code)) return false;
    modules_.NoteUnreadable(module_);
    return true;
  }

 private:
  const CodeModules& modules_;
  CodeModule& module_;
};

// Steps out of code that uses no stack and makes no calls: a linkage stub, or a thunk called
// directly. pc is there only if a signal interrupted the thread.
bool StepBareCode(UnwindRegisters* registers) {
  const UnwindRegisters inner = *registers;
  const uintptr_t& return_address = registers->values[arch::kDwarfPc];
  if (!ReturnToCaller(registers) || !arch::FollowsCall(return_address) ||
      (!arch::IsLinkageStub(inner.pc()) &&
       inner.pc() - arch::DirectCallTarget(return_address) >= kThunkBytes)) {
    *registers = inner;
    return false;
  }
  registers->values[arch::kDwarfPc] = arch::CodeAddress(return_address);
  return true;
}

// Not inlined, to save stack in the caller.
[[gnu::noinline]] bool StepUndescribed(const CodeModules& modules, bool is_call, CodeModule* module,
                                       UnwindRegisters* registers) {
  const bool is_vdso = module->is_vdso != 0;
  const bool can_read = modules.CanReadCode(*module);
  bool is_done = (can_read && !is_call && StepBareCode(registers)) ||
                 (is_vdso && arch::StepVdsoFrame(registers));
  if (!is_done && can_read && arch::StepUndescribedFrame(is_call, registers)) {
    registers->values[arch::kDwarfPc] = arch::CodeAddress(registers->values[arch::kDwarfPc]);
    is_done = true;
  }
  if (is_done && !modules.Find(registers->pc(), module)) *module = {};
  return is_done;
}

uintptr_t AlignUpToWord(uintptr_t address) {
  return (address + sizeof(uintptr_t) - 1) & ~(sizeof(uintptr_t) - 1);
}

bool FindReturnAddress(const FrameRules& rules, const FrameDescription& description, uintptr_t cfa,
                       const UnwindRegisters& inner, Caller* caller, uintptr_t* return_address) {
  return CallerValue(rules, description, cfa, inner, description.return_register, return_address) &&
         caller->CanReturnTo(*return_address);
}

// Finds the intended CFA where handwritten code is described wrongly.
bool MendCfa(const FrameRules& rules, const FrameDescription& description, bool is_call,
             const UnwindRegisters& inner, Caller* caller, uintptr_t* cfa,
             uintptr_t* return_address) {
  if (rules.cfa_expression != 0) return false;
  if (rules.cfa_register != arch::kDwarfSp) {
    // ART's invoke stubs pop their registers relative to the stack pointer, but still describe the
    // frame pointer (ART 11 and 14 runtime/arch/x86_64/quick_entrypoints_x86_64.S,
    // art_quick_invoke_stub).
    *cfa = inner.sp() + static_cast<uintptr_t>(static_cast<intptr_t>(rules.cfa_offset));
    return !is_call && FindReturnAddress(rules, description, *cfa, inner, caller, return_address);
  }
#ifdef __GLIBC__
  // glibc's copy functions miscount their pushes and pops (glibc 2.36
  // sysdeps/i386/i686/multiarch/memcpy-ssse3.S, memcpy-sse2-unaligned.S). A return address at
  // another offset counts only after a call of this function or of a linkage stub.
  static constexpr int kWords[] = {1, 2, 3, 4, -1, -2, -3};
  const uintptr_t described = *cfa;
  for (const int words : kWords) {
    *cfa = described + static_cast<uintptr_t>(words * static_cast<int>(sizeof(uintptr_t)));
    if (*cfa <= inner.sp()) continue;  // outside the used stack
    if (!FindReturnAddress(rules, description, *cfa, inner, caller, return_address)) continue;
    const uintptr_t target = arch::DirectCallTarget(*return_address);
    if (target == description.code_begin || arch::IsLinkageStub(target)) return true;
  }
#endif
  return false;
}

// Not inlined: its stack is not in use while the rules are made.
[[gnu::noinline]] bool ApplyRules(const CodeModules& modules, bool is_call,
                                  const FrameDescription& description, FrameRules* made,
                                  CodeModule* module, UnwindRegisters* registers) {
  FrameRules& rules = *made;
  // ART's description of a part of art_quick_aput_obj is half a word off (ART 14
  // runtime/arch/x86_64/quick_entrypoints_x86_64.S, .Laput_obj_gc_marking).
  uintptr_t cfa = AlignUpToWord(registers->values[rules.cfa_register] +
                                static_cast<uintptr_t>(static_cast<intptr_t>(rules.cfa_offset)));
  if (rules.cfa_expression != 0 && !Evaluate(rules.cfa_expression, 0, *registers, &cfa))
    return false;
  const UnwindRegisters inner = *registers;
  // Without another rule the caller's stack pointer is the CFA.
  if (rules.kinds[arch::kDwarfSp] == RuleKind::kSame) {
    rules.kinds[arch::kDwarfSp] = RuleKind::kValueOffset;
    rules.values[arch::kDwarfSp] = 0;
  }
  uintptr_t return_address = 0;
  Caller caller(modules, module);
  if (rules.kinds[description.return_register] == RuleKind::kUndefined) return false;
  if (!FindReturnAddress(rules, description, cfa, inner, &caller, &return_address) &&
      !MendCfa(rules, description, is_call, inner, &caller, &cfa, &return_address))
    return false;
  for (uint32_t i = 0; i < arch::kDwarfRegisters; ++i) {
    if (!CallerValue(rules, description, cfa, inner, i, &registers->values[i])) {
      *registers = inner;
      return false;
    }
  }
  registers->values[arch::kDwarfPc] = arch::CodeAddress(return_address);
  return true;
}

}  // namespace

bool StepNativeFrame(const CodeModules& modules, bool is_call, UnwindRegisters* registers) {
  CodeModule module;
  return modules.Find(registers->pc() - (is_call ? 1 : 0), &module) &&
         StepNativeFrame(modules, is_call, &module, registers);
}

bool StepNativeFrame(const CodeModules& modules, bool is_call, CodeModule* module,
                     UnwindRegisters* registers) {
  const uintptr_t pc = registers->pc() - (is_call ? 1 : 0);
  FrameDescription description = {};
  FrameRules rules;
  if (!FindFrameDescription(*module, pc, &description))
    return StepUndescribed(modules, is_call, module, registers);
  if (description.return_register >= arch::kDwarfRegisters || !RulesAt(description, pc, &rules))
    return false;
  return ApplyRules(modules, is_call, description, &rules, module, registers);
}

}  // namespace stillframe::unwind
