// SPDX-License-Identifier: Apache-2.0
// The kinds of quick frames, and the loop from each to its caller.
#include "src/walk/walk_quick.h"

#include "src/walk/compiled_code.h"
#include "src/walk/method_check.h"
#include "src/walk/nterp_frame.h"
#include "src/walk/recent_methods.h"

namespace stillframe::walk {
namespace {

using arch::GuardedLoad32;
using core::FrameSink;
using core::RawFrameKind;
using core::Truncation;

// Quick frames of one fragment; callee-save frames take no place in the sink.
constexpr uint32_t kMaxQuickFrames = 8192;

constexpr uintptr_t kWord = sizeof(uintptr_t);

// Of the kinds of callee-save frames (runtime/base/callee_save_type.h).
constexpr uint32_t kSaveRefsAndArgs = 2;

struct QuickFrame {
  uintptr_t method;
  uintptr_t end;  // the caller's frame; its return address lies one word below
  uint32_t dex_pc;
  RawFrameKind kind;
};

// Frame of a native method: of the generic stub, or of one compiled for it.
Truncation ReadJniFrame(const RuntimeFacts& facts, const QuickPlace& place, QuickFrame* frame) {
  const Layout& layout = *facts.layout;
  uintptr_t entry_point = 0;
  if (!LoadPointer(frame->method + layout.method_entry_point, &entry_point) ||
      IsInNterp(facts, entry_point))
    return Truncation::kBadQuickFrame;
  const bool is_stub = entry_point == facts.generic_jni_begin || facts.generic_jni_begin == 0;
  CompiledCode code;
  uint32_t bytes = 0;
  if (place.is_generic_jni || is_stub || IsInLibrary(facts, entry_point) ||
      !LoadCompiledCode(layout, entry_point, &code)) {
    // The generic stub is the runtime's own code.
    if (place.pc != 0 && !IsInLibrary(facts, place.pc)) return Truncation::kBadQuickFrame;
    bytes = GenericJniFrameBytes(layout, place.frame);
  } else {
    bytes = code.frame_bytes;
  }
  frame->end = place.frame + bytes;
  frame->dex_pc = core::kNoDexPc;
  frame->kind = RawFrameKind::kJni;
  return bytes == 0 ? Truncation::kBadQuickFrame : Truncation::kNone;
}

// What a walk keeps from frame to frame.
struct WalkMemory {
  LastClass last_class;
  RecentMethods<NterpShape> shapes;
  RecentMethods<CompiledCode> codes;
};

// Out of the way of frames whose method is known.
[[gnu::noinline]] const NterpShape* ShapeOf(const Layout& layout, uintptr_t method,
                                            WalkMemory* memory) {
  const NterpShape* known = memory->shapes.FindSecond(method);
  NterpShape read;
  if (known != nullptr || !LoadNterpShape(layout, method, &memory->last_class, &read)) return known;
  return memory->shapes.Add(method, read);
}

[[gnu::noinline]] const CompiledCode* CodeOf(const Layout& layout, uintptr_t method, uintptr_t pc,
                                             WalkMemory* memory) {
  const CompiledCode* known = memory->codes.FindSecond(method);
  if (known != nullptr && known->Holds(pc)) return known;
  CompiledCode read;
  return FindCodeOfMethod(layout, method, pc, &read) ? memory->codes.Add(method, read) : nullptr;
}

Truncation ReadNterp(const RuntimeFacts& facts, const QuickPlace& place, const NterpShape& shape,
                     QuickFrame* frame) {
  NterpFrame nterp;
  if (!ReadNterpFrame(facts, place.frame, shape, &nterp)) return Truncation::kBadQuickFrame;
  frame->end = nterp.end;
  frame->dex_pc = place.dex_pc != core::kNoDexPc ? place.dex_pc : nterp.dex_pc;
  frame->kind = RawFrameKind::kNterp;
  return Truncation::kNone;
}

// A frame of compiled code: its raw dex pc is the offset in the code.
Truncation ReadCompiled(const CompiledCode& code, const QuickPlace& place, QuickFrame* frame) {
  if (code.frame_bytes == 0) return Truncation::kUnknownQuickFrame;
  frame->end = place.frame + code.frame_bytes;
  frame->dex_pc = static_cast<uint32_t>(place.pc - code.begin);
  frame->kind = RawFrameKind::kCompiled;
  return Truncation::kNone;
}

// A call of a proxy: the runtime's stub keeps its own kind of frame, with the proxy's method in it,
// and no code stands in it (ART 10, 11 and 14 runtime/stack.cc, GetCurrentQuickFrameInfo;
// runtime/arch/x86_64/quick_entrypoints_x86_64.S, art_quick_proxy_invoke_handler). No other method
// of a class is on top of a fragment but natives; the caller must fit all the same.
Truncation ReadProxy(const RuntimeFacts& facts, const QuickPlace& place, QuickFrame* frame) {
  uintptr_t entry_point = 0;
  QuickPlace caller = {place.frame + arch::kCalleeSaveFrameBytes[kSaveRefsAndArgs], 0,
                       core::kNoDexPc};
  if (!LoadPointer(frame->method + facts.layout->method_entry_point, &entry_point) ||
      !IsInLibrary(facts, arch::CodeAddress(entry_point)) ||
      !LoadPointer(caller.frame - kWord, &caller.pc))
    return Truncation::kUnknownQuickFrame;
  caller.pc = arch::CodeAddress(caller.pc);
  if (!FitsReturnAddress(facts, caller)) return Truncation::kUnknownQuickFrame;
  frame->end = caller.frame;
  frame->dex_pc = core::kNoDexPc;
  frame->kind = RawFrameKind::kInterpreted;
  return Truncation::kNone;
}

// `memory` has the class of the frame's method.
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
    const NterpShape* shape = memory->shapes.FindFirst(method);
    if (shape == nullptr) shape = ShapeOf(layout, method, memory);
    return shape != nullptr ? ReadNterp(facts, place, *shape, frame) : Truncation::kBadQuickFrame;
  }
  const CompiledCode* code = memory->codes.FindFirst(method);
  if (code == nullptr || !code->Holds(place.pc)) code = CodeOf(layout, method, place.pc, memory);
  return code != nullptr ? ReadCompiled(*code, place, frame) : Truncation::kUnknownQuickFrame;
}

