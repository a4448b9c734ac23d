// SPDX-License-Identifier: Apache-2.0
// The native frames of a copied stack, and their positions among its managed ones.
//
// Each native call into managed code pushes a ManagedStack, which is in a frame of the runtime.
// These links divide the stack into fragments. A native frame comes after every fragment whose link
// is below the frame's end. To count managed frames, the handler's walk is repeated on the copy,
// one fragment at a time. If its frames differ from the sample's, the outer part is dropped and
// marked.
// Where native frames end at managed code, they continue at the stub that called it. The stub has
// call frame information. Its call is right below the next link and above the null that the managed
// code returns to.
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
  // The instruction; in callers the last byte of the call; 0: frames are missing here.
  uintptr_t pc = 0;
  // Number of the stack's managed frames inside this one.
  uint32_t managed = 0;
  // On the path to or from managed code; hidden if it is the runtime's own.
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
    bool has_registers = false;  // of interrupted code; false: of a blocked thread
    // Bounds of the thread's stack; 0: those of the facts.
    uintptr_t stack_low = 0;
    uintptr_t stack_high = 0;
  };
  // Innermost first. Without a pc in the registers, the frames inside the top managed one are
  // missing. Frames in a library that `changes` has since replaced are omitted. Valid until the
  // next call.
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
  bool IsBridgeToManaged(uintptr_t pc) const;
  void Push(uintptr_t pc, uint32_t gap, bool is_passage);
  uint32_t GapOf(uintptr_t end) const;

  const walk::RuntimeFacts& facts_;
  LibraryChanges* changes_ = nullptr;  // set while a stack is read
  StackSlice slice_;
  NativeSteps steps_;
  // Addresses in the slice of the ManagedStack of the second fragment, the third, and so on.
  std::vector<uintptr_t> links_;
  bool has_all_links_ = false;
  // Number of managed frames inside each gap's native ones; kUnknown: unknown.
  std::vector<uint32_t> managed_before_;
  uintptr_t top_frame_ = 0;  // of the innermost fragment, from the thread's structure
  bool is_below_top_ = false;
  uintptr_t reached_ = 0;  // furthest stack address of the native frames, in the slice
  std::vector<core::RawFrame> found_;
  std::vector<uintptr_t> thread_;  // stand-in for the runtime's structure
  std::vector<MixedFrame> mixed_;
};

}  // namespace stillframe::native
