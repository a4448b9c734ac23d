#include "src/walk/compiled_frame.h"

#include <initializer_list>

#include "src/walk/compiled_code.h"
#include "src/walk/method_check.h"

namespace stillframe::walk {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// False unless a frame that fits the return address lies there.
bool CallerAt(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
              const arch::CallerPlace& caller, QuickPlace* place) {
  *place = {registers.sp() + caller.frame_bytes, 0, core::kNoDexPc};
  if (place->frame < facts.stack_low + kWord || place->frame >= facts.stack_high) return false;
  if (caller.is_in_register) {
    place->pc = registers.values[arch::kLinkRegister];
  } else if (!LoadPointer(place->frame - kWord, &place->pc)) {
    return false;
  }
  place->pc = arch::CodeAddress(place->pc);
  return FitsReturnAddress(facts, *place);
}

// The method that runs at pc without having stored itself: still in its register at the entry, or
// seen here before.
uintptr_t MethodAt(const RuntimeFacts& facts, const arch::UnwindRegisters& registers, uintptr_t pc,
                   CompiledCode* code) {
  const Layout& layout = *facts.layout;
  const uintptr_t seen = facts.code_index != nullptr ? facts.code_index->Find(pc) : 0;
  for (const uintptr_t method : {registers.values[arch::kMethodRegister], seen}) {
    if (WalkIsMethod(layout, method) && FindCodeOfMethod(layout, method, pc, code)) return method;
  }
  return 0;
}

// The method of a frame that is being given up, when `left_bytes` are left of it: its word is below
// the stack pointer, where only a signal handler can have written since. Its code and its frame
// must fit the place.
uintptr_t GivenUpMethod(const RuntimeFacts& facts, uintptr_t pc, uintptr_t sp, uint32_t left_bytes,
                        CompiledCode* code) {
  uint32_t below = 0;
  uintptr_t method = 0;
  return arch::GivenUpBytes(pc, &below) && below < sp && LoadPointer(sp - below, &method) &&
                 WalkIsMethod(*facts.layout, method) &&
                 FindCodeOfMethod(*facts.layout, method, pc, code) &&
                 code->frame_bytes == below + left_bytes
             ? method
             : 0;
}

}  // namespace

LiveCompiled FindLiveCompiledFrame(const RuntimeFacts& facts,
                                   const arch::UnwindRegisters& registers, bool is_call,
                                   QuickPlace* place, uintptr_t* method, uint32_t* offset) {
  const Layout& layout = *facts.layout;
  const uintptr_t pc = registers.pc();
  const uintptr_t sp = registers.sp();
  CompiledCode code = {};
  uintptr_t stored = 0;
  QuickPlace fitting;
  // The body of a method that stored itself. The same word may be left over from an earlier frame:
  // then the return address does not fit. Or it is the caller's, which calls itself.
  if (LoadPointer(sp, &stored) && WalkIsMethod(layout, stored) &&
      FindCodeOfMethod(layout, stored, pc, &code) && code.frame_bytes != 0 &&
      (is_call || arch::IsInFrame(code.begin, pc, code.frame_bytes)) &&
      CallerAt(facts, registers, {code.frame_bytes, false}, &fitting)) {
    *place = {sp, pc, core::kNoDexPc};
    return LiveCompiled::kFrame;
  }
  if (is_call) return LiveCompiled::kNone;
  *method = MethodAt(facts, registers, pc, &code);
  arch::CallerPlace caller;
  if (*method == 0) {
    if (!arch::FindCallerAtExit(pc, &caller)) return LiveCompiled::kNone;
    *method = GivenUpMethod(facts, pc, sp, caller.frame_bytes, &code);
  } else if (!arch::FindCallerAtEntry(code.begin, pc, code.frame_bytes, &caller) &&
             !arch::FindCallerAtExit(pc, &caller) &&
             !arch::FindCallerInBody(code.begin, pc, code.frame_bytes, &caller)) {
    return LiveCompiled::kNone;
  }
  *offset = static_cast<uint32_t>(pc - code.begin);
  if (!CallerAt(facts, registers, caller, place)) return LiveCompiled::kNone;
  return *method != 0 ? LiveCompiled::kNoFrame : LiveCompiled::kNameless;
}

}  // namespace stillframe::walk
