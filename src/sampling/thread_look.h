// SPDX-License-Identifier: Apache-2.0
// One look at a thread of the runtime other than the caller: from outside while it does not run,
// or by a signal of its own CPU clock while it runs. No sleep is interrupted, no thread suspended.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "src/art/thread_list.h"
#include "src/core/clock.h"
#include "src/core/sampler.h"
#include "src/model/frame.h"
#include "src/os/thread_timer.h"
#include "src/walk/runtime_facts.h"
#include "src/walk/walk.h"

namespace stillframe::sampling {

inline uint64_t ThreadCpuNs(int32_t tid) { return core::CpuClockNs(core::ThreadCpuClock(tid)); }

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
  bool OwnFacts(const art::RuntimeThread& thread, walk::RuntimeFacts* facts) const;

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
    constexpr int kTries = 3;  // for a thread that moves now and then
    for (int i = 0; i < kTries; ++i) {
      walk::RuntimeFacts facts;
      *cpu_ns = ThreadCpuNs(thread.tid);
      const auto limit = static_cast<uint32_t>(walked->size());
      core::FrameSink sink(walked->data(), 0, UINT64_MAX, limit,
                           core::FrameSink::OutermostOf(limit));
      if (*cpu_ns == 0 || !setup_.threads->IsStill(thread) || !OwnFacts(thread, &facts))
        return Found::kEnded;
      const uint8_t number = walk::WalkManagedStack(&facts, thread.address, nullptr, &sink);
      const model::ThreadState state = facts.layout->state_name(number);
      if (state == model::ThreadState::kRunnable || state == model::ThreadState::kUnknown)
        return Found::kRuns;
      read(facts, state);
      const bool is_same = setup_.threads->IsStill(thread);
      // No load above may be reordered after the second reading of the clock.
      std::atomic_thread_fence(std::memory_order_acquire);
      if (ThreadCpuNs(thread.tid) != *cpu_ns || !is_same) continue;
      *stack = {walked->data(), sink.depth(), number, sink.truncation()};
      return Found::kStack;
    }
    return Found::kMoved;
  }

 private:
  friend class StackRequest;

  Setup setup_;
};

// One slot of the sampler's stack requests. Must stay while the thread may be in its answer.
class StackRequest {
 public:
  // False: the thread cannot be asked now. A slot belongs to one StackRequest.
  bool Ask(const ThreadLook& look, uint32_t slot, const art::RuntimeThread& thread);
  bool is_asked() const { return is_asked_; }
  // True if the thread has answered. `stack` is valid until End.
  bool Read(core::StackRequests::Stack* stack) const;
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
