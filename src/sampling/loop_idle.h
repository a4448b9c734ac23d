// SPDX-License-Identifier: Apache-2.0
// Whether the main thread, which runs no message, has nothing to do: it stands in its Looper's
// poll, and no barrier holds up what is due.
//
// What it does outside of messages (idle handlers, input, code before the loop) is told from that
// by a walk from here, between two equal readings of its CPU clock. What cannot be told counts as
// idle, and so does a thread that has stood in one place for long: nobody looks for ever.
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

  bool IsIdle(uint64_t now_ns);

 private:
  enum class Place : uint8_t { kUnknown, kPoll, kElsewhere };
  Place FindPlace();

  Setup setup_ = {};
  clockid_t cpu_clock_ = 0;
  uint64_t cpu_ns_ = 0;  // of the thread at the last look
  uint64_t stands_since_ns_ = 0;
};

}  // namespace stillframe::sampling
