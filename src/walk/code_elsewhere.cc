// SPDX-License-Identifier: Apache-2.0
// The look back from a pc to a method header, and the proof that it is one.
// Sources: JitCodeCache::CommitCodeInternal of ART 11.0.0_r48, JitMemoryRegion::CommitCode of
// 14.0.0_r15: code is aligned, its header ends right before it, CodeInfo lies in the data part of
// the same cache, below.
#include "src/walk/code_elsewhere.h"

#include "src/walk/method_code.h"

namespace stillframe::walk {
namespace {

// Alignment of code (GetInstructionSetAlignment): 16 but on arm.
constexpr uintptr_t kCodeAlignment = 2 * sizeof(uintptr_t);
constexpr uintptr_t kMaxLookBackBytes = 64 * 1024;
// Headers that hold pc and are none of its method: more of them in a row are no compiled code.
constexpr uint32_t kMaxProofs = 16;
// JIT caches and oat files are smaller (ART 14 runtime/jit/jit_code_cache.h, kMaxCapacity).
constexpr uint32_t kMaxInfoOffset = 128U << 20;
constexpr uint32_t kHeaderFlags = 3U << 30;

// Cheap: most words of code are no end of a header before code that holds pc.
bool LooksLikeHeader(const Layout& layout, uint32_t last_word, uintptr_t code_bytes) {
  switch (layout.method_header) {
    case MethodHeader::kFrameInfo: return false;
    case MethodHeader::kVmapOffsetAndSize: {
      const uint32_t bytes = last_word & ~(1U << 31);
      return bytes >= code_bytes && bytes <= 16 * kMaxLookBackBytes;
    }
    case MethodHeader::kCodeInfoOffset:
    case MethodHeader::kPlainCodeInfoOffset: {
      const uint32_t offset = last_word & ~kHeaderFlags;
      return offset != 0 && offset <= kMaxInfoOffset;
    }
  }
  return false;
}

[[gnu::always_inline]] inline bool CanHold(const Layout& layout, uintptr_t begin, uintptr_t pc,
                                           CompiledCode* code) {
  return LoadCompiledCode(layout, begin, code) && code->Holds(pc) && code->frame_bytes != 0 &&
         code->begin - code->info <= kMaxInfoOffset;
}

// Last what reads most.
[[gnu::always_inline]] inline bool IsProved(const Layout& layout, const CompiledCode& code,
                                            uintptr_t pc, uint32_t dex_registers) {
  arch::CallerPlace caller;
  return arch::FindCallerInBody(code.begin, pc, code.frame_bytes, &caller) &&
         arch::HasStoredMethod(code.begin, pc) && HasPlausibleCodeInfo(layout, code, dex_registers);
}

bool LoadDexRegisters(const Layout& layout, uintptr_t method, uint32_t* dex_registers) {
  uintptr_t code_item = 0;
  uint16_t registers = 0;
  LastClass last;
  if (!LoadCodeItem(layout, method, &last, &code_item) ||
      !arch::GuardedLoad16(code_item + kCodeItemRegisters, &registers))
    return false;
  *dex_registers = registers;
  return true;
}

}  // namespace

bool FindCodeElsewhere(const Layout& layout, const CodeIndex* seen, uintptr_t method, uintptr_t pc,
                       CompiledCode* code) {
  uint32_t dex_registers = 0;
  if (layout.code_info == CodeInfoForm::kNone || !LoadDexRegisters(layout, method, &dex_registers))
    return false;
  CodeIndex::SeenCode row = {};
  bool is_seen = seen != nullptr && seen->Find(pc, &row);
  // Another method has its entry point in the code around pc.
  if (is_seen && row.method != method && FindCodeOfMethod(layout, row.method, pc, code))
    return false;
  is_seen = is_seen && row.method == method;
  uintptr_t begin = is_seen ? row.begin : pc & ~(kCodeAlignment - 1);
  for (uint32_t proofs = 0; pc - begin <= kMaxLookBackBytes && begin > kCodeAlignment;) {
    uint32_t last_word = 0;
    if (!arch::GuardedLoad32(begin - 4, &last_word)) return false;
    if (LooksLikeHeader(layout, last_word, pc - begin) && CanHold(layout, begin, pc, code)) {
      if (IsProved(layout, *code, pc, dex_registers)) return true;
      if (++proofs == kMaxProofs) return false;
    }
    begin = is_seen ? pc & ~(kCodeAlignment - 1) : begin - kCodeAlignment;
    is_seen = false;
  }
  return false;
}

uint32_t MethodsElsewhere(const RuntimeFacts& facts, const core::RawFrame& raw,
                          CompiledFrame* frames, CompiledCode* code) {
  const Layout& layout = *facts.layout;
  const auto method = static_cast<uintptr_t>(raw.method);
  const uintptr_t pc = raw.dex_pc;
  if (raw.dex_pc == core::kNoDexPc ||
      (!FindCodeOfMethod(layout, method, pc, code) &&
       !FindCodeElsewhere(layout, facts.code_index, method, pc, code))) {
    *code = {};
    frames[0] = {method, 0, core::kNoDexPc};
    return 1;
  }
  return MethodsAt(layout, *code, method, static_cast<uint32_t>(pc - code->begin), frames);
}

}  // namespace stillframe::walk
