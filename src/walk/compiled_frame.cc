// SPDX-License-Identifier: Apache-2.0
#include "src/walk/compiled_frame.h"

#include <initializer_list>

#include "src/core/dex_pc.h"
#include "src/walk/code_elsewhere.h"
#include "src/walk/compiled_code.h"
#include "src/walk/method_check.h"

namespace stillframe::walk {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// Where a method's caller is at its first instruction.
constexpr arch::CallerPlace kCallerAtEntry = {arch::kHasLinkRegister ? 0 : uint32_t{kWord},
                                              arch::kHasLinkRegister};

// False unless a frame that fits the return address is there.
bool CallerAt(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
              const arch::CallerPlace& caller, QuickPlace* place) {
  *place = {registers.sp() + caller.frame_bytes, 0, core::kNoDexPc};
  if (place->frame < facts.stack_low + kWord || place->frame >= facts.stack_high) return false;
  if (caller.is_in_register)
    place->pc = registers.values[arch::kLinkRegister];
  else if (!LoadPointer(place->frame - kWord, &place->pc))
    return false;
  place->pc = arch::CodeAddress(place->pc);
  return FitsReturnAddress(facts, *place);
}

// Whether pc is outside an epilogue, or at its start with the frame still complete.
bool IsFrameWhole(uintptr_t pc, uint32_t frame_bytes) {
  arch::CallerPlace caller;
  return !arch::FindCallerInEpilogue(pc, &caller) || caller.frame_bytes == frame_bytes;
}

// Whether the stack pointer plus `below` is at the frame of the method that runs at pc. The slot
// there must hold an ArtMethod*. Hazard: the slot may be left over from an earlier frame; then the
// return address does not fit. In a recursion it may be the caller's. Any heap object can look like
// a method, and one with a hash code like a native method. So code without an entry point must have
// stored its method before pc.
[[gnu::noinline]] bool IsInOwnFrame(const RuntimeFacts& facts,
                                    const arch::UnwindRegisters& registers, uint32_t below,
                                    bool is_call) {
  const Layout& layout = *facts.layout;
  const uintptr_t pc = registers.pc();
  uintptr_t stored = 0;
  CompiledCode code = {};
  QuickPlace caller;
  if (!LoadPointer(registers.sp() + below, &stored) || !WalkIsMethod(layout, stored)) return false;
  if (!FindCodeOfMethod(layout, stored, pc, &code) &&
      !(FindCodeElsewhere(layout, facts.code_index, stored, pc, &code) &&
        (is_call ? arch::FollowsCall(pc)
                 : IsFrameWhole(pc, code.frame_bytes) && arch::HasStoredMethod(code.begin, pc))))
    return false;
  return code.frame_bytes != 0 && (is_call || arch::IsInFrame(code.begin, pc, code.frame_bytes)) &&
         CallerAt(facts, registers, {below + code.frame_bytes, false}, &caller);
}

// The same with the stack pointer further down: bytes below the frame; 0: not so.
uint32_t BytesBelowOwnFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers) {
  for (uint32_t bytes = kWord; bytes <= arch::kMaxScratchBytes; bytes += kWord)
    if (IsInOwnFrame(facts, registers, bytes, false)) return bytes;
  return 0;
}

// A method that runs at pc without a frame that names it. Method 0: unknown.
struct FramelessMethod {
  uintptr_t method = 0;
  CompiledCode code = {};
  arch::CallerPlace caller;
};

// Native methods with equal argument types share a compiled stub, so code does not identify them
// (ART 11 runtime/jit/jit_code_cache.h, JniStubKey).
bool IsNative(const Layout& layout, uintptr_t method) {
  uint32_t flags = 0;
  return !arch::GuardedLoad32(method + layout.method_access_flags, &flags) ||
         (flags & layout.access_native) != 0;
}

// Finds the method in its register, where the prologue still has it, or by code seen before.
[[gnu::noinline]] void FindMethod(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                                  FramelessMethod* found) {
  const Layout& layout = *facts.layout;
  const uintptr_t pc = registers.pc();
  uintptr_t seen = facts.code_index != nullptr ? facts.code_index->Find(pc) : 0;
  if (seen != 0 && IsNative(layout, seen)) seen = 0;
  for (const uintptr_t method : {registers.values[arch::kMethodRegister], seen}) {
    if (WalkIsMethod(layout, method) && FindCodeOfMethod(layout, method, pc, &found->code)) {
      found->method = method;
      return;
    }
  }
}

