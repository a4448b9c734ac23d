// SPDX-License-Identifier: Apache-2.0
#include "src/walk/walk.h"

#include "src/walk/fragment.h"
#include "src/walk/method_check.h"
#include "src/walk/walk_innermost.h"
#include "src/walk/walk_quick.h"

namespace stillframe::walk {
namespace {

using arch::GuardedLoad32;
using arch::Registers;
using core::FrameSink;
using core::RawFrameKind;
using core::Truncation;

// Fragments of one thread: each has frames, or lies between two that have.
constexpr uint32_t kMaxFragments = 2 * FrameSink::kMostFrames;

// Longest code a method can have that the live mterp pc is believed for, in bytes.
constexpr uintptr_t kMaxInstructionBytes = 1U << 17;

// The dex pc of a shadow frame. mterp exports it only at instructions that can throw or call;
// between them the live one is in a register, for the innermost frame.
bool LoadShadowDexPc(const RuntimeFacts& facts, uintptr_t frame, const Registers* innermost,
                     uint32_t* dex_pc) {
  const Layout& layout = *facts.layout;
  uintptr_t pointer = 0;
  if (layout.shadow_dex_pc_ptr != kNoField &&
      !LoadPointer(frame + layout.shadow_dex_pc_ptr, &pointer))
    return false;
  if (pointer == 0) return GuardedLoad32(frame + layout.shadow_dex_pc, dex_pc);
  uintptr_t instructions = 0;
  if (!LoadPointer(frame + layout.shadow_dex_instructions, &instructions)) return false;
  instructions += layout.shadow_instructions_bias;
  if (innermost != nullptr && innermost->pc >= facts.mterp_begin &&
      innermost->pc < facts.mterp_end &&
      innermost->mterp_pc - instructions < kMaxInstructionBytes && (innermost->mterp_pc & 1) == 0)
    pointer = innermost->mterp_pc;
  *dex_pc = static_cast<uint32_t>((pointer - instructions) / 2);
  return true;
}

// A new frame is the top one for some instructions before it has its link (ART 14
// runtime/managed_stack-inl.h, PushShadowFrame). One that is rightly alone was made by the function
// that also made the next fragment, and lies right below it, with its registers at its end. One of
// the heap took the place of compiled frames and was linked before (ART 14
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

// `innermost`: the registers of the thread that runs on the first of these frames, or null. False:
// stop the whole walk, the sink is full or the memory is gone.
[[gnu::noinline]] bool WalkShadowFrames(const RuntimeFacts& facts, uintptr_t frame,
                                        uintptr_t next_fragment, const Registers* innermost,
                                        FrameSink* sink) {
  const Layout& layout = *facts.layout;
  while (frame != 0) {
    uintptr_t method = 0;
    uintptr_t link = 0;
    uint32_t dex_pc = 0;
    if (!LoadPointer(frame + layout.shadow_method, &method) ||
        !LoadStackPointer(frame + layout.shadow_link, &link) ||
        !LoadShadowDexPc(facts, frame, innermost, &dex_pc)) {
      sink->PushTruncation(Truncation::kUnreadable);
      return true;
    }
    if (!sink->Push(method, dex_pc, RawFrameKind::kInterpreted, WalkMethodTag(layout, method))) {
      sink->PushTruncation(Truncation::kDepthLimit);
      return false;
    }
    if (innermost != nullptr && IsNotYetLinked(facts, frame, link, next_fragment))
      sink->PushTruncation(Truncation::kNoFrames);
    innermost = nullptr;
    frame = link;
  }
  return true;
}

// The quick frames of a fragment that shares nothing with others. Has a frame of its own, so that
// what finds the innermost frame has the room.
[[gnu::noinline]] bool WalkQuickAlone(const RuntimeFacts& facts, const QuickPlace& place,
                                      uintptr_t next_fragment, TracedReturns* returns,
                                      FrameSink* sink) {
  WalkMemory memory;
  return WalkQuickFrames(facts, place, next_fragment, returns, &memory, sink);
}

// The innermost fragment when managed code runs in it. top_quick_frame is not cleared when managed
// code leaves the runtime, so that it says nothing here: the interrupted registers do.
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
  return WalkQuickAlone(facts, innermost.place, fragment.link, returns, sink);
}

QuickPlace TopQuickFrame(const Layout& layout, const Fragment& fragment) {
  const bool is_generic_jni = (fragment.tagged_quick_frame & layout.generic_jni_tag) != 0;
  return {fragment.tagged_quick_frame & ~layout.quick_frame_tag_mask, 0, core::kNoDexPc,
          is_generic_jni};
}

// A thread's fragments, on the way outwards.
struct Chain {
  uintptr_t address;      // of the next one; 0: there is none
  bool is_whole = false;  // the last one had no frames
};

// Goes on to the fragment that `fragment`, whose frames came after `total`, links. False: stop.
[[gnu::noinline]] bool Follow(const RuntimeFacts& facts, const Fragment& fragment, bool is_first,
                              uint32_t total, Chain* chain, FrameSink* sink) {
  // All but the innermost fragment are on the stack, each above the one that it was pushed for
  // (ART 11 runtime/managed_stack-inl.h, PushManagedStackFragment).
  if (fragment.link != 0 && (!IsOnStack(facts, fragment.link, alignof(Fragment)) ||
                             (!is_first && fragment.link <= chain->address))) {
    sink->PushTruncation(Truncation::kBadFragment);
    return false;
  }
  *chain = {fragment.link, sink->total() == total};
  return !sink->is_hopeless();
}

// The innermost one, which may be about to change. False: stop the whole walk.
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
      goes_on = WalkShadowFrames(facts, fragment.shadow_frame, fragment.link, registers, sink);
    else if (state == facts.layout->state_runnable)
      goes_on = WalkRunningFragment(facts, fragment, registers, returns, sink);
    else if (fragment.tagged_quick_frame != 0)
      goes_on = WalkQuickAlone(facts, TopQuickFrame(*facts.layout, fragment), fragment.link,
                               returns, sink);
  }
  return goes_on && Follow(facts, fragment, true, 0, chain, sink);
}

