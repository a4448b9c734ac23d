// SPDX-License-Identifier: Apache-2.0
// Memory laid out as ART lays it out, by the offsets of a layout row, for walks over literal
// stacks.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "arch/arch.h"
#include "src/core/sample.h"
#include "src/unwind/code_modules.h"
#include "src/walk/layout.h"
#include "src/walk/runtime_facts.h"
#include "src/walk/walk.h"
#include "src/walk/walk_quick.h"
#include "tests/testbed/quick_code/code_info.h"

namespace stillframe::walk {

struct WalkedStack {
  std::vector<core::RawFrame> frames;
  core::Truncation truncation;
  uint8_t state;
};

inline WalkedStack Walk(const RuntimeFacts& facts, uintptr_t thread,
                        const arch::Registers* registers = nullptr, uint32_t limit = 64) {
  std::vector<core::RawFrame> frames(limit);
  core::FrameSink sink(frames.data(), 0, UINT64_MAX, limit);
  const uint8_t state = WalkManagedStack(&facts, thread, registers, &sink);
  frames.resize(sink.depth());
  return {frames, sink.truncation(), state};
}

// Where the runtime's own code is said to be; nothing is there.
constexpr uintptr_t kLibrary = 0x7100'0000;
constexpr uintptr_t kLibraryBytes = 0x1000;

inline unwind::CodeModules& LibraryModules() {
  static unwind::CodeModules modules;  // large
  modules.Add({kLibrary, kLibrary + kLibraryBytes, 0, 0, 0, 0});
  return modules;
}

// An arena below 4 GiB, where ART's heap and its methods' classes are.
class ArtImage {
 public:
  static constexpr uint32_t kManagedStack = 184;
  static constexpr uint8_t kNativeState = 92;  // the same in all releases
  static constexpr size_t kStackBytes = 16 * 1024;

  explicit ArtImage(const Layout& layout) : layout_(layout) {
    base_ = MapLow();
    next_ = base_;
    stack_ = Allocate(kStackBytes);
    next_fragment_ = stack_ + kStackBytes;
    thread_ = Allocate(1024);
    class_class_ = Allocate(128);
    Put32(class_class_ + layout.object_class, static_cast<uint32_t>(class_class_));
    class_ = Allocate(128);
    Put32(class_ + layout.object_class, static_cast<uint32_t>(class_class_));
    for (uint32_t i = 0; i < kCalleeSaveMethods; ++i) facts_.callee_save[i] = Allocate(64);
    facts_.layout = &layout;
    facts_.managed_stack = kManagedStack;
    facts_.modules = &LibraryModules();
    facts_.stack_low = stack_;
    facts_.stack_high = stack_ + kStackBytes;
    SetState(kNativeState);
  }
  ~ArtImage() { munmap(reinterpret_cast<void*>(base_), kBytes); }
  ArtImage(const ArtImage&) = delete;
  ArtImage& operator=(const ArtImage&) = delete;

  uintptr_t Allocate(size_t bytes) {
    const uintptr_t at = next_;
    next_ += (bytes + 15) & ~size_t{15};
    return at;
  }
  void Put64(uintptr_t at, uint64_t value) { Put(at, value); }
  void PutPointer(uintptr_t at, uintptr_t value) { Put(at, value); }
  void Put32(uintptr_t at, uint32_t value) { Put(at, value); }
  void Put8(uintptr_t at, uint8_t value) { Put(at, value); }
  void SetState(uint8_t state) { Put(thread_ + layout_.thread_state, state); }

