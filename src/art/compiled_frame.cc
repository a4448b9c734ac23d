#include "src/art/compiled_frame.h"

#include <initializer_list>

#include "src/art/compiled_code.h"
#include "src/art/method_check.h"

namespace stillframe::art {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// The caller's place behind a return address at `at`. False unless a frame that fits the return
// address lies there.
bool CallerAt(const RuntimeFacts& facts, uintptr_t at, QuickPlace* place) {
  *place = {at + kWord, 0, core::kNoDexPc};
  return at >= facts.stack_low && at < facts.stack_high - kWord && LoadPointer(at, &place->pc) &&
         FitsReturnAddress(facts, *place);
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

// The method of a frame that is being given up above `left_bytes` and the return address: its word
// is left below the stack pointer, where only a signal handler can have written since. Its code and
// its frame must fit the place.
uintptr_t GivenUpMethod(const RuntimeFacts& facts, uintptr_t pc, uintptr_t sp, uint32_t left_bytes,
                        CompiledCode* code) {
  uint32_t below = 0;
  uintptr_t method = 0;
  return arch::GivenUpBytes(pc, &below) && below < sp && LoadPointer(sp - below, &method) &&
                 WalkIsMethod(*facts.layout, method) &&
                 FindCodeOfMethod(*facts.layout, method, pc, code) &&
                 code->frame_bytes == below + left_bytes + kWord
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
  QuickPlace caller;
  // The body of a method that stored itself. The same word may be left over from an earlier frame:
  // then the return address does not fit.
  if (LoadPointer(sp, &stored) && WalkIsMethod(layout, stored) &&
      FindCodeOfMethod(layout, stored, pc, &code) && code.frame_bytes != 0 &&
      CallerAt(facts, sp + code.frame_bytes - kWord, &caller)) {
    *place = {sp, pc, core::kNoDexPc};
    return LiveCompiled::kFrame;
  }
  if (is_call) return LiveCompiled::kNone;
  *method = MethodAt(facts, registers, pc, &code);
  uint32_t bytes = 0;
  if (*method == 0) {
    if (!arch::LeftFrameBytes(pc, &bytes)) return LiveCompiled::kNone;
    *method = GivenUpMethod(facts, pc, sp, bytes, &code);
  } else if (!arch::EnteredFrameBytes(code.begin, pc, &bytes) &&
             !arch::LeftFrameBytes(pc, &bytes)) {
    // The body of a leaf, or of a method that did not store itself.
    if (!arch::kCallPushesReturnAddress ||
        (code.frame_bytes != 0 && !arch::IsBehindEntry(code.begin, pc, code.frame_bytes))) {
      return LiveCompiled::kNone;
    }
    bytes = code.frame_bytes != 0 ? code.frame_bytes - uint32_t{kWord} : 0;
  }
  *offset = static_cast<uint32_t>(pc - code.begin);
  if (!CallerAt(facts, sp + bytes, place)) return LiveCompiled::kNone;
  return *method != 0 ? LiveCompiled::kNoFrame : LiveCompiled::kNameless;
}

}  // namespace stillframe::art