// Finds the method in the frame just dropped: its slot is below the stack pointer, where only
// signal handlers write. Code and frame must fit the remaining frame.
[[gnu::noinline]] void FindMethodOfDroppedFrame(const RuntimeFacts& facts,
                                                const arch::UnwindRegisters& registers,
                                                FramelessMethod* found) {
  const uintptr_t pc = registers.pc();
  const uintptr_t sp = registers.sp();
  uint32_t below = 0;
  uintptr_t method = 0;
  if (!arch::DroppedFrameBytes(pc, &below) || below >= sp || !LoadPointer(sp - below, &method) ||
      !WalkIsMethod(*facts.layout, method))
    return;
  if (!FindCodeOfMethod(*facts.layout, method, pc, &found->code) &&
      !FindCodeElsewhere(*facts.layout, facts.code_index, method, pc, &found->code))
    return;
  if (found->code.frame_bytes == below + found->caller.frame_bytes) found->method = method;
}

// Finds the method in its register, if it was called in code that it no longer uses. The prologue
// must store that method.
[[gnu::noinline]] bool FindMethodThatBegins(const RuntimeFacts& facts,
                                            const arch::UnwindRegisters& registers,
                                            FramelessMethod* found) {
  const uintptr_t method = registers.values[arch::kMethodRegister];
  if (!WalkIsMethod(*facts.layout, method) || IsNative(*facts.layout, method) ||
      !FindCodeElsewhere(*facts.layout, nullptr, method, registers.pc(), &found->code,
                         CodeFrame::kBeingMade))
    return false;
  found->method = method;
  return arch::FindCallerInPrologue(found->code.begin, registers.pc(), found->code.frame_bytes,
                                    &found->caller);
}

// False if the code at pc does not show where the caller's frame is. A dropped frame names its
// method. Code seen before may be another method's: the boot image shares one copy among methods
// with equal instructions (ART 11 dex2oat/driver/compiler_driver.h, DeduplicateCode).
[[gnu::noinline]] bool FindFramelessMethod(const RuntimeFacts& facts,
                                           const arch::UnwindRegisters& registers,
                                           FramelessMethod* found) {
  const uintptr_t pc = registers.pc();
  if (arch::FindCallerInEpilogue(pc, &found->caller))
    FindMethodOfDroppedFrame(facts, registers, found);
  if (found->method != 0) return true;
  FindMethod(facts, registers, found);
  if (found->method == 0)
    return arch::FindCallerInEpilogue(pc, &found->caller) ||
           FindMethodThatBegins(facts, registers, found);
  const CompiledCode& code = found->code;
  return arch::FindCallerInPrologue(code.begin, pc, code.frame_bytes, &found->caller) ||
         arch::FindCallerInEpilogue(pc, &found->caller) ||
         arch::FindCallerInBody(code.begin, pc, code.frame_bytes, &found->caller);
}

// Arguments on the stack; in a stub without a frame also saved registers.
constexpr uint32_t kMaxStubWords = 32;

// Finds the frame of a native method's stub, after a call in the stub: its frame is above the
// arguments. From ART 11 on, stubs of @CriticalNative methods have no managed frame, only an
// argument area of unknown size (ART 11 compiler/jni/quick/x86_64/calling_convention_x86_64.cc,
// FrameSize). They are recognised because they allocate stack without a frame, and store no method
// there: a method whose header lies does. For these, scan: the first word that fits a caller is the
// return address.
[[gnu::noinline]] bool FindStubFrame(const RuntimeFacts& facts,
                                     const arch::UnwindRegisters& registers, bool is_call,
                                     QuickPlace* place) {
  const uintptr_t pc = registers.pc();
  CompiledCode code = {};
  if ((is_call && !arch::FollowsCall(pc)) || !FindStub(*facts.layout, pc, &code)) return false;
  const bool can_be_here = code.frame_bytes != 0 ? is_call
                                                 : !arch::HasStoredMethod(code.begin, pc) &&
                                                       (is_call || arch::TakesStack(code.begin));
  if (!can_be_here) return false;
  const uint32_t least = code.frame_bytes != 0 ? code.frame_bytes : uint32_t{kWord};
  for (uint32_t words = 0; words < kMaxStubWords; ++words) {
    const uint32_t below = words * uint32_t{kWord};
    if (!CallerAt(facts, registers, {below + least, false}, place)) continue;
    if (code.frame_bytes == 0)
      return facts.modules->TryCode(place->pc)
                 ? arch::FollowsCall(place->pc) || arch::IsInstrumentationExit(place->pc)
                 : facts.modules->IsUnreadableCode(place->pc);
    *place = {registers.sp() + below, pc, core::kNoDexPc};
    uintptr_t method = 0;
    if (LoadPointer(place->frame, &method) && WalkIsMethod(*facts.layout, method)) return true;
  }
  return false;
}