  // A method of a plain class.
  uintptr_t Method(uint32_t access_flags = 1) {
    const uintptr_t method = Allocate(64);
    Put32(method + layout_.method_declaring_class, static_cast<uint32_t>(class_));
    Put32(method + layout_.method_access_flags, access_flags);
    return method;
  }
  // Gives a method the code item at `offset` of a dex file whose data begins at `data`.
  void PutCodeItem(uintptr_t method, uintptr_t data, uint32_t offset) {
    if (layout_.code_item_place == CodeItemPlace::kPointer)
      Put(method + layout_.method_code_item, data + offset);
    else
      Put32(method + layout_.method_code_item, offset);
  }
  // Gives a method compiled code, with what describes it in front. Returns where the code begins;
  // all of it lies in the kCodeRoom bytes from `area` on.
  static constexpr uint32_t kCodeRoom = 512;
  uintptr_t PutCode(uintptr_t method, uintptr_t area,
                    const testbed::quick_code::CodeDescription& description) {
    int release = 14;
    if (layout_.code_info <= CodeInfoForm::k11) release = 11;
    if (layout_.code_info <= CodeInfoForm::k10) release = 10;
    const std::vector<uint8_t> info = testbed::quick_code::EncodeCodeInfo(release, description);
    const uintptr_t code = (area + info.size() + 48) & ~uintptr_t{15};
    memcpy(reinterpret_cast<void*>(area), info.data(), info.size());
    const auto back = static_cast<uint32_t>(code - area);
    switch (layout_.method_header) {
      case MethodHeader::kFrameInfo:
        Put32(code - 16, description.frame_bytes);
        Put32(code - 4, description.code_bytes);
        break;
      case MethodHeader::kVmapOffsetAndSize:
        Put32(code - 8, back);
        Put32(code - 4, description.code_bytes);
        break;
      case MethodHeader::kCodeInfoOffset: Put32(code - 4, back | 1U << 30); break;
      case MethodHeader::kPlainCodeInfoOffset: Put32(code - 4, back); break;
    }
    PutEntry(code, description.frame_bytes);
    PutPointer(method + layout_.method_entry_point, code);
    return code;
  }
  // The prologue, where walks look for it.
  void PutEntry([[maybe_unused]] uintptr_t code, [[maybe_unused]] uint32_t frame_bytes) {
#if defined(__aarch64__)
    Put32(code, 0xd10003ff | frame_bytes << 10);                // sub sp, sp, frame_bytes
    Put32(code + 4, 0xf90003fe | (frame_bytes / 8 - 1) << 10);  // str x30, [sp, frame_bytes - 8]
    Put32(code + 8, 0xf90003e0);                                // str x0, [sp]
#elif defined(__arm__)
    Put32(code, 0xbf00b500);  // push {lr}; nop
#endif
  }
  uintptr_t NativeMethod() { return Method(layout_.access_native | 1); }

  // A shadow frame whose dex pc is in its own field, as the switch interpreter leaves it.
  uintptr_t ShadowFrame(uintptr_t method, uint32_t dex_pc, uintptr_t link) {
    const uintptr_t frame = Allocate(128);
    PutPointer(frame + layout_.shadow_link, link);
    PutPointer(frame + layout_.shadow_method, method);
    Put32(frame + layout_.shadow_dex_pc, dex_pc);
    return frame;
  }
  // One with a pointer into its instructions, as mterp leaves it, where this release has that.
  uintptr_t MterpFrame(uintptr_t method, uintptr_t instructions, uint32_t dex_pc, uintptr_t link) {
    if (layout_.shadow_dex_pc_ptr == kNoField) return ShadowFrame(method, dex_pc, link);
    const uintptr_t frame = ShadowFrame(method, 0xdead, link);
    PutPointer(frame + layout_.shadow_dex_instructions,
               instructions - layout_.shadow_instructions_bias);
    PutPointer(frame + layout_.shadow_dex_pc_ptr, instructions + 2 * uintptr_t{dex_pc});
    return frame;
  }

