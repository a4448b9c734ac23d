// SPDX-License-Identifier: Apache-2.0
// Resolves (ArtMethod*, dex pc) to readable names: off the signal, cached, by guarded loads only.
// An unloaded method thus costs a name, not the process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/sample.h"
#include "src/model/frame_table.h"
#include "src/names/dex_file.h"
#include "src/names/inlined_code.h"
#include "src/walk/compiled_code.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::names {

class MethodNames {
 public:
  // `facts` may change until the first frame is resolved.
  MethodNames(const walk::RuntimeFacts& facts, model::FrameTable* frames)
      : facts_(facts), frame_table_(*frames) {}

  // The frames of a raw frame, innermost first: one, plus the inlined methods of compiled code.
  // Returns their number; `ids` has space for kMaxFrames. An invalid pointer gives a truncation and
  // is counted.
  static constexpr uint32_t kMaxFrames = walk::kMaxInlined + 1;
  uint32_t Resolve(const core::RawFrame& raw, model::FrameId* ids);
  // The marker of a deep stack: `count` frames are missing in the middle; kNoDexPc: the outermost
  // ones.
  model::FrameId MissingFrames(uint32_t count);

  // Call when the table's ids may have changed their meaning.
  void ForgetIds();

  // Frames whose method has no name, so far.
  uint64_t bad_methods() const { return bad_methods_; }

 private:
  // Longer results are not cached.
  static constexpr uint32_t kMaxLeafFrames = 8;

  struct Method {
    uintptr_t address = 0;
    uint64_t identity = 0;   // dex index and code item: detects a reused address
    uint32_t code_item = 0;  // offset in the dex file's data
    DexPlace dex;
    bool has_names = false;  // whether the table had space for all names
    model::Frame frame = {};
    // The last line requested, since stacks repeat.
    uint32_t dex_pc = core::kNoDexPc;
    model::FrameKind kind = model::FrameKind::kInterpreted;
    model::FrameId frame_id = 0;
    bool has_frame = false;
  };

  // A method inlined by its index in a dex file.
  struct Inlined {
    uintptr_t dex_begin = 0;
    uint64_t dex_id = 0;
    uint32_t method_index = 0;
    uint32_t dex_pc = 0;
    model::FrameKind kind = model::FrameKind::kCompiled;
    model::FrameId frame_id = 0;
  };

  // A position in compiled code that CodeInfo does not describe, and its frames.
  struct LeafPlace {
    uintptr_t begin = 0;
    uintptr_t method = 0;
    uintptr_t info = 0;
    uint32_t offset = 0;
    uint32_t count = 0;     // 0: free
    uint64_t checksum = 0;  // of the code: the JIT frees and reuses code memory
    model::FrameId ids[kMaxLeafFrames] = {};
  };

  uint32_t ResolveCompiled(const core::RawFrame& raw, model::FrameId* ids);
  uint32_t ResolveLeaf(const walk::CompiledCode& code, uintptr_t method, uint32_t offset,
                       model::FrameId* ids);
  uint32_t ResolveFrames(uintptr_t method, std::span<const walk::CompiledFrame> frames,
                         bool may_be_inlined, model::FrameId* ids);
  // Address of the standard code item of a method inlined into `outer`; 0: unreadable.
  uintptr_t CodeItemOf(uintptr_t outer, const InlinedInstance& instance);
  bool HasHiddenCall(const InlinedCode& code, InstanceId instance);
  static int32_t LineOf(const Method& method, uint32_t dex_pc);
  model::FrameId ResolveOne(uintptr_t address, uint32_t dex_pc, model::FrameKind kind);
  model::FrameId ResolveInlined(uintptr_t outer, const walk::CompiledFrame& frame,
                                model::FrameKind kind);
  // The dex file `dex_file` as named in compiled code of `outer`.
  bool FindDex(uintptr_t outer, uint32_t dex_file, DexPlace* dex);
  // The same for an instance, and its code item there; 0: unreadable.
  bool FindDexOf(uintptr_t outer, const InlinedInstance& instance, DexPlace* dex,
                 uint32_t* code_item);
  model::FrameId BadMethod();

  // The cached method; reloaded if its address was reused or its dex file is gone. An unloaded
  // method keeps its names, but its lines become unreadable.
  Method* Find(uintptr_t address);
  bool Load(uintptr_t address, uint64_t identity, Method* method);
  uintptr_t BehindProxy(uintptr_t address) const;
  bool LoadDexFile(uintptr_t address, Method* method) const;
  model::FrameId TruncationFrame(core::Truncation truncation);

  static constexpr size_t kSlots = 1024;  // direct mapped, 2^n
  static constexpr size_t kInlinedSlots = 256;
  static constexpr size_t kLeafSlots = 512;

  const walk::RuntimeFacts& facts_;
  model::FrameTable& frame_table_;
  std::vector<Method> cache_;
  std::vector<Inlined> inlined_;
  std::vector<LeafPlace> leaves_;
  uint32_t missing_ = 0;  // missing frames, as last shown
  uint64_t bad_methods_ = 0;
};

}  // namespace stillframe::names
