// SPDX-License-Identifier: Apache-2.0
#include "src/walk/walk_quick.h"

#include <algorithm>

#include "src/core/prefetch.h"
#include "src/walk/code_elsewhere.h"
#include "src/walk/code_header.h"
#include "src/walk/compiled_code.h"
#include "src/walk/method_check.h"
#include "src/walk/nterp_frame.h"
#include "src/walk/recent_methods.h"
#include "src/walk/warm_facts.h"

namespace stillframe::walk {
namespace {

using arch::GuardedLoad32;
using core::FrameSink;
using core::RawFrameKind;
using core::Truncation;

// Limit of quick frames per fragment; callee-save frames take no space in the sink.
constexpr uint32_t kMaxQuickFrames = 2 * FrameSink::kMostFrames;

constexpr uintptr_t kWord = sizeof(uintptr_t);

// Per walk. Each backward search is long, and most stacks need none.
constexpr uint32_t kMaxLookBacks = 128;

// Index of a callee-save kind (runtime/base/callee_save_type.h).
constexpr uint32_t kSaveRefsAndArgs = 2;

struct QuickFrame {
  uintptr_t method;
  uintptr_t end;  // the caller's frame; its return address is one word below
  uint32_t dex_pc;
  RawFrameKind kind;
  uint32_t tag;  // as from WalkMethodTag
};

// Frame size of a native method's compiled stub that is no longer its entry point. The stub called
// native code from below its frame, after at most kMaxWords of arguments. 0: not found, or the
// caller does not fit.
[[gnu::noinline]] uint32_t BytesOfFormerStub(const RuntimeFacts& facts, uintptr_t frame) {
  constexpr uint32_t kMaxWords = 32;
  for (uint32_t words = 1; words <= kMaxWords; ++words) {
    uintptr_t pc = 0;
    CompiledCode code;
    if (!LoadPointer(frame - words * kWord, &pc)) return 0;
    pc = arch::CodeAddress(pc);
    if (pc % arch::kInstructionAlignment == 0 && !IsInLibrary(facts, pc) && arch::FollowsCall(pc) &&
        FindStub(*facts.layout, pc, &code) && code.frame_bytes != 0 &&
        HasFittingCaller(facts, frame + code.frame_bytes))
      return code.frame_bytes;
  }
  return 0;
}

// Reads a native method's frame: of the generic stub or of a compiled one. Without a pc it is the
// fragment's first. The method's entry point may have changed since, so the tag of top_quick_frame
// decides (ART 10, 11 and 14 runtime/stack.cc, WalkStack).
Truncation ReadJniFrame(const RuntimeFacts& facts, const QuickPlace& place, QuickFrame* frame) {
  const Layout& layout = *facts.layout;
  uintptr_t entry_point = 0;
  if (!LoadPointer(frame->method + layout.method_entry_point, &entry_point) ||
      IsInNterp(facts, entry_point))
    return Truncation::kBadQuickFrame;
  const bool is_stub = entry_point == facts.generic_jni_begin || facts.generic_jni_begin == 0;
  CompiledCode code;
  uint32_t bytes = 0;
  if (place.pc != 0 && !IsInLibrary(facts, place.pc)) {
    if (!FindCodeOfMethod(layout, frame->method, place.pc, &code) &&
        !FindCodeElsewhere(layout, facts.code_index, frame->method, place.pc, &code))
      return Truncation::kBadQuickFrame;
    bytes = code.frame_bytes;
  } else if (place.is_generic_jni || place.pc != 0 || layout.code_info == CodeInfoForm::kNone) {
    // The generic stub is the runtime's own code.
    bytes = GenericJniFrameBytes(layout, place.frame);
  } else if (!is_stub && !IsInLibrary(facts, entry_point) &&
             LoadCompiledCode(layout, entry_point, &code)) {
    bytes = code.frame_bytes;
  } else {
    bytes = BytesOfFormerStub(facts, place.frame);
  }
  frame->end = place.frame + bytes;
  frame->dex_pc = core::kNoDexPc;
  frame->kind = RawFrameKind::kJni;
  frame->tag = WalkMethodTag(layout, frame->method);
  return bytes == 0 ? Truncation::kBadQuickFrame : Truncation::kNone;
}

// Not inlined, to keep it off the path of known methods.
[[gnu::noinline]] const MethodFacts* ShapeOf(const Layout& layout, uintptr_t method,
                                             WalkMemory* memory) {
  const MethodFacts* known = memory->methods.Find(method + kNterp);
  NterpShape read;
  if (known != nullptr || !LoadNterpShape(layout, method, &memory->last_class, &read)) return known;
  read.method_index = static_cast<uint16_t>(WalkMethodTag(layout, method));
  return memory->methods.Add(method + kNterp, MethodFacts(read));
}

// Not inlined: its stack is free again when more is searched.
[[gnu::noinline]] const MethodFacts* Keep(const Layout& layout, uintptr_t method, uintptr_t kind,
                                          const CompiledCode& read, WalkMemory* memory) {
  const uint32_t tag = WalkMethodTag(layout, method, CodeMark(read));
  return memory->methods.Add(method + kind, MethodFacts(read, tag));
}

[[gnu::noinline]] const MethodFacts* CodeOf(const Layout& layout, uintptr_t method, uintptr_t pc,
                                            WalkMemory* memory) {
  const MethodFacts* known = memory->methods.Find(method);
  if (known != nullptr && known->code.Holds(pc)) return known;
  CompiledCode read;
  if (!FindCodeOfMethod(layout, method, pc, &read)) return nullptr;
  return Keep(layout, method, 0, read, memory);
}

Truncation ReadNterp(const QuickPlace& place, const NterpShape& shape, QuickFrame* frame) {
  NterpFrame nterp;
  if (!ReadNterpFrame(place.frame, shape, &nterp)) return Truncation::kBadQuickFrame;
  frame->end = nterp.end;
  frame->dex_pc = place.dex_pc != core::kNoDexPc ? place.dex_pc : nterp.dex_pc;
  frame->kind = RawFrameKind::kNterp;
  frame->tag = MethodTag(kNoCodeMark, shape.method_index);
  return Truncation::kNone;
}

Truncation ReadCompiled(const KnownCode& code, const QuickPlace& place, QuickFrame* frame) {
  if (code.frame_bytes == 0) return Truncation::kUnknownQuickFrame;
  frame->end = place.frame + code.frame_bytes;
  frame->dex_pc = RawPc(place.pc);
  frame->kind = RawFrameKind::kCompiled;
  frame->tag = code.tag;
  return Truncation::kNone;
}

// Reads a proxy call's frame: a callee-save frame of the runtime's stub with the proxy's method in
// it, without a code position (ART 10, 11 and 14 runtime/stack.cc, GetCurrentQuickFrameInfo;
// runtime/arch/x86_64/quick_entrypoints_x86_64.S, art_quick_proxy_invoke_handler). Apart from
// native methods, only proxies are on top of a fragment. The caller must still fit.
Truncation ReadProxy(const RuntimeFacts& facts, const QuickPlace& place, QuickFrame* frame) {
  uintptr_t entry_point = 0;
  frame->end = place.frame + arch::kCalleeSaveFrameBytes[kSaveRefsAndArgs];
  if (!LoadPointer(frame->method + facts.layout->method_entry_point, &entry_point) ||
      !IsInLibrary(facts, arch::CodeAddress(entry_point)) || !HasFittingCaller(facts, frame->end))
    return Truncation::kUnknownQuickFrame;
  frame->dex_pc = core::kNoDexPc;
  frame->kind = RawFrameKind::kInterpreted;
  frame->tag = WalkMethodTag(*facts.layout, frame->method);
  return Truncation::kNone;
}

// Code at `pc` that is not at its method's entry point; null: none whose caller fits its return
// address. `is_caller`: the frame called another method, so pc must be after a call. Interrupted or
// faulting code may be anywhere.
[[gnu::noinline]] const KnownCode* CodeElsewhere(const RuntimeFacts& facts, uintptr_t method,
                                                 uintptr_t frame, uintptr_t pc, bool is_caller,
                                                 WalkMemory* memory) {
  const MethodFacts* known = memory->methods.Find(method + kElsewhere);
  const bool is_known = known != nullptr && known->code.Holds(pc);
  // A library's code may be unreadable, so it is excluded first.
  if (!is_known && IsInLibrary(facts, pc)) return nullptr;
  if (is_caller && !arch::FollowsCall(pc)) return nullptr;
  if (is_known) return &known->code;
  CompiledCode read;
  if (++memory->look_backs > kMaxLookBacks ||
      !FindCodeElsewhere(*facts.layout, facts.code_index, method, pc, &read) ||
      !HasFittingCaller(facts, frame + read.frame_bytes))
    return nullptr;
  return &Keep(*facts.layout, method, kElsewhere, read, memory)->code;
}

// Whether a method can be between two others in its fragment: native ones cannot.
[[gnu::always_inline]] inline bool IsCaller(const Layout& layout, uintptr_t method,
                                            LastClass* last) {
  uint32_t flags = 0;
  return WalkIsMethod(layout, method, last) &&
         GuardedLoad32(method + layout.method_access_flags, &flags) &&
         (flags & layout.access_native) == 0;
}

// Reads the facts that PassCallers needs about a method new to this walk or evicted from its row.
// False if PassCallers must leave it to ReadFrame.
SF_EACH_SAMPLE [[gnu::noinline]] bool MeetNterp(const RuntimeFacts& facts, uintptr_t method,
                                                uintptr_t frame, WalkMemory* memory) {
  NterpShape shape;
  const Layout& layout = *facts.layout;
  WarmFacts* const warm = memory->is_warm ? facts.warm : nullptr;
  if (warm != nullptr) {
    warm->Note(frame - kWord);
    warm->Note(method);
    if (const NterpShape* kept = warm->Find(layout, method, frame)) {
      memory->methods.FirstRow(method) = {method + kNterp, MethodFacts(*kept)};
      return true;
    }
  }
  if (!IsCaller(layout, method, &memory->last_class) ||
      !LoadNterpShape(layout, method, &memory->last_class, &shape))
    return false;
  shape.method_index = static_cast<uint16_t>(WalkMethodTag(layout, method));
  memory->methods.FirstRow(method) = {method + kNterp, MethodFacts(shape)};
  if (warm != nullptr) warm->Keep(layout, method, frame, shape);
  return true;
}

[[gnu::noinline]] bool MeetCompiled(const Layout& layout, uintptr_t method, uintptr_t pc,
                                    WalkMemory* memory) {
  CompiledCode code = {};
  uintptr_t entry_point = 0;
  if (!IsCaller(layout, method, &memory->last_class) ||
      !LoadPointer(method + layout.method_entry_point, &entry_point) ||
      !LoadCodeHeader(layout, entry_point, &code) || !code.Holds(pc) || code.frame_bytes == 0)
    return false;
  const uint32_t tag = WalkMethodTag(layout, method, CodeMark(code));
  memory->methods.FirstRow(method) = {method, MethodFacts(code, tag)};
  return true;
}

// Pushes callers while each is in nterp or in the code at its method's entry point. Methods in the
// cache are known to be valid and not native. Returns the last caller's method; `callee` if there
// is none.
template <bool kIsInner>
SF_EACH_SAMPLE [[gnu::noinline]] uintptr_t PassCallers(const RuntimeFacts& facts, uintptr_t limit,
                                                       WalkMemory* memory, uintptr_t callee,
                                                       QuickPlace* place, FrameSink* sink) {
  const auto push = [sink](uintptr_t of, uint32_t dex_pc, RawFrameKind kind, uint32_t tag)
      __attribute__((always_inline)) {
    return kIsInner ? sink->PushInner(of, dex_pc, kind, tag) : sink->Push(of, dex_pc, kind, tag);
  };
  uintptr_t frame = place->frame;
  uintptr_t pc = place->pc;
  uintptr_t method = 0;
  // Each frame is above its callee's, so only the upper limit needs a test.
  while (frame < limit && frame % kWord == 0 && LoadPointer(frame, &method)) {
    const auto& row = memory->methods.FirstRow(method);
    if (row.method == method) {
      const KnownCode& code = row.value.code;
      if (!code.Holds(pc) || code.frame_bytes == 0 ||
          !push(method, RawPc(pc), RawFrameKind::kCompiled, code.tag))
        break;
      frame += code.frame_bytes;
    } else if (row.method != method + kNterp) [[unlikely]] {
      if ((row.method & kElsewhere) != 0 ||  // was slow to find
          !(IsInNterp(facts, pc) ? MeetNterp(facts, method, frame, memory)
                                 : MeetCompiled(*facts.layout, method, pc, memory)))
        break;
      continue;
    } else {
      const NterpShape shape = row.value.shape;
      NterpFrame nterp;
      if (!IsInNterp(facts, pc) || !ReadNterpFrame(frame, shape, &nterp) ||
          !push(method, nterp.dex_pc, RawFrameKind::kNterp,
                MethodTag(kNoCodeMark, shape.method_index)))
        break;
      frame = nterp.end;
    }
    callee = method;
    if (!LoadPointer(frame - kWord, &pc)) frame = 0;
    pc = arch::CodeAddress(pc);
  }
  *place = {frame, pc, core::kNoDexPc};
  return callee;
}

// `memory` must hold the class of the frame's method.
Truncation ReadFrame(const RuntimeFacts& facts, const QuickPlace& place, bool may_be_native,
                     WalkMemory* memory, QuickFrame* frame) {
  const Layout& layout = *facts.layout;
  uint32_t flags = 0;
  if (!GuardedLoad32(frame->method + layout.method_access_flags, &flags))
    return Truncation::kBadQuickFrame;
  if ((flags & layout.access_native) != 0) {
    return may_be_native && !IsInNterp(facts, place.pc) ? ReadJniFrame(facts, place, frame)
                                                        : Truncation::kBadQuickFrame;
  }
  if (place.pc == 0) return ReadProxy(facts, place, frame);
  const uintptr_t method = frame->method;
  if (IsInNterp(facts, place.pc)) {
    const MethodFacts* known = ShapeOf(layout, method, memory);
    return known != nullptr ? ReadNterp(place, known->shape, frame) : Truncation::kBadQuickFrame;
  }
  const MethodFacts* known = CodeOf(layout, method, place.pc, memory);
  if (known != nullptr) return ReadCompiled(known->code, place, frame);
  const KnownCode* elsewhere =
      CodeElsewhere(facts, method, place.frame, place.pc, !may_be_native, memory);
  return elsewhere != nullptr ? ReadCompiled(*elsewhere, place, frame)
                              : Truncation::kUnknownQuickFrame;
}

}  // namespace

bool WalkQuickFrames(const RuntimeFacts& facts, const QuickPlace& start, uintptr_t next_fragment,
                     TracedReturns* returns, WalkMemory* memory, FrameSink* sink) {
  const Layout& layout = *facts.layout;
  QuickPlace place = start;
  // Native code calls methods through a new fragment, so inside one fragment no native method is
  // between two others.
  uintptr_t callee = 0;  // the method that the next frame calls
  const uintptr_t limit =
      next_fragment != 0 ? std::min(next_fragment, facts.stack_high) : facts.stack_high;
  for (uint32_t steps = 0; steps < kMaxQuickFrames; ++steps) {
    QuickFrame frame = {};
    if (place.frame < facts.stack_low || place.frame >= limit || place.frame % kWord != 0 ||
        !LoadPointer(place.frame, &frame.method)) {
      sink->PushTruncation(Truncation::kBadQuickFrame);
      return true;
    }
    // The null that art_quick_invoke_stub stores and returns to. A null found through a wrong frame
    // size does not end the fragment. Only running code can find this null first, because
    // top_quick_frame always names a frame.
    if (frame.method == 0 && IsInLibrary(facts, place.pc)) {
      returns->Pass(facts, place.pc);
      return true;
    }
    // Callee-save methods have no class (ART 10 and 14 runtime/runtime.cc, CreateRuntimeMethod), so
    // most frames need no comparison with them.
    if (!WalkIsMethod(layout, frame.method, &memory->last_class)) {
      const uint32_t bytes = CalleeSaveFrameBytes(facts, frame.method);
      if (bytes == 0) {
        sink->PushTruncation(Truncation::kBadQuickFrame);
        return true;
      }
      frame.end = place.frame + bytes;
      callee = 0;
    } else {
      const Truncation truncation = ReadFrame(facts, place, callee == 0, memory, &frame);
      if (truncation == Truncation::kUnknownQuickFrame) {
        const uintptr_t pc = returns->Find(facts, place.frame, callee, place.pc);
        place.pc = pc != 0 ? pc : place.pc;
        if (pc != 0) continue;
      }
      callee = frame.method;
      if (truncation != Truncation::kNone) {
        sink->PushTruncation(truncation);
        return true;
      }
      if (!sink->Push(frame.method, frame.dex_pc, frame.kind, frame.tag)) {
        sink->PushTruncation(Truncation::kDepthLimit);
        return false;
      }
    }
    place = {frame.end, 0, core::kNoDexPc};
    if (!LoadPointer(frame.end - kWord, &place.pc)) {
      sink->PushTruncation(Truncation::kBadQuickFrame);
      return true;
    }
    place.pc = arch::CodeAddress(place.pc);
    callee = sink->has_inner_room()
                 ? PassCallers<true>(facts, limit, memory, callee, &place, sink)
                 : PassCallers<false>(facts, limit, memory, callee, &place, sink);
  }
  sink->PushTruncation(Truncation::kBadQuickFrame);
  return true;
}

}  // namespace stillframe::walk
