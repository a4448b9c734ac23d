#include "src/art/walk_innermost.h"

#include "src/art/compiled_frame.h"
#include "src/art/nterp_frame.h"
#include "src/unwind/native_step.h"

namespace stillframe::art {
namespace {

// Native frames above managed code: runtime and C library, never deep.
constexpr uint32_t kMostSteps = 96;

bool IsIn(uintptr_t pc, uintptr_t begin, uintptr_t end) { return pc >= begin && pc < end; }

Innermost FindCompiled(const RuntimeFacts& facts, const arch::UnwindRegisters& registers,
                       bool is_call, InnermostFrame* innermost) {
  switch (FindLiveCompiledFrame(facts, registers, is_call, &innermost->place, &innermost->method,
                                &innermost->offset)) {
    case LiveCompiled::kNone: return Innermost::kUnknown;
    case LiveCompiled::kFrame: innermost->method = 0; break;
    case LiveCompiled::kNoFrame: break;
    case LiveCompiled::kNameless: innermost->is_nameless = true; break;
  }
  return Innermost::kFound;
}

}  // namespace

Innermost FindInnermostFrame(const RuntimeFacts& facts, const arch::Registers& interrupted,
                             uintptr_t top_quick_frame, uintptr_t next_fragment,
                             InnermostFrame* innermost) {
  arch::UnwindRegisters registers;
  arch::FillUnwindRegisters(*interrupted.context, &registers);
  const uintptr_t limit = next_fragment != 0 ? next_fragment : facts.stack_high;
  for (uint32_t steps = 0; steps < kMostSteps; ++steps) {
    const uintptr_t pc = registers.pc();
    const uintptr_t sp = registers.sp();
    if (sp < facts.stack_low || sp % sizeof(uintptr_t) != 0) return Innermost::kUnknown;
    if (sp >= limit) return Innermost::kNone;
    LiveNterpFrame live;
    if (IsIn(pc, facts.nterp_begin, facts.nterp_end) &&
        FindLiveNterpFrame(facts, registers, &live)) {
      innermost->place = {live.frame, pc, live.dex_pc};
      return Innermost::kFound;
    }
    if (facts.modules == nullptr) return Innermost::kUnknown;
    if (facts.modules->Find(pc) == nullptr) {
      return FindCompiled(facts, registers, steps != 0, innermost);
    }
    if (!unwind::StepNativeFrame(*facts.modules, steps != 0, &registers)) {
      return Innermost::kUnknown;
    }
    // Only the innermost function may have nothing on the stack, where a register holds the return
    // address.
    const uintptr_t least = steps == 0 ? sp : sp + sizeof(uintptr_t);
    if (registers.sp() < least) return Innermost::kUnknown;
    if (steps != 0 && IsIn(pc - 1, facts.generic_jni_begin, facts.generic_jni_end) &&
        top_quick_frame >= sp && top_quick_frame < registers.sp() &&
        top_quick_frame + GenericJniFrameBytes(*facts.layout, top_quick_frame) == registers.sp()) {
      innermost->place = {top_quick_frame, 0, core::kNoDexPc, true};
      return Innermost::kFound;
    }
  }
  return Innermost::kUnknown;
}

}  // namespace stillframe::art
