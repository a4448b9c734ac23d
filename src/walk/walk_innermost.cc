// SPDX-License-Identifier: Apache-2.0
#include "src/walk/walk_innermost.h"

#include "src/core/dex_pc.h"
#include "src/unwind/native_step.h"
#include "src/walk/code_elsewhere.h"
#include "src/walk/compiled_code.h"
#include "src/walk/method_check.h"
#include "src/walk/nterp_frame.h"
#include "src/walk/traced_return.h"

namespace stillframe::walk {
namespace {

// Limit of native frames above managed code: runtime and C library, never deep.
constexpr uint32_t kMaxSteps = 96;

// Whether a return address is in the generic stub of native methods.
bool IsInJniStub(const RuntimeFacts& facts, uintptr_t return_address) {
  return return_address - 1 >= facts.generic_jni_begin &&
         return_address - 1 < facts.generic_jni_end;
}

// Whether a native method's frame with a fitting caller is at `sp`. The generic stub leaves the
// stack so when it delivers the native method's exception, but its call frame information differs
// (ART 11 runtime/arch/x86_64/quick_entrypoints_x86_64.S, art_quick_generic_jni_trampoline,
// .Lexception_in_native).
[[gnu::noinline]] bool IsJniFrameAt(const RuntimeFacts& facts, uintptr_t sp) {
  const Layout& layout = *facts.layout;
  uintptr_t method = 0;
  uint32_t flags = 0;
  uintptr_t return_address = 0;
  if (!LoadPointer(sp, &method) || !WalkIsMethod(layout, method) ||
      !arch::GuardedLoad32(method + layout.method_access_flags, &flags) ||
      (flags & layout.access_native) == 0)
    return false;
  const uint32_t bytes = GenericJniFrameBytes(layout, sp);
  return bytes != 0 && LoadPointer(sp + bytes - sizeof(uintptr_t), &return_address) &&
         FitsReturnAddress(facts, {sp + bytes, arch::CodeAddress(return_address), core::kNoDexPc});
}

// The word at `return_address_at` is the pc where a compiled method faulted, not a return address.
// The method's frame begins in the next word.
[[gnu::noinline]] bool FindFrameThatFaulted(const RuntimeFacts& facts, uintptr_t return_address_at,
                                            QuickPlace* place) {
  const Layout& layout = *facts.layout;
  uintptr_t method = 0;
  CompiledCode code = {};
  *place = {return_address_at + sizeof(uintptr_t), 0, core::kNoDexPc};
  if (!LoadPointer(return_address_at, &place->pc)) return false;
  place->pc = arch::CodeAddress(place->pc);
  return LoadPointer(place->frame, &method) && WalkIsMethod(layout, method) &&
         (FindCodeOfMethod(layout, method, place->pc, &code) ||
          FindCodeElsewhere(layout, facts.code_index, method, place->pc, &code)) &&
         code.frame_bytes != 0 && HasFittingCaller(facts, place->frame + code.frame_bytes);
}

// Whether `sp` is at the frame of the null check stub. A fault enters the stub, not a call; the
// stub describes its frame and calls to throw (ART 11
// runtime/arch/x86_64/quick_entrypoints_x86_64.S,
// art_quick_throw_null_pointer_exception_from_signal).
[[gnu::noinline]] bool IsFrameOfFault(const RuntimeFacts& facts, uintptr_t top_quick_frame,
                                      uintptr_t sp) {
  uintptr_t method = 0;
  QuickPlace faulted = {};
  if (top_quick_frame != sp || !LoadPointer(sp, &method)) return false;
  const uint32_t bytes = CalleeSaveFrameBytes(facts, method);
  return bytes != 0 && FindFrameThatFaulted(facts, sp + bytes - sizeof(uintptr_t), &faulted);
}

// Whether native code returns to the stub for traced methods: a @CriticalNative method whose stub
// jumped to it (ART 11 runtime/arch/arm64/quick_entrypoints_arm64.S,
// art_quick_instrumentation_entry).
[[gnu::noinline]] bool IsBelowTracedExit(const RuntimeFacts& facts, const QuickPlace& caller) {
  return IsTracedExit(facts, caller.pc) && FitsReturnAddress(facts, caller);
}

// The same stub at its first instruction, right after the fault handler's return, where pending
// signals are delivered. The fault handler put the faulting pc on the stack and, without a register
// for it, the faulting address below (ART 10, 11 and 14 runtime/arch/*/fault_handler_*.cc,
// NullPointerHandler::Action).
[[gnu::noinline]] bool IsBehindFault(const RuntimeFacts& facts, uintptr_t sp, QuickPlace* place) {
  return FindFrameThatFaulted(facts, arch::kHasLinkRegister ? sp : sp + sizeof(uintptr_t), place);
}

// Whether the thread is in a native method called by the invoke stub. The generic stub has then
// published the fragment's only frame, and code below that frame belongs to the native method. If a
// method called it, others may have been called since.
[[gnu::noinline]] bool IsInCalledJniFrame(const RuntimeFacts& facts, uintptr_t top_quick_frame,
                                          uintptr_t sp, uintptr_t limit) {
  uintptr_t caller = 0;
  if (top_quick_frame <= sp || top_quick_frame >= limit || !IsJniFrameAt(facts, top_quick_frame))
    return false;
  const uint32_t bytes = GenericJniFrameBytes(*facts.layout, top_quick_frame);
  return LoadPointer(top_quick_frame + bytes, &caller) && caller == 0;
}

}  // namespace

Innermost FindInnermostFrame(const RuntimeFacts& facts, const arch::Registers& interrupted,
                             uintptr_t top_quick_frame, uintptr_t next_fragment,
                             InnermostFrame* innermost) {
  arch::UnwindRegisters registers;
  arch::FillUnwindRegisters(*interrupted.context, &registers);
  const uintptr_t limit = next_fragment != 0 ? next_fragment : facts.stack_high;
  unwind::CodeModule module = {};
  for (uint32_t steps = 0; steps < kMaxSteps; ++steps) {
    const uintptr_t pc = registers.pc();
    const uintptr_t sp = registers.sp();
    if (sp < facts.stack_low || sp % sizeof(uintptr_t) != 0) return Innermost::kUnknown;
    // The function that pushed the next fragment is further out than the interrupted one.
    if (sp >= limit) return steps == 0 ? Innermost::kUnknown : Innermost::kNone;
    LiveNterpFrame live;
    if (IsInNterp(facts, pc) && FindLiveNterpFrame(facts, registers, &live)) {
      innermost->place = {live.frame, pc, live.dex_pc};
      return Innermost::kFound;
    }
    if (facts.modules == nullptr) return Innermost::kUnknown;
    if (!module.Holds(pc) && (steps != 0 || !facts.modules->Find(pc, &module))) {
      return FindLiveCompiledFrame(facts, registers, top_quick_frame, steps != 0, innermost)
                 ? Innermost::kFound
                 : Innermost::kUnknown;
    }
    if constexpr (arch::kHasLinkRegister)
      if (steps == 0 && facts.modules->TryCode(module, pc) && arch::IsInLongJump(pc))
        return Innermost::kUnknown;
    const bool is_in_jni_stub = steps != 0 && IsInJniStub(facts, pc);
    if (is_in_jni_stub && IsJniFrameAt(facts, sp)) {
      innermost->place = {sp, 0, core::kNoDexPc, true};
      return Innermost::kFound;
    }
    if (!unwind::StepNativeFrame(*facts.modules, steps != 0, &module, &registers)) {
      if (!arch::kRuntimeDescribesItself && IsInCalledJniFrame(facts, top_quick_frame, sp, limit)) {
        innermost->place = {top_quick_frame, 0, core::kNoDexPc, true};
        return Innermost::kFound;
      }
      innermost->place = {sp, pc, core::kNoDexPc};
      if (steps != 0 && IsBelowTracedExit(facts, innermost->place)) return Innermost::kFound;
      innermost->place = {sp, 0, core::kNoDexPc};
      const bool is_found = steps != 0 ? IsFrameOfFault(facts, top_quick_frame, sp)
                                       : IsBehindFault(facts, sp, &innermost->place);
      return is_found ? Innermost::kFound : Innermost::kUnknown;
    }
    // Only the innermost function may have an empty frame, with the return address in a register.
    const uintptr_t least = steps == 0 ? sp : sp + sizeof(uintptr_t);
    if (registers.sp() < least) return Innermost::kUnknown;
    if (is_in_jni_stub && top_quick_frame >= sp && top_quick_frame < registers.sp() &&
        top_quick_frame + GenericJniFrameBytes(*facts.layout, top_quick_frame) == registers.sp()) {
      innermost->place = {top_quick_frame, 0, core::kNoDexPc, true};
      return Innermost::kFound;
    }
  }
  return Innermost::kUnknown;
}

}  // namespace stillframe::walk
