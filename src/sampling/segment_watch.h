// SPDX-License-Identifier: Apache-2.0
// Segments: stretches in which the main thread is in no message, nor in its Looper's poll. They are
// sampled as slow messages are, under tokens of their own.
//
// Problem: nobody says where a segment begins and ends. Rule: looks that find the thread elsewhere,
// slow_ns apart, without a message begun in between, open one. It began where the message before it
// ended; or, where the thread was seen in the poll since, when it can have used the CPU time that
// it used since, or when the message in front of the queue was due, if that is earlier. It ends
// with the next message, whose recorder then hands the pause over exactly, or at the look that
// finds the thread back in the poll. Surviving risk: a short visit to the poll between two looks is
// not seen; a beginning after a poll, and an end in it, are off by up to a look.
#pragma once

#include <time.h>

#include <cstdint>

#include "src/art/main_queue.h"
#include "src/core/clock.h"
#include "src/core/message_slot.h"
#include "src/core/sampler.h"
#include "src/tap/recorder.h"
#include "src/tap/watched_loopers.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::sampling {

// Where the main thread, which runs no message, stands: in its Looper's poll, or elsewhere.
//
// What it does outside of messages (idle handlers, input, code before the loop) is told from the
// poll by a walk from here, between two equal readings of its CPU clock. What cannot be told counts
// as idle, and so does a thread that has stood in one place for long: nobody looks for ever.
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

class SegmentWatch {
 public:
  struct Setup {
    LoopIdle::Setup loop;
    tap::WatchedLoopers* loopers;  // of the main one
    uint64_t slow_ns;
    uint64_t idle_ns;
  };
  void Start(const Setup& setup, uint64_t now_ns);

  // The open segment, as if it were a message; without a token: none is open.
  const core::RunningMessage& open() const { return open_; }

  // The messages around it that run loops of their own.
  uint32_t around() const { return around_; }

  // All messages that ended before `now_ns` were taken; the last of them ended at `end_ns`. Opens a
  // segment, if it is time.
  void Look(uint64_t now_ns, uint64_t end_ns);
  // Opens one at once where the last look found the thread elsewhere: for a dump. True when it did.
  bool OpenNow(uint64_t now_ns);
  // Whether the open segment is over, and when: a message has begun, or the thread is in the poll.
  struct End {
    bool is_over;
    uint64_t at_ns;
    uint64_t cpu_ns;
  };
  // `pause_end_ns`: of the pause that was handed over since it opened; 0: none was.
  End FindEnd(uint64_t now_ns, uint64_t pause_end_ns = 0);
  void Close();

  // As a message that ended, but for its name.
  tap::EndedMessage AsEnded(const End& end) const;

  const LoopIdle& loop() const { return loop_; }
  // When to look again while no segment is open and the thread may be in one; UINT64_MAX: nothing
  // is suspected.
  uint64_t SuspectedNs(uint64_t now_ns) const;

 private:
  uint64_t Begun() const;
  // Where the thread is; notes when it was in the poll last.
  LoopIdle::Place LookForPoll(uint64_t now_ns);
  uint64_t BeginningBefore(uint64_t now_ns, uint64_t end_ns) const;
  void Open(uint64_t begin_ns, uint64_t now_ns);

  Setup setup_ = {};
  LoopIdle loop_;
  core::WatchedThread* thread_ = nullptr;
  tap::Recorder* recorder_ = nullptr;
  core::RunningMessage open_ = {};
  uint32_t around_ = 0;
  uint64_t begun_ = 0;         // messages, at the look before and since the segment is open
  uint64_t began_ns_ = 0;      // of what may become a segment
  uint64_t elsewhere_ns_ = 0;  // first found elsewhere; 0: it was not
  // The thread was seen in the poll last, and its CPU clock then. At first: it was not watched.
  uint64_t poll_ns_ = 0;
  uint64_t poll_cpu_ns_ = 0;
  bool was_in_poll_ = false;
};

}  // namespace stillframe::sampling
