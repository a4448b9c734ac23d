// SPDX-License-Identifier: Apache-2.0
// Compiled methods: the header before their code, and CodeInfo with frame size, dex pcs and inlined
// methods.
// Sources: runtime/oat_quick_method_header.h and runtime/stack_map.h of ART 10.0.0_r36, 11.0.0_r48
// and 14.0.0_r15.
#pragma once

#include <cstdint>

#include "src/core/sample.h"
#include "src/walk/layout.h"

namespace stillframe::walk {

struct CompiledCode {
  uintptr_t begin;
  uint32_t bytes;
  uint32_t frame_bytes;  // including the return address; 0: a leaf without a frame
  uintptr_t info;        // CodeInfo

  // `pc` may be a return address after the last instruction.
  bool Holds(uintptr_t pc) const { return pc >= begin && pc - begin <= bytes; }
};

// A tag from 1 to 255 that detects reuse of freed code. Surviving risk: 1 in 255 reuses is missed.
[[gnu::always_inline]] inline uint32_t CodeMark(const CompiledCode& code) {
  const uint32_t mixed =
      (static_cast<uint32_t>(code.begin - code.info) ^ code.bytes << 12 ^ code.frame_bytes << 24) *
      0x9e3779b1U;
  return 1 + ((mixed >> 16) * 255 >> 16);
}

// Reads the header before an entry point. False without one, as for the runtime's stubs. Stray data
// may pass, so callers must check the result against a pc.
bool LoadCompiledCode(const Layout& layout, uintptr_t entry_point, CompiledCode* code);

// Finds the code of `method` if `pc` is in it.
bool FindCodeOfMethod(const Layout& layout, uintptr_t method, uintptr_t pc, CompiledCode* code);

// Whether CodeInfo describes a method with `dex_registers` registers and has its safepoints, if
// any, inside the code. Required of headers that no entry point confirms.
bool HasPlausibleCodeInfo(const Layout& layout, const CompiledCode& code, uint32_t dex_registers);

// The same for a compiled stub of a native method: no registers, no tables.
bool HasStubCodeInfo(const Layout& layout, const CompiledCode& code);

constexpr uint32_t kNoMethodIndex = UINT32_MAX;
constexpr uint32_t kSameDexFile = UINT32_MAX;
constexpr uint32_t kOfOatFile = 1U << 31;  // flag in dex_file: a number in the oat file

// A method at a position in compiled code.
struct CompiledFrame {
  uintptr_t method;       // 0: known by index only
  uint32_t method_index;  // in its dex file; kNoMethodIndex: unknown
  uint32_t dex_pc;        // kNoDexPc: no safepoint nearby
  bool is_exact = false;  // at a safepoint: inlining is known
  // kSameDexFile: the outermost method's. Otherwise a number in the boot class path or, with
  // kOfOatFile, in the oat file.
  uint32_t dex_file = kSameDexFile;
};

constexpr uint32_t kMaxInlined = 32;

// The methods at `offset` in the code of `method`, innermost first: inlined ones, then the method
// itself. Exact at a safepoint, i.e. at every return address. Elsewhere the result is that of the
// last safepoint before, or of the first one after. Returns their number; `frames` has space for
// kMaxInlined + 1.
uint32_t MethodsAt(const Layout& layout, const CompiledCode& code, uintptr_t method,
                   uint32_t offset, CompiledFrame* frames);

// A position that CodeInfo describes.
struct Safepoint {
  uint32_t offset;  // after the call or the faulting instruction
  bool is_place;    // code is entered here, as at a catch handler: no instruction ends
                    // here
  uint32_t count;   // number of frames, as from MethodsAt
  const CompiledFrame* frames;
};

// Calls visit(context, safepoint) for each safepoint, in CodeInfo's order. The frames are valid
// until visit returns. False if CodeInfo is unreadable.
bool VisitSafepoints(const Layout& layout, const CompiledCode& code, uintptr_t method,
                     void (*visit)(void*, const Safepoint&), void* context);

}  // namespace stillframe::walk