// 0 when `method` is no callee-save method.
uint32_t CalleeSaveFrameBytes(const RuntimeFacts& facts, uintptr_t method) {
  for (uint32_t i = 0; i < kCalleeSaveMethods; ++i)
    if (facts.callee_save[i] == method) return arch::kCalleeSaveFrameBytes[i];
  return 0;
}

}  // namespace

bool WalkQuickFrames(const RuntimeFacts& facts, const QuickPlace& start, uintptr_t next_fragment,
                     FrameSink* sink) {
  const Layout& layout = *facts.layout;
  QuickPlace place = start;
  WalkMemory memory;
  // Native code calls methods through a fragment of their own: between two methods of one fragment
  // there is no native one.
  bool calls_a_method = false;  // the frame that is read next
  const uintptr_t limit = next_fragment != 0 ? next_fragment : facts.stack_high;
  for (uint32_t steps = 0; steps < kMaxQuickFrames; ++steps) {
    QuickFrame frame = {};
    if (place.frame < facts.stack_low || place.frame >= facts.stack_high || place.frame >= limit ||
        place.frame % kWord != 0 || !LoadPointer(place.frame, &frame.method)) {
      sink->PushTruncation(Truncation::kBadQuickFrame);
      return true;
    }
    // The base that art_quick_invoke_stub leaves. Only code that runs can have no more than that:
    // top_quick_frame names a frame.
    if (frame.method == 0 && (steps != 0 || start.pc != 0)) return true;
    // Callee-save methods have no class (ART 10 and 14 runtime/runtime.cc,
    // CreateRuntimeMethod): most frames need not be compared with them.
    if (!WalkIsMethod(layout, frame.method, &memory.last_class)) {
      const uint32_t bytes = CalleeSaveFrameBytes(facts, frame.method);
      if (bytes == 0) {
        sink->PushTruncation(Truncation::kBadQuickFrame);
        return true;
      }
      frame.end = place.frame + bytes;
      calls_a_method = false;
    } else {
      const Truncation truncation = ReadFrame(facts, place, !calls_a_method, &memory, &frame);
      calls_a_method = true;
      if (truncation != Truncation::kNone) {
        sink->PushTruncation(truncation);
        return true;
      }
      if (!sink->Push(frame.method, frame.dex_pc, frame.kind,
                      WalkMethodTag(layout, frame.method))) {
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
  }
  sink->PushTruncation(Truncation::kBadQuickFrame);
  return true;
}

}  // namespace stillframe::walk
