// SPDX-License-Identifier: Apache-2.0
// The watched thread's side of a message: the tap calls it twice per message.
//
// Problem: most messages are quick, and must cost nearly nothing.
// Rule: a message costs two reads of the monotonic clock and a few stores, no lock and no
// allocation. System calls: the thread's CPU clock at most once per CpuMark::kMarkNs at the begin
// of messages, and at the end of each with an entry of its own. One write per idle time of the
// collector (src/tap/wake_up_request.h). Quick messages are counted here and handed over as one
// run. A message with a loop of its own ends where the first inner message begins, since such loops
// may last as long as the process. Its work between and after the inner ones is a segment
// (src/sampling/segment_watch.h). If the queue is full, an ended message joins the run: its time is
// kept, its identity is lost.
// Remaining risk: a message's CPU time at its start is extrapolated, so up to CpuMark::kMarkNs off.
// A message whose own loop has not dispatched anything yet still counts as running.
#pragma once

#include <atomic>
#include <cstdint>

#include <stillframe/token.h>

#include "src/core/sampler.h"
#include "src/tap/ended_queue.h"
#include "src/tap/message_marks.h"
#include "src/tap/open_run.h"
#include "src/tap/wake_up_request.h"

namespace stillframe::tap {

// Limits that the watched thread applies.
struct HistoryLimits {
  uint64_t slow_ns;   // a message this long is described, sampled and listed
  uint64_t quick_ns;  // a shorter message is merged into a run; at most slow_ns
  uint64_t group_ns;  // work of a group; a message this long is one by itself
  uint64_t idle_ns;   // a pause this long is recorded; initial value, see SetIdleNs
};

class Recorder {
 public:
  static constexpr uint32_t kFrameSlots = 128;
  static constexpr uint64_t kIdentityNs = 10'000'000;
  // A shorter frame drew nothing: merely checking for callbacks takes longer.
  static constexpr uint64_t kShortestFrameNs = 10'000;

  struct Setup {
    core::WatchedThread* thread;
    HistoryLimits limits;
    WakeUpRequest* wake_up;  // wakes the collector
    // Counter from which recorders take blocks of tokens, so that messages of a process share none;
    // null: this recorder is the only one.
    std::atomic<uint64_t>* next_tokens;
  };
  void Start(const Setup& setup);

  // Result of End: what the tap must call, in this order.
  static constexpr uint32_t kEnded = 1U << 0;
  static constexpr uint32_t kDescribeRun = 1U << 1;  // the run before this message
  static constexpr uint32_t kDescribe = 1U << 2;     // this message

  // Context of all below, but where they say otherwise: the watched thread
  // `tap` is the number of the calling tap. An inactive tap begins nothing, and ends only what it
  // began. So two of ours in one chain count a message once.
  void Begin(uint32_t tap = 0);
  uint32_t End(uint32_t tap = 0);  // 0: no message of this tap was open
  void DescribeRun(const char* target, const char* callback, int32_t what);
  void Describe(const char* target, const char* callback, int32_t what, int64_t when_ms,
                bool threw);
  void DescribeText(const char* dispatching, bool is_run);
  // Whether no message was identified for kIdentityNs; if so, one is now. So a run's identity is
  // that of a message that ended at most so long before its last one.
  bool IdentityIsOld() {
    if (last_message_end_ns_ - identified_ns_ < kIdentityNs) return false;
    identified_ns_ = last_message_end_ns_;
    return true;
  }
  bool LastMayBeFrame() const { return last_message_end_ns_ - last_.start_ns >= kShortestFrameNs; }
  // The last ended message was a frame, due at `when_ms` (0: unknown).
  void MarkFrame(int64_t when_ms);

  // Begin and End at a given time; for tests.
  void BeginAt(uint64_t now_ns, uintptr_t stack_pointer, uint32_t tap = 0);
  uint32_t EndAt(uint64_t now_ns);

  // Takes the oldest ended entry; false if there is none. Context: collector
  bool TakeEnded(EndedMessage* message) { return ended_.Take(message); }
  bool TakeFrame(EndedFrame* frame) { return ended_frames_.Take(frame); }
  // A message has ended and is not handed over yet, since Java describes it. Context: collector
  bool IsDescribing() const { return ended_.is_filling(); }
  OpenHistory ReadOpen() const { return open_run_.Read(); }

  // Context: collector
  void SetActiveTap(uint32_t tap) { active_tap_.store(tap, std::memory_order_seq_cst); }
  // From now on pauses this long are handed over, with the runs before them.
  void SetIdleNs(uint64_t idle_ns) { idle_ns_.store(idle_ns, std::memory_order_relaxed); }

  // In the child of a fork: closes everything. Context: the only thread
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
    bool is_cut;  // ended where a message of its own loop began
  };
  static constexpr uint32_t kMaxNesting = 8;  // deeper ones count as part of the outer message

  // Closes abandoned messages, and cuts the one around the new message. False if the new one is not
  // to be recorded.
  [[gnu::noinline]] bool Enclose(uintptr_t stack_pointer, uint64_t now_ns);
  void SetAround(uint32_t messages) {
    thread_->message.around.store(messages, std::memory_order_relaxed);
  }
  uint32_t Close(uint64_t now_ns, uint32_t flags);
  // Not inlined: the common path then saves fewer registers.
  [[gnu::noinline]] uint32_t CloseKept(const OpenMessage& open, uint64_t now_ns, uint32_t flags);
  void AddQuick(const OpenMessage& open, uint64_t now_ns, uint64_t wall_ns);
  uint32_t PublishRun(uint64_t until_cpu_ns);
  uint32_t Keep(const OpenMessage& open, uint64_t now_ns, uint32_t flags);

  core::WatchedThread* thread_ = nullptr;
  HistoryLimits limits_ = {};
  WakeUpRequest* wake_up_ = nullptr;

  // Used by the watched thread only.
  Tokens tokens_;
  CpuMark cpu_mark_;
  WorkGroups groups_;
  uint32_t nesting_ = 0;
  OpenMessage open_[kMaxNesting] = {};
  uint64_t last_end_ns_ = 0;  // end of a message, or its cut
  OpenMessage last_ = {};     // the last ended message
  uint64_t last_message_end_ns_ = 0;
  uint64_t identified_ns_ = 0;
  bool must_publish_ = false;  // the run fills its group, or there is a pause

  // For the collector.
  OpenRun open_run_;
  EndedQueue ended_;
  SpscQueue<EndedFrame, kFrameSlots> ended_frames_;

  // Written by the collector, and by the watched thread when it is added (sequentially consistent).
  // Read by the watched thread.
  std::atomic<uint32_t> active_tap_{0};
  // Written by the collector, read by the watched thread (both relaxed).
  std::atomic<uint64_t> idle_ns_{0};
};

}  // namespace stillframe::tap
