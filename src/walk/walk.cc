// SPDX-License-Identifier: Apache-2.0
#include "src/walk/walk.h"

#include "src/core/prefetch.h"
#include "src/walk/fragment.h"
#include "src/walk/method_check.h"
#include "src/walk/walk_innermost.h"
#include "src/walk/walk_quick.h"
#include "src/walk/warm_facts.h"

namespace stillframe::walk {
namespace {

using arch::GuardedLoad32;
using arch::Registers;
using core::FrameSink;
using core::RawFrameKind;
using core::Truncation;

// Limit of fragments: each has frames, or is between two that have.
constexpr uint32_t kMaxFragments = 2 * FrameSink::kMostFrames;

// Without registers the caller is not the watched thread's signal.
WarmFacts* WarmOf(const RuntimeFacts& facts, const Registers* registers) {
  return registers != nullptr ? facts.warm : nullptr;
}

// Limit of a method's code, in bytes, for trust in the live mterp pc.
constexpr uintptr_t kMaxInstructionBytes = 1U << 17;

// The live dex pc pointer of the innermost shadow frame. mterp stores it only at instructions that
// can throw or call. Between them it is in a register. `stored`: the frame's.
uintptr_t LiveDexPcPointer(const RuntimeFacts& facts, const Registers& innermost,
                           uintptr_t instructions, uintptr_t stored) {
  const bool is_live = innermost.pc >= facts.mterp_begin && innermost.pc < facts.mterp_end &&
                       innermost.mterp_pc - instructions < kMaxInstructionBytes &&
                       (innermost.mterp_pc & 1) == 0;
  return is_live ? innermost.mterp_pc : stored;
}

// A new frame is on top for some instructions before its link is set (ART 14
// runtime/managed_stack-inl.h, PushShadowFrame). If a frame rightly has no link, one function made
// it and the next fragment. The frame is then right below, with its registers at its end. A frame
// on the heap replaced compiled frames and got its link before (ART 14
// runtime/quick_exception_handler.cc, DeoptimizeStackVisitor).
constexpr uintptr_t kMaxUnlinkedFrameGap = 768;

bool IsNotYetLinked(const RuntimeFacts& facts, uintptr_t frame, uintptr_t link,
                    uintptr_t next_fragment) {
  constexpr uintptr_t kRegisterBytes = 8;  // each as a value and as a reference
  uint32_t registers = 0;
  return link == 0 && next_fragment != 0 && IsOnStack(facts, frame, alignof(uint32_t)) &&
         GuardedLoad32(frame + facts.layout->shadow_dex_pc - sizeof registers, &registers) &&
         next_fragment - frame > kMaxUnlinkedFrameGap + registers * kRegisterBytes;
}

// Kind and tag of an interpreted frame that does not follow as in the sample before.
[[gnu::noinline]] uint32_t MeetInterpreted(const Layout& layout, uintptr_t frame, uintptr_t method,
                                           FrameSink::Earlier* earlier, WarmFacts* warm) {
  uint32_t kind_and_tag = 0;
  if (warm != nullptr) warm->Note(frame);
  return earlier->PassSome(method, &kind_and_tag)
             ? kind_and_tag
             : core::KindAndTag(RawFrameKind::kInterpreted, WalkMethodTag(layout, method));
}

// `innermost`: the registers of the thread that runs in the first frame, or null. False: stop the
// walk, because the sink is full or memory is unreadable.
SF_EACH_SAMPLE [[gnu::noinline]] bool WalkShadowFrames(const RuntimeFacts& facts, uintptr_t frame,
                                                       uintptr_t next_fragment,
                                                       const Registers* innermost, WarmFacts* warm,
                                                       FrameSink* sink) {
  // In locals: after a guarded load the compiler reads all else again.
  const Layout& layout = *facts.layout;
  const uint32_t pointer_at = layout.shadow_dex_pc_ptr;
  FrameSink::Earlier earlier = sink->earlier();
  FrameSink::Room room = sink->room();
  for (;;) {
    uintptr_t method = 0;
    uintptr_t link = 0;
    uintptr_t pointer = 0;
    uint32_t dex_pc = 0;
    if (!LoadPointer(frame + layout.shadow_method, &method) ||
        !LoadStackPointer(frame + layout.shadow_link, &link) ||
        (pointer_at != kNoField && !LoadPointer(frame + pointer_at, &pointer)))
      break;
    if (pointer != 0) [[likely]] {
      uintptr_t instructions = 0;
      if (!LoadPointer(frame + layout.shadow_dex_instructions, &instructions)) break;
      instructions += layout.shadow_instructions_bias;
      if (innermost != nullptr) [[unlikely]]
        pointer = LiveDexPcPointer(facts, *innermost, instructions, pointer);
      dex_pc = static_cast<uint32_t>((pointer - instructions) / 2);
    } else if (!GuardedLoad32(frame + layout.shadow_dex_pc, &dex_pc)) {
      break;
    }
    uint32_t kind_and_tag = 0;
    if (!earlier.Pass(method, &kind_and_tag))
      kind_and_tag = MeetInterpreted(layout, frame, method, &earlier, warm);
    if (room.next != room.end) [[likely]] {
      room.Put(method, dex_pc, kind_and_tag);
    } else {
      sink->Keep(room);
      if (!sink->Push(method, dex_pc, RawFrameKind::kInterpreted, kind_and_tag >> 8)) {
        sink->PushTruncation(Truncation::kDepthLimit);
        return false;
      }
      room = sink->room();
    }
    if (innermost != nullptr) [[unlikely]] {
      sink->Keep(room);
      if (IsNotYetLinked(facts, frame, link, next_fragment))
        sink->PushTruncation(Truncation::kNoFrames);
      room = sink->room();
      innermost = nullptr;
    }
    frame = link;
    if (frame != 0) continue;
    sink->Keep(room);
    sink->SetEarlier(earlier);
    return true;
  }
  sink->Keep(room);
  sink->PushTruncation(Truncation::kUnreadable);
  return true;
}

// Walks the quick frames of the innermost fragment. Not inlined: its stack is not in use while the
// innermost frame is searched.
SF_EACH_SAMPLE [[gnu::noinline]] bool WalkQuickAlone(const RuntimeFacts& facts,
                                                     const QuickPlace& place,
                                                     uintptr_t next_fragment,
                                                     TracedReturns* returns, WarmFacts* warm,
                                                     FrameSink* sink) {
  WalkMemory memory;
  memory.is_warm = warm != nullptr;
  return WalkQuickFrames(facts, place, next_fragment, returns, &memory, sink);
}

// Walks the innermost fragment while managed code runs in it. The interrupted registers decide: ART
// does not clear top_quick_frame when it returns to managed code.
bool WalkRunningFragment(const RuntimeFacts& facts, const Fragment& fragment,
                         const Registers* registers, TracedReturns* returns, FrameSink* sink) {
  if (registers == nullptr || registers->context == nullptr) {
    sink->PushTruncation(Truncation::kNoRegisters);
    return true;
  }
  InnermostFrame innermost;
  const uintptr_t top = fragment.tagged_quick_frame & ~facts.layout->quick_frame_tag_mask;
  switch (FindInnermostFrame(facts, *registers, top, fragment.link, &innermost)) {
    case Innermost::kFound: break;
    case Innermost::kNone: return true;
    case Innermost::kUnknown: sink->PushTruncation(Truncation::kUnknownCode); return true;
  }
  if (innermost.is_nameless) sink->PushTruncation(Truncation::kUnknownCode);
  if (innermost.method != 0 &&
      !sink->Push(innermost.method, innermost.dex_pc, RawFrameKind::kCompiled,
                  WalkMethodTag(*facts.layout, innermost.method, innermost.code_mark))) {
    sink->PushTruncation(Truncation::kDepthLimit);
    return false;
  }
  return WalkQuickAlone(facts, innermost.place, fragment.link, returns, facts.warm, sink);
}

QuickPlace TopQuickFrame(const Layout& layout, const Fragment& fragment) {
  const bool is_generic_jni = (fragment.tagged_quick_frame & layout.generic_jni_tag) != 0;
  return {fragment.tagged_quick_frame & ~layout.quick_frame_tag_mask, 0, core::kNoDexPc,
          is_generic_jni};
}

// Position in a thread's fragments, outwards.
struct Chain {
  uintptr_t address;      // the next fragment; 0: none
  bool is_whole = false;  // the last one had no frames
};

// Advances to the fragment that `fragment` links to. `total`: frames before `fragment`. False:
// stop.
SF_EACH_SAMPLE [[gnu::noinline]] bool Follow(const RuntimeFacts& facts, const Fragment& fragment,
                                             bool is_first, uint32_t total, Chain* chain,
                                             FrameSink* sink) {
  // All fragments but the innermost are on the stack, each above the one pushed for it (ART 11
  // runtime/managed_stack-inl.h, PushManagedStackFragment).
  if (fragment.link != 0 && (!IsOnStack(facts, fragment.link, alignof(Fragment)) ||
                             (!is_first && fragment.link <= chain->address))) {
    sink->PushTruncation(Truncation::kBadFragment);
    return false;
  }
  *chain = {fragment.link, sink->total() == total};
  return !sink->is_hopeless();
}

// Walks the innermost fragment, which may be about to change. False: stop the walk.
[[gnu::always_inline]] inline bool WalkTopFragment(const RuntimeFacts& facts, uint8_t state,
                                                   const Registers* registers,
                                                   TracedReturns* returns, Chain* chain,
                                                   FrameSink* sink) {
  Fragment fragment;
  if (!LoadFragment(*facts.layout, chain->address, &fragment)) {
    sink->PushTruncation(Truncation::kUnreadable);
    return false;
  }
  TopFragment top = TopFragment::kWhole;
  if (registers != nullptr) top = SettleTopFragment(facts, chain->address, *registers, &fragment);
  if (top == TopFragment::kTorn) {
    sink->PushTruncation(Truncation::kNoFrames);
    return false;
  }
  bool goes_on = true;
  if (top != TopFragment::kCopied) {
    if (fragment.shadow_frame != 0)
      goes_on = WalkShadowFrames(facts, fragment.shadow_frame, fragment.link, registers,
                                 WarmOf(facts, registers), sink);
    else if (state == facts.layout->state_runnable)
      goes_on = WalkRunningFragment(facts, fragment, registers, returns, sink);
    else if (fragment.tagged_quick_frame != 0)
      goes_on = WalkQuickAlone(facts, TopQuickFrame(*facts.layout, fragment), fragment.link,
                               returns, WarmOf(facts, registers), sink);
  }
  return goes_on && Follow(facts, fragment, true, 0, chain, sink);
}

// Walks the other fragments. They share one memory of methods, since a stack can have a fragment
// per frame.
SF_EACH_SAMPLE [[gnu::noinline]] bool WalkOuterFragments(const RuntimeFacts& facts,
                                                         TracedReturns* returns, WarmFacts* warm,
                                                         Chain* chain, FrameSink* sink) {
  WalkMemory memory;
  memory.is_warm = warm != nullptr;
  for (uint32_t i = 0; chain->address != 0 && i < kMaxFragments; ++i) {
    Fragment fragment;
    if (!LoadFragment(*facts.layout, chain->address, &fragment)) {
      sink->PushTruncation(Truncation::kUnreadable);
      return false;
    }
    const uint32_t total = sink->total();
    bool goes_on = true;
    if (fragment.shadow_frame != 0)
      goes_on = WalkShadowFrames(facts, fragment.shadow_frame, fragment.link, nullptr, warm, sink);
    else if (fragment.tagged_quick_frame != 0)
      goes_on = WalkQuickFrames(facts, TopQuickFrame(*facts.layout, fragment), fragment.link,
                                returns, &memory, sink);
    if (!goes_on || !Follow(facts, fragment, false, total, chain, sink)) return false;
  }
  return true;
}

// Not inlined, so that it takes no stack during the walk.
SF_EACH_SAMPLE [[gnu::noinline]] void Recall(WarmFacts* warm, FrameSink* sink) {
  if (warm != nullptr && warm->Begin()) sink->SetEarlier(0);
}

// The state of a walk after its innermost fragment.
struct Rest {
  TracedReturns returns;
  Chain chain;
  WarmFacts* warm;
  uint8_t state = 0;
};

SF_EACH_SAMPLE [[gnu::noinline]] bool BeginWalk(const RuntimeFacts& facts, uintptr_t thread,
                                                const Registers* registers, Rest* rest,
                                                FrameSink* sink) {
  if (thread == 0 || !arch::GuardedLoad8(thread + facts.layout->thread_state, &rest->state)) {
    sink->PushTruncation(Truncation::kUnreadable);
    rest->state = 0;
    return false;
  }
  return WalkTopFragment(facts, rest->state, registers, &rest->returns, &rest->chain, sink);
}

}  // namespace

SF_EACH_SAMPLE uint8_t WalkManagedStack(const void* facts_pointer, uintptr_t thread,
                                        const Registers* registers, FrameSink* sink) {
  const auto& facts = *static_cast<const RuntimeFacts*>(facts_pointer);
  Rest rest = {TracedReturns(thread), {thread + facts.managed_stack}, WarmOf(facts, registers)};
  Recall(rest.warm, sink);
  // Every call into managed code pushes a fragment (ART 11 runtime/art_method.cc, Invoke), so the
  // outermost one has no frames. If it has, its link is missing: ART clears it for some
  // instructions (ART 11 runtime/managed_stack-inl.h, PushManagedStackFragment).
  if (BeginWalk(facts, thread, registers, &rest, sink) &&
      WalkOuterFragments(facts, &rest.returns, rest.warm, &rest.chain, sink) &&
      (sink->total() == 0 || !rest.chain.is_whole))
    sink->PushTruncation(Truncation::kNoFrames);
  sink->End();
  return rest.state;
}

}  // namespace stillframe::walk
