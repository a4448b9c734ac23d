// SPDX-License-Identifier: Apache-2.0
// Segments: times in which the main thread is neither in a message nor in its Looper's poll. They
// are sampled like slow messages, with tokens of their own.
//
// Problem: nothing reports the begin and end of a segment.
// Rule: a segment opens when checks slow_ns apart find the thread outside its Looper's poll with no
// new message. It starts at the end of the previous message. If the thread was in the poll since,
// it starts as late as its CPU time since then allows, or when the queue's first message was due,
// if that is earlier. It ends with the next message, whose recorder reports the pause exactly, or
// at the check that finds the thread in the poll.
// Remaining risk: a short visit to the poll between two checks is missed. After a poll the start,
// and in a poll the end, are off by up to a check.
#pragma once

#include <time.h>

#include <cstdint>

#include "src/art/main_queue.h"
#include "src/core/clock.h"
#include "src/core/message_slot.h"
#include "src/core/sampler.h"
#include "src/sampling/tree_builder.h"
#include "src/tap/recorder.h"
#include "src/tap/watched_loopers.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::sampling {

// Where the main thread is while it runs no message: in its Looper's poll, or elsewhere.
//
// The collector walks it between two equal readings of its CPU clock, to distinguish work outside
// messages (idle handlers, input, code before the loop) from the poll. If the place is unknown, or
// the thread has not moved for kLongNs, it counts as idle, so that the checks end.
class LoopIdle {
 public:
  static constexpr uint64_t kLongNs = 60'000'000'000;

  struct Setup {
    const core::Sampler* sampler;
    const core::WatchedThread* thread;
    const walk::RuntimeFacts* facts;
    const art::MainQueue* queue;
    TreeBuilder* trees;  // names the poll if its look-up was refused
  };
  void Start(const Setup& setup) {
    setup_ = setup;
    cpu_clock_ = core::ThreadCpuClock(setup.thread->tid);
  }

  enum class Place : uint8_t { kUnknown, kPoll, kElsewhere };
  // Checks the thread, which runs no message.
  Place Look(uint64_t now_ns);

  // By the last check: it is in the poll and no barrier delays due messages; or its place is
  // unknown, or it has not moved for kLongNs.
  bool IsIdle(uint64_t now_ns) const {
    return IsUnmovedForLong(now_ns) || place_ == Place::kUnknown ||
           (place_ == Place::kPoll && !setup_.queue->HasBarrier());
  }
  // When the queue's first message is due. From then on the thread is not in the poll.
  uint64_t HeadDueNs() const { return setup_.queue->HeadDueNs(); }
  bool IsUnmovedForLong(uint64_t now_ns) const { return now_ns - unmoved_since_ns_ >= kLongNs; }
  // At the last check.
  uint64_t cpu_ns() const { return cpu_ns_; }

 private:
  Place FindPlace();
  bool IsPoll(const core::RawFrame& frame);

  Setup setup_ = {};
  clockid_t cpu_clock_ = 0;
  Place place_ = Place::kUnknown;
  uint64_t named_ = 0;  // the last method that was looked at by its name (ArtMethod*)
  bool is_named_poll_ = false;
  uint64_t cpu_ns_ = 0;  // of the thread at the last check
  uint64_t unmoved_since_ns_ = 0;
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

  // The open segment as a message; kNone: none is open.
  core::RunningMessage open() const { return open_; }

  // Number of messages around it that run loops of their own.
  uint32_t around() const { return around_; }

  // Opens a segment if it is due. All messages that ended before `now_ns` have been taken; the last
  // ended at `end_ns`.
  void Look(uint64_t now_ns, uint64_t end_ns);
  // For a dump: opens one at once if the last check found the thread elsewhere. True if it did.
  bool OpenNow(uint64_t now_ns);
  // Whether and when the open segment ended: a message began, or the thread is in the poll.
  struct End {
    bool is_over;
    uint64_t at_ns;
    uint64_t cpu_ns;
  };
  // `pause_end_ns`: end of the pause reported since it opened; 0: none.
  End FindEnd(uint64_t now_ns, uint64_t pause_end_ns = 0);
  void Close();

  // As a message that ended, without its name.
  tap::EndedMessage AsEnded(const End& end) const;

  bool IsIdle(uint64_t now_ns) const { return loop_.IsIdle(now_ns); }
  bool IsUnmovedForLong(uint64_t now_ns) const { return loop_.IsUnmovedForLong(now_ns); }
  // Nanoseconds until the next check for a segment that may have begun; UINT64_MAX: none suspected.
  uint64_t SuspectedNs(uint64_t now_ns) const;
  // By the last check one is open, or may have begun.
  bool SuspectsOne() const { return open_.token != Token::kNone || elsewhere_ns_ != 0; }
  // When a check last found the thread in the poll.
  uint64_t poll_ns() const { return was_in_poll_ ? poll_ns_ : 0; }

 private:
  uint64_t Begun() const;
  // Finds the thread's place, and notes when it was last in the poll.
  LoopIdle::Place LookForPoll(uint64_t now_ns);
  uint64_t BeginningBefore(uint64_t now_ns, uint64_t end_ns) const;
  void Open(uint64_t begin_ns, uint64_t now_ns);

  Setup setup_ = {};
  LoopIdle loop_;
  core::WatchedThread* thread_ = nullptr;
  tap::Recorder* recorder_ = nullptr;
  core::RunningMessage open_ = {};
  uint32_t around_ = 0;
  uint64_t begun_ = 0;         // messages at the previous check, then at the open
  uint64_t began_ns_ = 0;      // start of a possible segment
  uint64_t elsewhere_ns_ = 0;  // first found elsewhere; 0: not
  // When the thread was last seen in the poll, and its CPU clock then. Initially: start of the
  // watch.
  uint64_t poll_ns_ = 0;
  uint64_t poll_cpu_ns_ = 0;
  bool was_in_poll_ = false;
};

}  // namespace stillframe::sampling
