// SPDX-License-Identifier: Apache-2.0
// Frames of native code, for trees: class is the library's file, method the function's symbol or
// the address, signature the build id and the address, by which a host names it. What a thread
// waits for in the kernel is one, too, of the class model::kKernel.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/sampler.h"
#include "src/model/frame_table.h"
#include "src/native/file_symbols.h"
#include "src/native/kernel_call.h"
#include "src/native/library_list.h"
#include "src/native/mixed_stack.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::native {

class NativeFrames {
 public:
  // All must outlive this.
  NativeFrames(const walk::RuntimeFacts& facts, model::FrameTable* frames, FileSymbols* files)
      : facts_(facts), frame_table_(*frames), stack_(facts), files_(*files) {}

  struct Setup {
    bool with_libunwind;
    bool with_files;  // names come from the files of libraries too
  };
  // From here on there are native frames. Without the memory for `copies`, or without libunwind or
  // libelf where they are asked for, the log says so.
  void Open(const Setup& setup, core::StackCopies* copies);
  // Of the ring's oldest sample, whose time the handler wrote; none where its stack was not copied.
  // Valid until the next call, as all lists here.
  std::span<const MixedFrame> OfSample(const core::RawSample& sample, uint64_t wall_ns,
                                       const core::Sampler& sampler);

  // Of a thread that stands still, which is copied now; where it is only ready to run, nobody knows
  // where, from its innermost managed frame on. `thread`: its art::Thread, whose stack is that of
  // the facts. False when that cannot be done.
  bool CopyStanding(int32_t tid, uintptr_t thread);
  // Whether the thread that was copied was ready to run.
  bool is_ready() const { return is_ready_; }
  std::span<const MixedFrame> OfStanding(const MixedStack::Managed& managed) {
    return stack_.Read(standing_, standing_words_.data(), managed, &changes_);
  }

  // Puts the native frames where they belong between the managed ones, both innermost first: calls
  // managed(index) and native(id).
  template <typename AddManaged, typename AddNative>
  void Merge(std::span<const MixedFrame> native, uint32_t managed, const AddManaged& add_managed,
             const AddNative& add_native) {
    Resolve(native);
    uint32_t next = 0;
    for (size_t i = 0; i < native.size(); ++i) {
      while (next < native[i].managed && next < managed) add_managed(next++);
      if (resolved_[i] != kNone) add_native(resolved_[i]);
    }
    while (next < managed) add_managed(next++);
  }

  // Whether kernel frames say which file it is, or who the socket's peer is.
  void SetNamesFiles(bool names_files) { names_files_ = names_files; }
  // What the thread waits for in the kernel; "" is nothing that is known.
  std::string KernelCallOf(int32_t tid) const { return ReadKernelCall(tid, names_files_); }
  // `call` as ReadKernelCall has it.
  model::FrameId KernelFrame(std::string_view call) {
    return frame_table_.InternFrame(model::kKernel, call, "", "", model::kLineUnknown,
                                    model::FrameKind::kNative);
  }

  // The table's ids may mean something else from now on.
  void ForgetIds() { known_.clear(); }

 private:
  static constexpr size_t kMaxKnown = 1024;
  static constexpr uint32_t kCopiedBytes = 16 << 10;  // of the stack for each sample
  static constexpr uint32_t kStandingBytes = 64 << 10;
  static constexpr model::FrameId kNone = UINT32_MAX;

  // Code that was met, and the library that held it then.
  struct Known {
    uintptr_t pc = 0;
    unwind::CodeModule library = {};
    model::FrameId frame = 0;
    bool is_runtimes = false;      // in the runtime's own library
    bool is_interpreters = false;  // and the loop that runs methods
    // Looked up while no library came or went, or twice with one answer: else its name may be of
    // the library that was there a moment before.
    bool is_proven = false;
  };

  // Null when it was not met, or another library is there now.
  const Known* Find(uintptr_t pc) const;
  void Resolve(std::span<const MixedFrame> native);
  void ForgetChanged();
  model::FrameId Mark();
  void Learn(const std::vector<uintptr_t>& pcs);
  std::vector<Known> TakeUnproven();
  void Describe(const model::NativeFrame& place, Known* known);

  const walk::RuntimeFacts& facts_;
  model::FrameTable& frame_table_;
  MixedStack stack_;
  LibraryChanges changes_;
  uint64_t known_generation_ = 0;  // of changes_, when what is known was looked up
  std::vector<core::RawFrame> managed_;
  core::StackCopy standing_;
  bool is_ready_ = false;
  bool names_files_ = false;
  core::StackCopies* copies_ = nullptr;  // null: no sample's stack is copied
  std::vector<uintptr_t> standing_words_;
  FileSymbols& files_;
  LibraryList libraries_;
  std::vector<Known> known_;
  std::vector<model::FrameId> resolved_;  // kNone: not told
};

}  // namespace stillframe::native
