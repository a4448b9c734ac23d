// SPDX-License-Identifier: Apache-2.0
// Which of the methods that a compiler inlined an instruction belongs to, between the places that
// CodeInfo describes.
//
// CodeInfo names the inlined methods where a call returns to, and where a fault is handled. Each
// such instruction is a mark here; so is the branch into a slow path, whose call has a place of its
// own behind the method's code, and what builds and drops the frame. Inlined code is entered and
// left at one place each, and each loop has a mark of the method it is written in, where it
// goes round. So an instruction that lies on a way from a mark of an inlined method to a mark of
// the same one, with no mark of another on the way, is in that method, or in one that it inlined.
// Sources: SlowPathCode, CodeGenerator::RecordPcInfo and HandleGoto of ART 10.0.0_r36, 11.0.0_r48
// and 14.0.0_r15, compiler/optimizing/code_generator.cc and code_generator_x86_64.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "src/names/machine_code.h"
#include "src/walk/compiled_code.h"

namespace stillframe::names {

// A method in the code, at one place that calls it: 0 is the method that the code is of.
using InstanceId = uint32_t;

struct InlinedInstance {
  InstanceId around;     // of 0: 0
  uint32_t depth;        // of 0: 0
  uint32_t call_dex_pc;  // in the one around it
  uintptr_t method;      // as in walk::CompiledFrame
  uint32_t method_index;
  uint32_t dex_file;
};

// What is known of an instruction.
struct InlinedPlace {
  InstanceId instance = 0;           // the innermost that it certainly belongs to
  uint32_t dex_pc = core::kNoDexPc;  // there, of a mark near
  bool may_be_deeper = false;        // one that has marks may have begun, or not have ended
};

class InlinedCode {
 public:
  // Reads CodeInfo of `code`, of which `copy` is one. False when it is gone or says too much.
  bool Read(const walk::Layout& layout, const walk::CompiledCode& code, uintptr_t method,
            MachineCode copy);

  // The opcode at dex_pc of an instance; 0 when it cannot be read.
  using OpcodeAt = uint8_t (*)(void* context, const InlinedInstance& instance, uint32_t dex_pc);

  // Finds the marks. False when the code is not understood: then only CodeInfo's places count.
  bool FindMarks(OpcodeAt opcode_at, void* context);

  // Of the byte at `offset`. Only when the marks were found.
  InlinedPlace At(uint32_t offset) const;

  bool has_inlined() const { return instances_.size() > 1; }
  const InlinedInstance& instance(InstanceId id) const { return instances_[id]; }

  // A call at dex_pc in the method of `instance` that was not compiled to a call, and whose method
  // left no mark. Without marks, any place of CodeInfo at dex_pc counts as the call.
  bool IsHiddenCall(InstanceId instance, uint32_t dex_pc) const;

  // The methods at `dex_pc` of an instance, innermost first; room as for walk::MethodsAt.
  uint32_t Methods(InstanceId instance, uint32_t dex_pc, walk::CompiledFrame* frames) const;

 private:
  // A place that CodeInfo describes.
  struct Place {
    uint32_t offset;
    InstanceId instance;
    uint32_t dex_pc;
    bool is_entered;  // by no instruction before it
    bool is_call;     // of a method
  };
  // Of an instruction: index in places_, or one of these.
  static constexpr uint32_t kUnmarked = UINT32_MAX;
  static constexpr uint32_t kFrame = UINT32_MAX - 1;  // builds or drops the frame
  using Instructions = std::vector<uint32_t>;         // indices, rising

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
  // The marks met first.
  Instructions Search(uint32_t from, bool forward, bool backward) const;
  InstanceId InnermostBetween(const Instructions& before, const Instructions& behind) const;
  uint32_t DexPcIn(InstanceId instance, uint32_t instruction) const;

  uintptr_t begin_ = 0;
  uint32_t frame_bytes_ = 0;
  bool is_marked_ = false;
  uint32_t first_slow_ = 0;  // instruction, behind the last return
  MachineCode code_;
  std::vector<InlinedInstance> instances_;
  std::vector<Place> places_;
  std::vector<uint32_t> marks_;         // by instruction
  std::vector<InstanceId> certain_;     // by marked instruction: less than the mark, where it moved
  std::vector<uint32_t> first_source_;  // by instruction: in sources_; one more at the end
  std::vector<uint32_t> sources_;
};

}  // namespace stillframe::names