  void SetFragment(uintptr_t at, uintptr_t tagged_quick_frame, uintptr_t link, uintptr_t shadow) {
    PutPointer(at + layout_.top_quick_frame, tagged_quick_frame);
    PutPointer(at + layout_.link, link);
    PutPointer(at + layout_.top_shadow_frame, shadow);
  }
  // Adds a fragment below the one before, from the top of the stack: outer fragments come first.
  // Under all frames is an empty fragment, to which a link of 0 is directed if there are frames.
  uintptr_t Fragment(uintptr_t tagged_quick_frame, uintptr_t link, uintptr_t shadow) {
    const uintptr_t below = LinkOrOutermost(tagged_quick_frame, link, shadow);
    const uintptr_t at = next_fragment_ -= 48;
    SetFragment(at, tagged_quick_frame, below, shadow);
    return at;
  }
  // The fragment in the thread itself.
  void SetTop(uintptr_t tagged_quick_frame, uintptr_t link, uintptr_t shadow) {
    SetFragment(top(), tagged_quick_frame, LinkOrOutermost(tagged_quick_frame, link, shadow),
                shadow);
  }
  uintptr_t top() const { return thread_ + kManagedStack; }

  // Lays quick frames upwards from `offset` in the stack: pairs of method and frame size. The last
  // frame returns into the runtime, and its end holds the null of the invoke stub. Returns the
  // lowest frame.
  struct QuickFrame {
    uintptr_t method;
    uint32_t bytes;
    bool is_generic_jni = false;
  };
  uintptr_t QuickFrames(size_t offset, const std::vector<QuickFrame>& frames) {
    constexpr uintptr_t kRuntime = kLibrary + kLibraryBytes / 2;
    uintptr_t at = stack_ + offset;
    for (const QuickFrame& frame : frames) {
      PutPointer(at, frame.method);
      if (frame.is_generic_jni && at != stack_ + offset)
        PutPointer(at - sizeof(uintptr_t), kRuntime);
      at += frame.bytes;
    }
    PutPointer(at, 0);
    if (!frames.empty()) PutPointer(at - sizeof(uintptr_t), kRuntime);
    return stack_ + offset;
  }
  // Without handles; the image's memory is zero at first.
  QuickFrame GenericJni(uintptr_t method) const {
    return {method, GenericJniFrameBytes(layout_, stack_), true};
  }
  QuickFrame CalleeSave(uint32_t type) const {
    return {facts_.callee_save[type], arch::kCalleeSaveFrameBytes[type]};
  }

  RuntimeFacts& facts() { return facts_; }
  const Layout& layout() const { return layout_; }
  uintptr_t base() const { return base_; }
  size_t bytes() const { return kBytes; }
  uintptr_t thread() const { return thread_; }
  uintptr_t stack() const { return stack_; }
  uintptr_t class_address() const { return class_; }

 private:
  uintptr_t LinkOrOutermost(uintptr_t tagged_quick_frame, uintptr_t link, uintptr_t shadow) {
    if (link != 0 || (tagged_quick_frame == 0 && shadow == 0)) return link;
    const uintptr_t outermost = next_fragment_ -= 48;
    SetFragment(outermost, 0, 0, 0);
    return outermost;
  }
  // Zeroes at the first free place in steps of a megabyte; 0 when there is none.
  static uintptr_t MapLow() {
    for (uintptr_t at = 0x4000'0000; at < 0x7000'0000; at += kBytes) {
      void* memory = mmap(reinterpret_cast<void*>(at), kBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == reinterpret_cast<void*>(at)) return at;
      if (memory != MAP_FAILED) munmap(memory, kBytes);
    }
    return 0;
  }

  template <typename T>
  void Put(uintptr_t at, T value) {
    memcpy(reinterpret_cast<void*>(at), &value, sizeof value);
  }

  static constexpr size_t kBytes = 1024 * 1024;
  const Layout& layout_;
  RuntimeFacts facts_;
  uintptr_t base_ = 0;
  uintptr_t next_ = 0;
  uintptr_t stack_ = 0;
  uintptr_t next_fragment_ = 0;
  uintptr_t thread_ = 0;
  uintptr_t class_class_ = 0;
  uintptr_t class_ = 0;
};

}  // namespace stillframe::walk
