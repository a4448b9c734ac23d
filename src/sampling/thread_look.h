// SPDX-License-Identifier: Apache-2.0
// One look at a thread of the runtime other than the caller: from outside while it does not run,
// or by a signal of its own CPU clock while it runs. No sleep is interrupted, no thread suspended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/art/thread_list.h"
#include "src/core/clock.h"
#include "src/core/sampler.h"
#include "src/model/frame.h"
#include "src/native/native_frames.h"
#include "src/os/thread_timer.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::sampling {

inline uint64_t ThreadCpuNs(int32_t tid) { return core::CpuClockNs(core::ThreadCpuClock(tid)); }

// A thread, with the bounds of its stack where the runtime does not know them.
struct StackThread : art::RuntimeThread {
  StackThread() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): most threads are the runtime's
  StackThread(const art::RuntimeThread& thread) : art::RuntimeThread(thread) {}
  uintptr_t stack_low = 0;
  uintptr_t stack_high = 0;
};

class ThreadLook {
 public:
  // All must outlive this.
  struct Setup {
    const walk::RuntimeFacts* runtime;  // with the bounds of the main thread's stack
    const art::ThreadList* threads;
    core::Sampler* sampler;
    int32_t main_tid;
  };
  explicit ThreadLook(const Setup& setup = {}) : setup_(setup) {}

  // The runtime's facts with the bounds of this thread's stack; false: unreadable.
  bool OwnFacts(const StackThread& thread, walk::RuntimeFacts* facts) const;

  enum class Found : uint8_t {
    kEnded,
    kRuns,
    kMoved,  // during each of the tries
    kStack,
  };
  // Walks a thread between two equal readings of its CPU clock, into `walked`. `read(facts, state)`
  // reads more of the thread meanwhile. `stack` and `cpu_ns` are set for kStack.
  template <typename Read>
  Found FromOutside(const art::RuntimeThread& thread, std::vector<core::RawFrame>* walked,
                    const Read& read, core::StackRequests::Stack* stack, uint64_t* cpu_ns) const {
    return Walk(
        thread, walked,
        [](const void* reader, const walk::RuntimeFacts& facts, model::ThreadState state) {
          (*static_cast<const Read*>(reader))(facts, state);
        },
        &read, stack, cpu_ns);
  }
  // Likewise, with the thread's wait in the kernel while it is in native code; "": none is known.
  Found FromOutside(const art::RuntimeThread& thread, const native::NativeFrames& native,
                    std::vector<core::RawFrame>* walked, core::StackRequests::Stack* stack,
                    std::string* kernel_call) const;

  // A stack with what it has besides managed frames.
  struct Mixed {
    core::StackRequests::Stack stack = {};
    std::string kernel_call;
    std::span<const native::MixedFrame> native;  // valid until `native` is next used
  };
  // Likewise, with native frames if they are on. A thread without an address is one that the
  // runtime does not know, and has no other frames.
  Found FromOutside(const StackThread& thread, native::NativeFrames* native,
                    std::vector<core::RawFrame>* walked, Mixed* mixed) const;

 private:
  friend class StackRequest;

  Found LookAtUnknown(const StackThread& thread, native::NativeFrames* native, Mixed* mixed) const;
  Found Walk(const art::RuntimeThread& thread, std::vector<core::RawFrame>* walked,
             void (*read)(const void* reader, const walk::RuntimeFacts& facts,
                          model::ThreadState state),
             const void* reader, core::StackRequests::Stack* stack, uint64_t* cpu_ns) const;

  Setup setup_;
};

// One slot of the sampler's stack requests. Must stay while the thread may be in its answer.
class StackRequest {
 public:
  // False: the thread cannot be asked now. A slot belongs to one StackRequest.
  // `native`: if it is on, the thread's stack is copied too; null: not.
  bool Ask(const ThreadLook& look, uint32_t slot, const StackThread& thread,
           const native::NativeFrames* native = nullptr);
  bool is_asked() const { return is_asked_; }
  // True if the thread has answered. `stack` is valid until End.
  bool Read(core::StackRequests::Stack* stack) const;
  // After Read: the native frames of its copied stack.
  std::span<const native::MixedFrame> Native(const core::StackRequests::Stack& stack,
                                             native::NativeFrames* native) const;
  // A thread that is still answering ends it later; the slot stays taken until then.
  void End();

 private:
  core::Sampler* sampler_ = nullptr;
  uint32_t slot_ = 0;
  bool is_asked_ = false;
  walk::RuntimeFacts facts_;  // with the bounds of the thread's own stack
  os::ThreadTimer timer_;
};

}  // namespace stillframe::sampling
