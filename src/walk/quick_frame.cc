// SPDX-License-Identifier: Apache-2.0
#include "src/walk/quick_frame.h"

#include "src/core/dex_pc.h"
#include "src/walk/code_elsewhere.h"
#include "src/walk/compiled_code.h"
#include "src/walk/method_check.h"
#include "src/walk/nterp_frame.h"
#include "src/walk/traced_return.h"

namespace stillframe::walk {
namespace {

constexpr uint32_t kWord = sizeof(uintptr_t);

[[gnu::noinline]] bool FitsNterpFrame(const RuntimeFacts& facts, uintptr_t frame, uintptr_t method,
                                      LastClass* last) {
  NterpShape shape;
  NterpFrame nterp;
  return LoadNterpShape(*facts.layout, method, last, &shape) &&
         ReadNterpFrame(frame, shape, &nterp) && nterp.end < facts.stack_high;
}

}  // namespace

bool FitsReturnAddress(const RuntimeFacts& facts, const QuickPlace& place) {
  const Layout& layout = *facts.layout;
  uintptr_t method = 0;
  if (place.frame % kWord != 0 || !LoadPointer(place.frame, &method)) return false;
  if (method == 0) return IsInLibrary(facts, place.pc);
  LastClass last;
  if (!WalkIsMethod(layout, method, &last)) return false;
  if (IsInNterp(facts, place.pc)) return FitsNterpFrame(facts, place.frame, method, &last);
  CompiledCode code;
  if (FindCodeOfMethod(layout, method, place.pc, &code)) return code.frame_bytes != 0;
  // The code that it returns to is unknown here, see traced_return.h.
  if (IsInLibrary(facts, place.pc)) return IsTracedExit(facts, place.pc);
  return arch::FollowsCall(place.pc) &&
         FindCodeElsewhere(layout, facts.code_index, method, place.pc, &code);
}

bool HasFittingCaller(const RuntimeFacts& facts, uintptr_t frame) {
  QuickPlace caller = {frame, 0, core::kNoDexPc};
  if (frame >= facts.stack_high || !LoadPointer(frame - kWord, &caller.pc)) return false;
  caller.pc = arch::CodeAddress(caller.pc);
  return FitsReturnAddress(facts, caller);
}

}  // namespace stillframe::walk
