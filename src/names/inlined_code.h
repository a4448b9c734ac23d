// SPDX-License-Identifier: Apache-2.0
// Finds the inlined method that an instruction belongs to, between the places that CodeInfo
// describes.
//
// CodeInfo names inlined methods at return addresses and at faulting instructions. Each of these is
// a mark. Branches into slow paths are marks too, because a slow path's call has a place of its own
// after the method's code. So are the instructions that build and drop the frame. Inlined code has
// one entry and one exit, and each loop has a mark of its own method where it repeats. So an
// instruction between two marks of one inlined method is in that method, or in one inlined into it,
// unless the path has other marks.
// Sources: SlowPathCode, CodeGenerator::RecordPcInfo and HandleGoto of ART 10.0.0_r36, 11.0.0_r48
// and 14.0.0_r15, compiler/optimizing/code_generator.cc and code_generator_x86_64.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "src/names/machine_code.h"
#include "src/walk/compiled_code.h"

namespace stillframe::names {

// A method inlined at one call site; 0: the method that the code belongs to.
using InstanceId = uint32_t;

struct InlinedInstance {
  InstanceId around;     // the enclosing instance; 0 for instance 0
  uint32_t depth;        // 0 for instance 0
  uint32_t call_dex_pc;  // of the call, in the enclosing instance
  uintptr_t method;      // as in walk::CompiledFrame
  uint32_t method_index;
  uint32_t dex_file;
};

// Facts about an instruction.
struct InlinedPlace {
  InstanceId instance = 0;           // the innermost instance that it certainly belongs to
  uint32_t dex_pc = core::kNoDexPc;  // in that instance, from a nearby mark
  bool may_be_deeper = false;        // it may also be in an inner instance with marks
};

class InlinedCode {
 public:
  // Reads CodeInfo of `code`; `copy` is a copy of the code. False if CodeInfo is gone or too large.
  bool Read(const walk::Layout& layout, const walk::CompiledCode& code, uintptr_t method,
            MachineCode copy);

  // The opcode at dex_pc of an instance; 0: unreadable.
  using OpcodeAt = uint8_t (*)(void* context, const InlinedInstance& instance, uint32_t dex_pc);

  // Finds the marks. False if the code is not understood: then only CodeInfo's places are used.
  bool FindMarks(OpcodeAt opcode_at, void* context);

  // The place of the byte at `offset`. Only after FindMarks succeeded.
  InlinedPlace At(uint32_t offset) const;

  bool has_inlined() const { return instances_.size() > 1; }
  const InlinedInstance& instance(InstanceId id) const { return instances_[id]; }

  // Whether the call at dex_pc in `instance` was not compiled to a call and its method left no
  // mark. Without marks, any place of CodeInfo at dex_pc counts as the call.
  bool IsHiddenCall(InstanceId instance, uint32_t dex_pc) const;

  // The methods at `dex_pc` of an instance, innermost first; `frames` has the size for
  // walk::MethodsAt.
  uint32_t Methods(InstanceId instance, uint32_t dex_pc, walk::CompiledFrame* frames) const;

 private:
  // A place that CodeInfo describes.
  struct Place {
    uint32_t offset;
    InstanceId instance;
    uint32_t dex_pc;
    bool is_entered;  // does not belong to the instruction before it
    bool is_call;     // after a call of a method
  };
  // Mark of an instruction: an index in places_, or one of these.
  static constexpr uint32_t kUnmarked = UINT32_MAX;
  static constexpr uint32_t kFrame = UINT32_MAX - 1;  // builds or drops the frame
  using Instructions = std::vector<uint32_t>;         // indices, ascending

  void AddPlace(const walk::Safepoint& safepoint);
  InstanceId Intern(const InlinedInstance& instance);
  void MarkPlaces();
  void MarkFrame(uintptr_t begin, uint32_t frame_bytes);
  void MarkSlowPaths();
  void MarkChecked(OpcodeAt opcode_at, void* context);
  uint32_t SlowPathPlace(uint32_t entry) const;
  void DoubtHoisted();
  void LinkSources();

  bool IsMarked(uint32_t instruction) const { return marks_[instruction] != kUnmarked; }
  InstanceId InstanceOf(uint32_t instruction) const;
  bool IsIn(InstanceId inner, InstanceId outer) const;
  InstanceId CommonOf(InstanceId a, InstanceId b) const;
  template <typename Visit>
  void ForEachTarget(uint32_t instruction, const Visit& visit) const;
  template <typename Visit>
  void ForEachSource(uint32_t instruction, const Visit& visit) const;
  // The nearest marks in the given directions.
  Instructions Search(uint32_t from, bool forward, bool backward) const;
  InstanceId InnermostBetween(const Instructions& before, const Instructions& behind) const;
  uint32_t DexPcIn(InstanceId instance, uint32_t instruction) const;

  uintptr_t begin_ = 0;
  uint32_t frame_bytes_ = 0;
  bool is_marked_ = false;
  uint32_t first_slow_ = 0;  // index of the first instruction after the last return
  MachineCode code_;
  std::vector<InlinedInstance> instances_;
  std::vector<Place> places_;
  std::vector<uint32_t> marks_;         // by instruction
  std::vector<InstanceId> certain_;     // by marked instruction; if hoisted, an outer instance
  std::vector<uint32_t> first_source_;  // by instruction: index in sources_; one more at the end
  std::vector<uint32_t> sources_;
};

}  // namespace stillframe::names
