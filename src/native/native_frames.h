// SPDX-License-Identifier: Apache-2.0
// Frames of native code, for trees. Class: the library's file. Method: the symbol or the address.
// Signature: build id and address, from which a host can find the name. What a thread waits for in
// the kernel is also a frame, of the class model::kKernel.
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
    bool with_files;  // also take names from the libraries' files
  };
  // Enables native frames. Missing memory for `copies`, or a missing libunwind or libelf that is
  // requested, is logged.
  void Open(const Setup& setup, core::StackCopies* copies);
  // The native frames of the ring's oldest sample, whose time the handler wrote; empty if its stack
  // was not copied. Valid until the next call, as all lists here.
  std::span<const MixedFrame> OfSample(const core::RawSample& sample, uint64_t wall_ns,
                                       const core::Sampler& sampler);

  // Copies the stack of a blocked thread. If it is only ready to run, its registers are unknown,
  // and the copy begins at its innermost managed frame. `thread`: its art::Thread, whose stack is
  // that of the facts. False if that fails.
  bool CopyBlocked(int32_t tid, uintptr_t thread) { return CopyBlocked(tid, thread, facts_); }
  // Likewise of any thread, with facts that have the bounds of its stack. `thread` 0: the runtime
  // does not know it.
  bool CopyBlocked(int32_t tid, uintptr_t thread, const walk::RuntimeFacts& facts);
  bool is_open() const { return stack_.capacity() != 0; }
  // Whether the copied thread was ready to run.
  bool is_ready() const { return is_ready_; }
  std::span<const MixedFrame> OfBlocked(const MixedStack::Managed& managed) {
    return stack_.Read(standing_, blocked_words_.data(), managed, &changes_);
  }

  // The same for a thread that copied its own stack.
  std::span<const MixedFrame> OfCopy(const core::StackCopy& copy, const uintptr_t* words,
                                     const MixedStack::Managed& managed) {
    changes_.Begin(facts_.modules, copy, nullptr);
    return stack_.Read(copy, words, managed, &changes_);
  }
  core::StackCopies::Watched LastLibrary() const {
    return LibraryChanges::LastEntry(*facts_.modules);
  }

  // Merges native and managed frames, both innermost first: calls managed(index) and native(id).
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

  // Whether kernel frames name the file or the socket's peer.
  void SetNamesFiles(bool names_files) { names_files_ = names_files; }
  // The wait of a thread in the kernel; "": unknown.
  std::string KernelCallOf(int32_t tid) const { return ReadKernelCall(tid, names_files_); }
  // `call`: as from ReadKernelCall.
  model::FrameId KernelFrame(std::string_view call) {
    return frame_table_.InternFrame(model::kKernel, call, "", "", model::kLineUnknown,
                                    model::FrameKind::kNative);
  }

  // Call when the table's ids may have changed their meaning.
  void ForgetIds() { known_.clear(); }

 private:
  static constexpr size_t kMaxKnown = 1024;
  static constexpr uint32_t kCopiedBytes = 64 << 10;  // most bytes of the stack per sample
  static constexpr uint32_t kRingBytes = 256 << 10;   // of samples whose frames are not found yet
  static constexpr model::FrameId kNone = UINT32_MAX;

  // Code seen before, and its library at that time.
  struct Known {
    uintptr_t pc = 0;
    unwind::CodeModule library = {};
    model::FrameId frame = 0;
    bool is_runtimes = false;      // in the runtime's own library
    bool is_interpreters = false;  // the runtime's loop that interprets methods
    // Looked up while no library changed, or twice with the same result. Otherwise the name may be
    // of a library unloaded just before.
    bool is_proven = false;
  };

  // Null: not seen before, or another library is there now.
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
  uint64_t known_generation_ = 0;  // of changes_, when known_ was filled
  std::vector<core::RawFrame> managed_;
  core::StackCopy standing_;
  bool is_ready_ = false;
  bool names_files_ = false;
  core::StackCopies* copies_ = nullptr;  // null: samples' stacks are not copied
  std::vector<uintptr_t> blocked_words_;
  FileSymbols& files_;
  LibraryList libraries_;
  std::vector<Known> known_;
  std::vector<model::FrameId> resolved_;  // kNone: hidden
};

}  // namespace stillframe::native