// The others. They share what is known of methods: a stack can have a fragment for each frame.
[[gnu::noinline]] bool WalkOuterFragments(const RuntimeFacts& facts, TracedReturns* returns,
                                          Chain* chain, FrameSink* sink) {
  WalkMemory memory;
  for (uint32_t i = 0; chain->address != 0 && i < kMaxFragments; ++i) {
    Fragment fragment;
    if (!LoadFragment(*facts.layout, chain->address, &fragment)) {
      sink->PushTruncation(Truncation::kUnreadable);
      return false;
    }
    const uint32_t total = sink->total();
    bool goes_on = true;
    if (fragment.shadow_frame != 0)
      goes_on = WalkShadowFrames(facts, fragment.shadow_frame, fragment.link, nullptr, sink);
    else if (fragment.tagged_quick_frame != 0)
      goes_on = WalkQuickFrames(facts, TopQuickFrame(*facts.layout, fragment), fragment.link,
                                returns, &memory, sink);
    if (!goes_on || !Follow(facts, fragment, false, total, chain, sink)) return false;
  }
  return true;
}

// What is left of a walk when its innermost fragment is done.
struct Rest {
  TracedReturns returns;
  Chain chain;
  uint8_t state = 0;
};

[[gnu::noinline]] bool BeginWalk(const RuntimeFacts& facts, uintptr_t thread,
                                 const Registers* registers, Rest* rest, FrameSink* sink) {
  if (thread == 0 || !arch::GuardedLoad8(thread + facts.layout->thread_state, &rest->state)) {
    sink->PushTruncation(Truncation::kUnreadable);
    rest->state = 0;
    return false;
  }
  return WalkTopFragment(facts, rest->state, registers, &rest->returns, &rest->chain, sink);
}

}  // namespace

uint8_t WalkManagedStack(const void* facts_pointer, uintptr_t thread, const Registers* registers,
                         FrameSink* sink) {
  const auto& facts = *static_cast<const RuntimeFacts*>(facts_pointer);
  Rest rest = {TracedReturns(thread), {thread + facts.managed_stack}};
  // Every call into managed code pushes a fragment (ART 11 runtime/art_method.cc, Invoke), so that
  // the outermost one never has frames. One that has is about to get its link: ART clears it for
  // some instructions (ART 11 runtime/managed_stack-inl.h, PushManagedStackFragment).
  if (BeginWalk(facts, thread, registers, &rest, sink) &&
      WalkOuterFragments(facts, &rest.returns, &rest.chain, sink) &&
      (sink->total() == 0 || !rest.chain.is_whole))
    sink->PushTruncation(Truncation::kNoFrames);
  sink->End();
  return rest.state;
}

}  // namespace stillframe::walk
