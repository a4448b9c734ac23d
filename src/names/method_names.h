// SPDX-License-Identifier: Apache-2.0
// From (ArtMethod*, dex pc) to names a person reads; off the signal, cached, by guarded loads only,
// so that a method that was unloaded meanwhile costs a name and not the process.
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
  // `facts` may still change until the first frame is resolved.
  MethodNames(const walk::RuntimeFacts& facts, model::FrameTable* frames)
      : facts_(facts), frame_table_(*frames) {}

  // The frames that a raw one stands for, innermost first: one, or with compiled code also the
  // methods inlined into it. Returns how many; `ids` has room for kMaxFrames. A pointer that is no
  // method (any more) gives a truncation and is counted.
  static constexpr uint32_t kMaxFrames = walk::kMaxInlined + 1;
  uint32_t Resolve(const core::RawFrame& raw, model::FrameId* ids);
  // The marker of a deep stack, in whose middle so many frames are missing; kNoDexPc: its outermost
  // ones.
  model::FrameId MissingFrames(uint32_t count);

  // The table's ids may mean something else from now on.
  void ForgetIds();

  // Frames whose method has no name, so far.
  uint64_t bad_methods() const { return bad_methods_; }

 private:
  // More are found anew each time.
  static constexpr uint32_t kMaxLeafFrames = 8;

  struct Method {
    uintptr_t address = 0;
    uint64_t identity = 0;   // dex index and code item: tells a reused address
    uint32_t code_item = 0;  // offset in the dex file's data
    DexPlace dex;
    bool has_names = false;  // the table had room for all of them
    model::Frame frame = {};
    // The last line asked for; stacks repeat.
    uint32_t dex_pc = core::kNoDexPc;
    model::FrameKind kind = model::FrameKind::kInterpreted;
    model::FrameId frame_id = 0;
    bool has_frame = false;
  };

  // A method that was inlined by its index in a dex file.
  struct Inlined {
    uintptr_t dex_begin = 0;
    uint64_t dex_id = 0;
    uint32_t method_index = 0;
    uint32_t dex_pc = 0;
    model::FrameKind kind = model::FrameKind::kCompiled;
    model::FrameId frame_id = 0;
  };

  // A place in compiled code at which CodeInfo says nothing, and the frames found for it.
  struct LeafPlace {
    uintptr_t begin = 0;
    uintptr_t method = 0;
    uintptr_t info = 0;
    uint32_t offset = 0;
    uint32_t count = 0;     // 0: free
    uint64_t checksum = 0;  // of the code: the JIT frees code and uses its place again
    model::FrameId ids[kMaxLeafFrames] = {};
  };

  uint32_t ResolveCompiled(const core::RawFrame& raw, model::FrameId* ids);
  uint32_t ResolveLeaf(const walk::CompiledCode& code, uintptr_t method, uint32_t offset,
                       model::FrameId* ids);
  uint32_t ResolveFrames(uintptr_t method, std::span<const walk::CompiledFrame> frames,
                         bool may_be_inlined, model::FrameId* ids);
  // Address of the standard code item of a method in compiled code of `outer`; 0: it cannot be
  // read.
  uintptr_t CodeItemOf(uintptr_t outer, const InlinedInstance& instance);
  bool HasHiddenCall(const InlinedCode& code, InstanceId instance);
  static int32_t LineOf(const Method& method, uint32_t dex_pc);
  model::FrameId ResolveOne(uintptr_t address, uint32_t dex_pc, model::FrameKind kind);
  model::FrameId ResolveInlined(uintptr_t outer, const walk::CompiledFrame& frame,
                                model::FrameKind kind);
  // Where the method of an index is, in compiled code of `outer`.
  bool FindDex(uintptr_t outer, uint32_t dex_file, DexPlace* dex);
  // The same of an instance, and its code item in there, which is 0 where it cannot be read.
  bool FindDexOf(uintptr_t outer, const InlinedInstance& instance, DexPlace* dex,
                 uint32_t* code_item);
  model::FrameId BadMethod();

  // The cached method, read anew where another one took its place or its dex file is gone. What
  // was unloaded since keeps the names that it had, but its lines cannot be read any more.
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
  uint32_t missing_ = 0;  // frames, of the last marker
  uint64_t bad_methods_ = 0;
};

}  // namespace stillframe::names
