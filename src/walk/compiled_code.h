// SPDX-License-Identifier: Apache-2.0
// Compiled methods: the header before their code, and CodeInfo: frame size, dex pc and inlined
// methods of a place in the code.
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
  uint32_t frame_bytes;  // with the return address; 0: a leaf without a frame
  uintptr_t info;        // CodeInfo

  // `pc` may be the return address behind the last instruction.
  bool Holds(uintptr_t pc) const { return pc >= begin && pc - begin <= bytes; }
};

// 1 to 255, by which code is told from what comes to its place when it is freed. Surviving risk:
// one in 255 has the same.
[[gnu::always_inline]] inline uint32_t CodeMark(const CompiledCode& code) {
  const uint32_t mixed =
      (static_cast<uint32_t>(code.begin - code.info) ^ code.bytes << 12 ^ code.frame_bytes << 24) *
      0x9e3779b1U;
  return 1 + ((mixed >> 16) * 255 >> 16);
}

// Opens the code at an entry point. False where no header stands before it, as before the stubs of
// the runtime; what is read there by mistake must still be checked against a pc.
bool LoadCompiledCode(const Layout& layout, uintptr_t entry_point, CompiledCode* code);

// The code of `method` if `pc` lies in it.
bool FindCodeOfMethod(const Layout& layout, uintptr_t method, uintptr_t pc, CompiledCode* code);

// True when CodeInfo describes a method of `dex_registers` registers, and its safepoints, if it has
// any, are in the code: what a header has to stand that no entry point vouches for.
bool HasPlausibleCodeInfo(const Layout& layout, const CompiledCode& code, uint32_t dex_registers);

// The same of a stub that was compiled for a native method: no registers, no tables.
bool HasStubCodeInfo(const Layout& layout, const CompiledCode& code);

constexpr uint32_t kNoMethodIndex = UINT32_MAX;
constexpr uint32_t kSameDexFile = UINT32_MAX;
constexpr uint32_t kOfOatFile = 1U << 31;  // added to a number

// A method at a place in compiled code.
struct CompiledFrame {
  uintptr_t method;       // 0: only the index is known
  uint32_t method_index;  // in its dex file; kNoMethodIndex: in one that is not known
  uint32_t dex_pc;        // kNoDexPc: no safepoint is near
  bool is_exact = false;  // a safepoint is there: what is inlined is known
  // That of the outermost method, or the number of one in the boot class path, or in its oat file.
  uint32_t dex_file = kSameDexFile;
};

constexpr uint32_t kMaxInlined = 32;

// The methods at `offset` in the code of `method`, innermost first: those inlined there, then the
// method itself. Exact at a safepoint, that is at every return address; else that of the nearest
// safepoint before, or after. Returns how many; `frames` has room for kMaxInlined + 1.
uint32_t MethodsAt(const Layout& layout, const CompiledCode& code, uintptr_t method,
                   uint32_t offset, CompiledFrame* frames);

// What CodeInfo says of a place in the code.
struct Safepoint {
  uint32_t offset;  // behind the call, or the instruction that faults
  bool is_place;    // a place that code is entered at, as catch handlers are: no instruction ends
                    // there
  uint32_t count;   // of the frames, as MethodsAt gives them
  const CompiledFrame* frames;
};

// Calls visit(context, safepoint) for each of them, as CodeInfo has them. The frames are valid
// until it returns. False when CodeInfo cannot be read.
bool VisitSafepoints(const Layout& layout, const CompiledCode& code, uintptr_t method,
                     void (*visit)(void*, const Safepoint&), void* context);

}  // namespace stillframe::walk