// Handles a call from a method without a frame: baseline code pushes its method when it requests
// recompilation (ART 11 and 14 compiler/optimizing/code_generator_x86_64.cc,
// code_generator_arm64.cc, MaybeIncrementHotness).
[[gnu::noinline]] bool FindCallOfFrameless(const RuntimeFacts& facts,
                                           const arch::UnwindRegisters& registers,
                                           FramelessMethod* found) {
  found->caller = {2 * uint32_t{kWord}, false};
  return LoadPointer(registers.sp(), &found->method) &&
         WalkIsMethod(*facts.layout, found->method) && arch::FollowsCall(registers.pc()) &&
         (FindCodeOfMethod(*facts.layout, found->method, registers.pc(), &found->code) ||
          FindCodeElsewhere(*facts.layout, facts.code_index, found->method, registers.pc(),
                            &found->code, CodeFrame::kNone)) &&
         found->code.frame_bytes == 0;
}

// The stub of a @CriticalNative method is not a managed frame, also while the native method runs.
[[gnu::noinline]] bool IsInFramelessStub(const RuntimeFacts& facts, uintptr_t pc) {
  CompiledCode code = {};
  return FindStub(*facts.layout, pc, &code) && code.frame_bytes == 0;
}

// Finds the caller of code whose own frame is not at the stack pointer.
[[gnu::noinline]] bool FindFrameless(const RuntimeFacts& facts,
                                     const arch::UnwindRegisters& registers, bool is_call,
                                     InnermostFrame* innermost) {
  FramelessMethod found;
  QuickPlace caller;
  const bool is_found = is_call ? FindCallOfFrameless(facts, registers, &found)
                                : FindFramelessMethod(facts, registers, &found);
  if (!is_found || !CallerAt(facts, registers, found.caller, &caller)) return false;
  innermost->place = caller;
  innermost->method = found.method;
  innermost->dex_pc = RawPc(registers.pc());
  innermost->code_mark = CodeMark(found.code);
  innermost->is_nameless = found.method == 0 && !IsInFramelessStub(facts, registers.pc());
  return true;
}

// Whether pc is in a native method's compiled stub and `top_quick_frame` is its frame. The stub
// stores top_quick_frame before it moves the stack pointer down for the arguments of its calls (ART
// 11 compiler/jni/quick/jni_compiler.cc, ArtJniCompileMethodInternal). Before that, top_quick_frame
// may be left over from a frame that has returned.
[[gnu::noinline]] bool IsCompiledJniFrame(const RuntimeFacts& facts,
                                          const arch::UnwindRegisters& registers,
                                          uintptr_t top_quick_frame, bool is_call) {
  constexpr uintptr_t kMaxArgumentBytes = 4096;
  const Layout& layout = *facts.layout;
  const uintptr_t pc = registers.pc();
  const uintptr_t sp = registers.sp();
  uintptr_t method = 0;
  uint32_t flags = 0;
  CompiledCode code;
  if (top_quick_frame < sp || top_quick_frame - sp > kMaxArgumentBytes ||
      !LoadPointer(top_quick_frame, &method) || !WalkIsMethod(layout, method) ||
      !arch::GuardedLoad32(method + layout.method_access_flags, &flags) ||
      (flags & layout.access_native) == 0)
    return false;
  return (FindCodeOfMethod(layout, method, pc, &code) || FindStub(layout, pc, &code)) &&
         (is_call || arch::HasStoredMethod(code.begin, pc)) &&
         HasFittingCaller(facts, top_quick_frame + code.frame_bytes);
}

}  // namespace

// Uses little stack itself, since its callees need much.
bool FindLiveCompiledFrame(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                           uintptr_t top_quick_frame, bool is_call, InnermostFrame* innermost) {
  const uintptr_t pc = registers.pc();
  *innermost = {{registers.sp(), pc, core::kNoDexPc}};
  if (IsInOwnFrame(facts, registers, 0, is_call)) return true;
  if (IsCompiledJniFrame(facts, registers, top_quick_frame, is_call)) {
    innermost->place.frame = top_quick_frame;
    return true;
  }
  if (!is_call && arch::IsRuntimeTrampoline(pc) &&
      CallerAt(facts, registers, kCallerAtEntry, &innermost->place))
    return true;
  if (FindFrameless(facts, registers, is_call, innermost)) return true;
  if (FindStubFrame(facts, registers, is_call, &innermost->place)) return true;
  if (is_call) return false;
  if constexpr (arch::kMaxScratchBytes == 0) return false;
  const uint32_t below = BytesBelowOwnFrame(facts, registers);
  *innermost = {{registers.sp() + below, pc, core::kNoDexPc}};
  return below != 0;
}

}  // namespace stillframe::walk
