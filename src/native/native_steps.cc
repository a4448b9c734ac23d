// SPDX-License-Identifier: Apache-2.0
#include "src/native/native_steps.h"

#include "src/core/counters.h"
#include "src/unwind/frame_description.h"
#include "src/unwind/frame_rules.h"
#include "src/unwind/native_step.h"

namespace stillframe::native {
namespace {

using arch::UnwindRegisters;
using unwind::FrameDescription;
using unwind::FrameRules;
using unwind::RuleKind;

bool RulesOf(const unwind::CodeModules& modules, uintptr_t pc, FrameDescription* description,
             FrameRules* rules) {
  unwind::CodeModule module;
  return modules.Find(pc, &module) && unwind::FindFrameDescription(module, pc, description) &&
         description->return_register < arch::kDwarfRegisters &&
         unwind::RulesAt(*description, pc, rules);
}

// Returns from a signal handler. Sets pc and sp only; the others come from the kernel's frame
// afterwards.
bool ReturnToSignalFrame(const unwind::CodeModules& modules, bool is_call,
                         arch::UnwindRegisters* registers) {
  FrameDescription description = {};
  FrameRules rules;
  const auto signed_offset = [](int32_t value) {
    return static_cast<uintptr_t>(static_cast<intptr_t>(value));
  };
  if (!RulesOf(modules, registers->pc() - (is_call ? 1 : 0), &description, &rules) ||
      rules.cfa_expression != 0)
    return false;
  const uint32_t column = description.return_register;
  const uintptr_t cfa = registers->values[rules.cfa_register] + signed_offset(rules.cfa_offset);
  uintptr_t pc = registers->values[column];
  if (rules.kinds[column] == RuleKind::kAtOffset) {
    if (!arch::GuardedLoadWord(cfa + signed_offset(rules.values[column]), &pc)) return false;
  } else if (rules.kinds[column] != RuleKind::kSame || column == arch::kDwarfPc) {
    return false;
  }
  if (!arch::IsSignalReturn(pc)) return false;
  registers->values[arch::kDwarfPc] = pc;
  registers->values[arch::kDwarfSp] = cfa;
  return true;
}

}  // namespace

bool StepOver(const unwind::CodeModules& modules, bool is_call, arch::UnwindRegisters* registers,
              bool* is_return) {
  *is_return = false;
  if (!is_call && arch::IsSignalReturn(registers->pc()))
    return arch::LoadInterruptedRegisters(registers->sp(), registers);
  *is_return = unwind::StepNativeFrame(modules, is_call, registers);
  return *is_return || ReturnToSignalFrame(modules, is_call, registers);
}

bool IsOutermost(const unwind::CodeModules& modules, uintptr_t pc) {
  FrameDescription description = {};
  FrameRules rules;
  return RulesOf(modules, pc, &description, &rules) &&
         rules.kinds[description.return_register] == RuleKind::kUndefined;
}

void NativeSteps::Begin(const UnwindRegisters& registers, bool is_call) {
  if (libunwind_ != nullptr) libunwind_->Start(registers, is_call);
}

bool NativeSteps::Step(const unwind::CodeModules& modules, bool is_call, UnwindRegisters* registers,
                       bool* is_return) {
  if (libunwind_ == nullptr) return StepOver(modules, is_call, registers, is_return);
  if (StepByLibunwind(is_call, registers, is_return)) return true;
  if (!StepOver(modules, is_call, registers, is_return)) return false;
  libunwind_->Start(*registers, *is_return);
  return true;
}

// A caller's pc must be after a call. Exceptions: interrupted code, and the code that a signal
// handler returns to.
bool NativeSteps::StepByLibunwind(bool is_call, UnwindRegisters* registers, bool* is_return) {
  const bool is_interrupted = !is_call && arch::IsSignalReturn(registers->pc());
  UnwindRegisters theirs = {};
  if (!libunwind_->Next(&theirs)) return false;
  const bool is_to_handler = arch::IsSignalReturn(theirs.pc());
  if (!is_interrupted && !is_to_handler && !arch::FollowsCall(theirs.pc()) &&
      !arch::IsInstrumentationExit(theirs.pc()))
    return false;
  core::Counters::Add(Counter::kNativeLibunwindFrames);
  *registers = theirs;
  *is_return = !is_interrupted && !is_to_handler;
  return true;
}

}  // namespace stillframe::native
