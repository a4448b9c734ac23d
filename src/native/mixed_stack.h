// SPDX-License-Identifier: Apache-2.0
// The native frames of a copied stack, and where they stand among its managed ones.
//
// Native code that calls a method pushes a ManagedStack, which lies in a frame of the runtime: the
// links between fragments part the stack. A native frame belongs behind as many fragments as have
// their links below its end, and how many managed frames a fragment has says the same walk that
// the handler did, over the copy, one fragment at a time; where it comes to other frames than the
// sample has, what is further out is left out and marked. Where native frames end at managed code
// they go on at the stub that the runtime called for it: the call of a function that describes
// itself, right below the next link, and above a null that a return into that function stands
// before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/sample.h"
#include "src/core/stack_copies.h"
#include "src/native/library_changes.h"
#include "src/native/native_steps.h"
#include "src/native/stack_slice.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::native {

struct MixedFrame {
  // The instruction, in callers the last byte of the call; 0: frames are missing here.
  uintptr_t pc = 0;
  // So many of the stack's managed frames are further in.
  uint32_t managed = 0;
  // Of the runtime's own code it is on the way from managed code or to it.
  bool is_passage = false;
};

class MixedStack {
 public:
  static constexpr uint32_t kMaxFrames = 256;

  explicit MixedStack(const walk::RuntimeFacts& facts) : facts_(facts) {}
  bool Create(uint32_t bytes) { return slice_.Create(bytes); }
  uint32_t capacity() const { return slice_.capacity(); }
  bool UseLibunwind(const unwind::CodeModules& modules) { return steps_.UseLibunwind(modules); }

  struct Managed {
    std::span<const core::RawFrame> frames;  // innermost first
    uint8_t thread_state = 0;
    bool has_registers = false;  // of code that was interrupted, not of a thread that stands still
  };
  // Innermost first. Without a pc among the registers frames are missing above the top managed one.
  // Where the code is of a library that is not `changes`'s of then, its frames are missing. Valid
  // until the next call.
  const std::vector<MixedFrame>& Read(const core::StackCopy& copy, const uintptr_t* words,
                                      const Managed& managed, LibraryChanges* changes);

 private:
  static constexpr uint32_t kMaxFragments = 64;
  static constexpr uint32_t kUnknown = UINT32_MAX;

  void FindFragments(const Managed& managed);
  bool CountFrames(uint32_t index, const Managed& managed);
  void FindNativeFrames(uint32_t managed_frames);
  void Run(arch::UnwindRegisters registers, bool is_call);
  bool FindCallOfStub(uintptr_t link, arch::UnwindRegisters* registers) const;
  bool IsCallOfStub(uintptr_t return_address_at, arch::UnwindRegisters* registers) const;
  bool IsBelowLink(arch::UnwindRegisters registers, uintptr_t link) const;
  bool IsWayToManaged(uintptr_t pc) const;
  void Push(uintptr_t pc, uint32_t gap, bool is_passage);
  uint32_t GapOf(uintptr_t end) const;

  const walk::RuntimeFacts& facts_;
  LibraryChanges* changes_ = nullptr;  // while a stack is read
  StackSlice slice_;
  NativeSteps steps_;
  // Where the ManagedStack of the second fragment is, of the third and so on, in the slice.
  std::vector<uintptr_t> links_;
  bool has_all_links_ = false;
  // Managed frames further in than the native ones of each gap; kUnknown where that is not known.
  std::vector<uint32_t> managed_before_;
  uintptr_t top_frame_ = 0;  // of the innermost fragment, as the thread says
  bool is_below_top_ = false;
  uintptr_t reached_ = 0;  // by the native frames, in the slice
  std::vector<core::RawFrame> found_;
  std::vector<uintptr_t> thread_;  // stands for the runtime's
  std::vector<MixedFrame> mixed_;
};

}  // namespace stillframe::native
