// SPDX-License-Identifier: Apache-2.0
// The watched thread's side of a message: two calls a message, from the tap.
//
// Problem: most messages are quick and must cost nothing. Rule: a message costs two reads of the
// monotonic clock and a few stores; no lock, no allocation, no system call but two: the thread's
// CPU clock, read at the beginning of a message at most every CpuMark::kMarkNs, and at the end of
// one that is kept by itself; and one write for each rest of the collector (src/tap/doorbell.h).
// A message that runs a loop of its own ends here where that one's first message begins, which is
// then recorded as any other: such loops may last as long as the process. What the message does
// between and after the nested ones is no message's (src/sampling/segment_watch.h).
// Quick messages are counted here and leave as one run. When the queue to the collector is full, a
// message that ends joins the run: its time is kept, its identity is not. Surviving risk: a
// message's CPU time at its start is extrapolated from the last reading, so it may be up to
// CpuMark::kMarkNs off; and a message that waits in a loop of its own which dispatches nothing yet
// still runs.
#pragma once

#include <atomic>
#include <cstdint>

#include <stillframe/token.h>

#include "src/core/sampler.h"
#include "src/tap/doorbell.h"
#include "src/tap/ended_queue.h"
#include "src/tap/message_marks.h"
#include "src/tap/open_run.h"

namespace stillframe::tap {

// The bounds that the watched thread itself applies.
struct HistoryLimits {
  uint64_t slow_ns;   // a message is described, sampled and listed from here on
  uint64_t quick_ns;  // shorter messages are merged; at most slow_ns
  uint64_t group_ns;  // so much work makes a group; a message that long is one by itself
  uint64_t idle_ns;   // a pause that long is recorded; of the recorder until SetIdleNs
};

class Recorder {
 public:
  static constexpr uint32_t kFrameSlots = 128;
  static constexpr uint64_t kIdentityNs = 10'000'000;
  // A frame that ended sooner drew nothing: its callbacks alone take longer to look for.
  static constexpr uint64_t kShortestFrameNs = 10'000;

  struct Setup {
    core::WatchedThread* thread;
    HistoryLimits limits;
    Doorbell* doorbell;  // of the collector
    // Where recorders take blocks of tokens from, so that no two messages of a process share one;
    // null: this one is alone.
    std::atomic<uint64_t>* next_tokens;
  };
  void Start(const Setup& setup);

  // What End wants from the tap; call in this order.
  static constexpr uint32_t kEnded = 1U << 0;
  static constexpr uint32_t kDescribeRun = 1U << 1;  // the message before this one
  static constexpr uint32_t kDescribe = 1U << 2;     // this message

  // Context of all below, but where they say otherwise: the watched thread
  // `tap` is the number of the tap that calls. A tap that is not the active one begins nothing, and
  // ends only what it began: so two of ours, one inside another's chain, count a message once.
  void Begin(uint32_t tap = 0);
  uint32_t End(uint32_t tap = 0);  // 0: no message of this tap was open
  void DescribeRun(const char* target, const char* callback, int32_t what);
  void Describe(const char* target, const char* callback, int32_t what, int64_t when_ms,
                bool threw);
  void DescribeText(const char* dispatching, bool is_run);
  // Whether no message was identified for kIdentityNs; from now on one is. So a run has the
  // identity of a message that ended at most so long before its last one.
  bool IdentityIsOld() {
    if (last_message_end_ns_ - identified_ns_ < kIdentityNs) return false;
    identified_ns_ = last_message_end_ns_;
    return true;
  }
  bool LastMayBeFrame() const { return last_message_end_ns_ - last_.start_ns >= kShortestFrameNs; }
  // The message that ended last was a frame, due at `when_ms` (0: not known).
  void MarkFrame(int64_t when_ms);

  // Begin and End at a time of the caller's; for tests.
  void BeginAt(uint64_t now_ns, uintptr_t stack_pointer, uint32_t tap = 0);
  uint32_t EndAt(uint64_t now_ns);

  // The oldest that ended and was not taken; false when there is none. Context: collector
  bool TakeEnded(EndedMessage* message) { return ended_.Take(message); }
  bool TakeFrame(EndedFrame* frame) { return ended_frames_.Take(frame); }
  OpenHistory ReadOpen() const { return open_run_.Read(); }

  // Context: collector
  void SetActiveTap(uint32_t tap) { active_tap_.store(tap, std::memory_order_seq_cst); }
  // From now on pauses that long are handed over, with the runs before them.
  void SetIdleNs(uint64_t idle_ns) { idle_ns_.store(idle_ns, std::memory_order_relaxed); }

  // In the child of a fork: nothing is open any more. Context: the only thread
  void Forget();

  core::WatchedThread& thread() { return *thread_; }
  const core::WatchedThread& thread() const { return *thread_; }

 private:
  struct OpenMessage {
    Token token;
    uint64_t start_ns;
    uint64_t start_cpu_ns;
    uintptr_t stack_pointer;
    uint32_t tap;
    bool is_cut;  // it ended where a message of its own loop began
  };
  static constexpr uint32_t kMaxNesting = 8;  // what is deeper is a part of the one around it

  // Closes what was abandoned, and cuts the message around the one that begins. False where that
  // one is not to be recorded.
  [[gnu::noinline]] bool Enclose(uintptr_t stack_pointer, uint64_t now_ns);
  void SetAround(uint32_t messages) {
    thread_->message.around.store(messages, std::memory_order_relaxed);
  }
  uint32_t Close(uint64_t now_ns, uint32_t flags);
  // Apart from what each message runs through, so that this saves few registers.
  [[gnu::noinline]] uint32_t CloseKept(const OpenMessage& open, uint64_t now_ns, uint32_t flags);
  void AddQuick(const OpenMessage& open, uint64_t now_ns, uint64_t wall_ns);
  uint32_t HandOver(uint64_t until_cpu_ns);
  uint32_t Keep(const OpenMessage& open, uint64_t now_ns, uint32_t flags);

  core::WatchedThread* thread_ = nullptr;
  HistoryLimits limits_ = {};
  Doorbell* doorbell_ = nullptr;

  // Watched thread only.
  Tokens tokens_;
  CpuMark cpu_mark_;
  WorkGroups groups_;
  uint32_t nesting_ = 0;
  OpenMessage open_[kMaxNesting] = {};
  uint64_t last_end_ns_ = 0;  // of a message, or its cut
  OpenMessage last_ = {};     // the message that ended last, and when its dispatch did
  uint64_t last_message_end_ns_ = 0;
  uint64_t identified_ns_ = 0;
  bool must_hand_over_ = false;  // the run fills its group, or a pause waits

  // To the collector.
  OpenRun open_run_;
  EndedQueue ended_;
  SpscQueue<EndedFrame, kFrameSlots> ended_frames_;

  // Written by the collector, and by the watched thread when it gets its place (sequentially
  // consistent); read by the watched thread.
  std::atomic<uint32_t> active_tap_{0};
  // Written by the collector, read by the watched thread (both relaxed).
  std::atomic<uint64_t> idle_ns_{0};
};

}  // namespace stillframe::tap
