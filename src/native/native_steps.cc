// SPDX-License-Identifier: Apache-2.0
// libunwind is asked first; ours goes on where it has nothing.
#include "src/native/native_steps.h"

#include "src/native/native_step_over.h"

namespace stillframe::native {

using arch::UnwindRegisters;

void NativeSteps::Begin(const UnwindRegisters& registers, bool is_call) {
  if (libunwind_ != nullptr) libunwind_->Start(registers, is_call);
}

bool NativeSteps::Step(const unwind::CodeModules& modules, bool is_call, UnwindRegisters* registers,
                       bool* is_return) {
  if (libunwind_ == nullptr) return StepOver(modules, is_call, registers, is_return);
  if (TakeTheirs(is_call, registers, is_return)) return true;
  if (!StepOver(modules, is_call, registers, is_return)) return false;
  libunwind_->Start(*registers, *is_return);
  return true;
}

// A frame's caller stands behind a call, but for what a signal has interrupted and what its handler
// returns to.
bool NativeSteps::TakeTheirs(bool is_call, UnwindRegisters* registers, bool* is_return) {
  const bool is_interrupted = !is_call && arch::IsSignalReturn(registers->pc());
  UnwindRegisters theirs = {};
  if (!libunwind_->Next(&theirs)) return false;
  const bool is_to_handler = arch::IsSignalReturn(theirs.pc());
  if (!is_interrupted && !is_to_handler && !arch::FollowsCall(theirs.pc()) &&
      !arch::IsInstrumentationExit(theirs.pc()))
    return false;
  ++libunwind_frames_;
  *registers = theirs;
  *is_return = !is_interrupted && !is_to_handler;
  return true;
}

}  // namespace stillframe::native
