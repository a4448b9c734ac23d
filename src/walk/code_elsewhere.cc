// SPDX-License-Identifier: Apache-2.0
// Searches backwards from a pc for a method header, and verifies it. Sources:
// JitCodeCache::CommitCodeInternal of ART 11.0.0_r48, JitMemoryRegion::CommitCode of 14.0.0_r15.
// Code is aligned, its header ends right before it, and CodeInfo is below in the data part of the
// same cache.
#include "src/walk/code_elsewhere.h"

#include "src/walk/method_check.h"
#include "src/walk/method_code.h"

namespace stillframe::walk {
namespace {

// Alignment of code (GetInstructionSetAlignment): 16, except on arm.
constexpr uintptr_t kCodeAlignment = 2 * sizeof(uintptr_t);
constexpr uintptr_t kMaxLookBackBytes = 64 * 1024;
constexpr uintptr_t kMaxPrologueBytes = 512;
// Limit of candidates to verify. A false header points to a random CodeInfo; after this many, pc is
// not in compiled code.
constexpr uint32_t kMaxProofs = 16;
// JIT caches and oat files are smaller (ART 14 runtime/jit/jit_code_cache.h, kMaxCapacity).
constexpr uint32_t kMaxInfoOffset = 128U << 20;
constexpr uint32_t kHeaderFlags = 3U << 30;
constexpr uint32_t kHasCodeInfo = 1U << 30;

// In place of dex registers: a stub of a native method.
constexpr uint32_t kStub = UINT32_MAX;

// A cheap first test: it excludes most words of code.
bool LooksLikeHeader(const Layout& layout, uint32_t last_word, uintptr_t code_bytes) {
  switch (layout.method_header) {
    case MethodHeader::kFrameInfo: return false;
    case MethodHeader::kVmapOffsetAndSize: {
      const uint32_t bytes = last_word & ~(1U << 31);
      return bytes >= code_bytes && bytes <= 16 * kMaxLookBackBytes;
    }
    case MethodHeader::kCodeInfoOffset:
      if ((last_word & kHasCodeInfo) == 0) return false;
      [[fallthrough]];
    case MethodHeader::kPlainCodeInfoOffset: {
      const uint32_t offset = last_word & ~kHeaderFlags;
      return offset != 0 && offset <= kMaxInfoOffset;
    }
  }
  return false;
}

struct Wanted {
  uint32_t dex_registers;
  CodeFrame frame;  // unused for stubs
};

// Tests the code's own instructions, which are always mapped.
bool MatchesStart(uintptr_t begin, uintptr_t pc, const Wanted& wanted) {
  if (wanted.dex_registers == kStub || wanted.frame == CodeFrame::kNone) return true;
  return arch::HasStoredMethod(begin,
                               wanted.frame == CodeFrame::kMade ? pc : begin + kMaxPrologueBytes);
}

bool CanBeCode(const Layout& layout, uintptr_t begin, uintptr_t pc, const Wanted& wanted,
               CompiledCode* code) {
  return LoadCompiledCode(layout, begin, code) && code->Holds(pc) &&
         (wanted.dex_registers == kStub ||
          (code->frame_bytes != 0) == (wanted.frame != CodeFrame::kNone)) &&
         code->begin - code->info <= kMaxInfoOffset;
}

// The test with the most loads is last. Stubs skip the prologue test, because their prologues also
// move arguments.
bool IsProved(const Layout& layout, uintptr_t pc, const Wanted& wanted, const CompiledCode& code) {
  if (wanted.dex_registers == kStub) return HasStubCodeInfo(layout, code);
  arch::CallerPlace caller;
  const bool is_being_made = wanted.frame == CodeFrame::kBeingMade;
  if (is_being_made && !arch::FindCallerInPrologue(code.begin, pc, code.frame_bytes, &caller))
    return false;
  const uintptr_t behind = is_being_made ? code.begin + kMaxPrologueBytes : pc;
  return arch::FindCallerInBody(code.begin, behind, code.frame_bytes, &caller) &&
         HasPlausibleCodeInfo(layout, code, wanted.dex_registers);
}

// Dex registers of a method; kStub for a native one.
bool LoadRegisters(const Layout& layout, uintptr_t method, uint32_t* dex_registers) {
  uint32_t flags = 0;
  *dex_registers = kStub;
  return arch::GuardedLoad32(method + layout.method_access_flags, &flags) &&
         ((flags & layout.access_native) != 0 || LoadDexRegisters(layout, method, dex_registers));
}

bool LookBack(const Layout& layout, uintptr_t pc, const Wanted& wanted, uintptr_t first,
              CompiledCode* code) {
  const uintptr_t nearest = pc & ~(kCodeAlignment - 1);
  const uintptr_t most =
      wanted.frame == CodeFrame::kBeingMade ? kMaxPrologueBytes : kMaxLookBackBytes;
  uintptr_t begin = first != 0 ? first : nearest;
  for (uint32_t proofs = 0; pc - begin <= most && begin > kCodeAlignment;) {
    uint32_t last_word = 0;
    if (!arch::GuardedLoad32(begin - 4, &last_word)) return false;
    if (LooksLikeHeader(layout, last_word, pc - begin) && MatchesStart(begin, pc, wanted)) {
      if (CanBeCode(layout, begin, pc, wanted, code)) {
        if (IsProved(layout, pc, wanted, *code)) return true;
        // The nearest code around pc is a method's. Further off, other words may look like a stub.
        if (wanted.dex_registers == kStub) return false;
      }
      if (++proofs == kMaxProofs) return false;
    }
    begin = first != 0 ? nearest : begin - kCodeAlignment;
    first = 0;
  }
  return false;
}

// The upper half of a 64-bit address.
uintptr_t UpperHalf(uintptr_t address) { return address & ~uintptr_t{UINT32_MAX}; }

// Finds the code that a raw frame was in, and the full pc.
bool FindRawCode(const RuntimeFacts& facts, const core::RawFrame& raw, uintptr_t* pc,
                 CompiledCode* code) {
  const Layout& layout = *facts.layout;
  const auto method = static_cast<uintptr_t>(raw.method);
  const uint32_t mark = CodeMarkOf(raw.tag);
  uintptr_t entry_point = 0;
  if (!LoadPointer(method + layout.method_entry_point, &entry_point)) return false;
  const auto is_it = [&] { return mark == 0 || mark == CodeMark(*code); };
  // Candidates for the upper half. The JIT's code is in the lower half; code compiled ahead of time
  // is near other mapped files.
  const uintptr_t libraries = facts.generic_jni_begin;
  constexpr uintptr_t kHalf = UINT32_MAX;
  for (const uintptr_t upper :
       {entry_point, uintptr_t{0}, libraries, libraries - kHalf, libraries + kHalf}) {
    *pc = UpperHalf(upper) | raw.dex_pc;
    if (FindCodeOfMethod(layout, method, *pc, code) && is_it()) return true;
    for (const CodeFrame frame : {CodeFrame::kMade, CodeFrame::kNone, CodeFrame::kBeingMade})
      if (FindCodeElsewhere(layout, facts.code_index, method, *pc, code, frame) && is_it())
        return true;
  }
  return false;
}

}  // namespace

bool FindStub(const Layout& layout, uintptr_t pc, CompiledCode* code) {
  return layout.code_info != CodeInfoForm::kNone &&
         LookBack(layout, pc, {kStub, CodeFrame::kMade}, 0, code);
}

bool FindCodeElsewhere(const Layout& layout, const CodeIndex* seen, uintptr_t method, uintptr_t pc,
                       CompiledCode* code, CodeFrame frame) {
  uint32_t dex_registers = 0;
  if (layout.code_info == CodeInfoForm::kNone || !LoadRegisters(layout, method, &dex_registers))
    return false;
  CodeIndex::SeenCode row = {};
  bool is_seen = seen != nullptr && seen->Find(pc, &row);
  // Another method has its entry point in the code around pc. Code that stored its method in the
  // frame identifies itself; the index entry may be of a freed class.
  if (is_seen && row.method != method && frame != CodeFrame::kMade &&
      FindCodeOfMethod(layout, row.method, pc, code))
    return false;
  is_seen = is_seen && row.method == method;
  return LookBack(layout, pc, {dex_registers, frame}, is_seen ? row.begin : 0, code);
}

uint32_t MethodsOf(const RuntimeFacts& facts, const core::RawFrame& raw, CompiledFrame* frames,
                   CompiledCode* code) {
  const auto method = static_cast<uintptr_t>(raw.method);
  uintptr_t pc = 0;
  if (raw.dex_pc == core::kNoDexPc || !FindRawCode(facts, raw, &pc, code)) {
    *code = {};
    frames[0] = {method, 0, core::kNoDexPc};
    return 1;
  }
  return MethodsAt(*facts.layout, *code, method, static_cast<uint32_t>(pc - code->begin), frames);
}

}  // namespace stillframe::walk
