// SPDX-License-Identifier: Apache-2.0
// Where the main thread, which runs no message, stands: in its Looper's poll, or elsewhere.
//
// What it does outside of messages (idle handlers, input, code before the loop) is told from the
// poll by a walk from here, between two equal readings of its CPU clock. What cannot be told counts
// as idle, and so does a thread that has stood in one place for long: nobody looks for ever.
#pragma once

#include <time.h>

#include <cstdint>

#include "src/art/main_queue.h"
#include "src/core/clock.h"
#include "src/core/sampler.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::sampling {

class LoopIdle {
 public:
  static constexpr uint64_t kLongNs = 60'000'000'000;

  struct Setup {
    const core::Sampler* sampler;
    const core::WatchedThread* thread;
    const walk::RuntimeFacts* facts;
    const art::MainQueue* queue;
  };
  void Start(const Setup& setup) {
    setup_ = setup;
    cpu_clock_ = core::ThreadCpuClock(setup.thread->tid);
  }

  enum class Place : uint8_t { kUnknown, kPoll, kElsewhere };
  // A look at the thread, while it runs no message.
  Place Look(uint64_t now_ns);

  // By the last look: it has nothing to do, and no barrier holds up what is due; or it has stood
  // where it is for long.
  bool IsIdle(uint64_t now_ns) const {
    return StandsForLong(now_ns) || place_ == Place::kUnknown ||
           (place_ == Place::kPoll && !setup_.queue->HasBarrier());
  }
  // When what is in front of the queue is due: from then on the thread is not in the poll.
  uint64_t HeadDueNs() const { return setup_.queue->HeadDueNs(); }
  bool StandsForLong(uint64_t now_ns) const { return now_ns - stands_since_ns_ >= kLongNs; }
  // At the last look.
  uint64_t cpu_ns() const { return cpu_ns_; }

 private:
  Place FindPlace() const;

  Setup setup_ = {};
  clockid_t cpu_clock_ = 0;
  Place place_ = Place::kUnknown;
  uint64_t cpu_ns_ = 0;  // of the thread at the last look
  uint64_t stands_since_ns_ = 0;
};

}  // namespace stillframe::sampling
