// SPDX-License-Identifier: Apache-2.0
// Watches the message slot, and the segments between messages, on the wall clock: arms the sampling
// timer when a message is slow, walks the thread without a signal while it stands still, and ends
// the tree when the message ends.
//
// Two sources of samples. While the thread runs, a timer on its CPU clock sends SIGPROF; it cannot
// interrupt a sleep. While it stands still, its CPU clock does not move: a walk from here between
// two equal readings is a consistent stack, and as long as the reading stays the same so does the
// stack.
#pragma once

#include <time.h>

#include <cstdint>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "src/core/sampler.h"
#include "src/history/frame_statistics.h"
#include "src/history/history.h"
#include "src/os/run_queue.h"
#include "src/os/thread_timer.h"
#include "src/sampling/missing_time.h"
#include "src/sampling/run_queue_wait.h"
#include "src/sampling/segment_watch.h"
#include "src/sampling/signal_delivery.h"
#include "src/sampling/tree_builder.h"
#include "src/tap/recorder.h"

namespace stillframe::sampling {

class SlowMessageWatch {
 public:
  struct Setup {
    core::Sampler* sampler;
    tap::Recorder* recorder;
    TreeBuilder* trees;
    native::NativeFrames* native;
    history::History* history;
    history::FrameStatistics* frames;  // null: frames are not counted
    uint64_t slow_ns;
    uint64_t interval_ns;
    uint32_t max_depth;
    bool wall_clock_timer;  // SIGPROF on the wall clock, which also hits sleepers; for stress tests
    SegmentWatch* segments = nullptr;  // null: none are looked for
  };

  // Before the thread's first message, so that what this waits for a CPU is known as well.
  void WatchRunQueue(int32_t tid);

  // Returns 0 or errno. Without a sampler (it is off) messages are still recorded.
  int Start(const Setup& setup);

  // From the next time on that the timer is armed, which a running message's is again.
  void SetIntervalNs(uint64_t interval_ns) { interval_ns_ = interval_ns; }

  // When the collector is to look again, in nanoseconds from now.
  struct NextLook {
    uint64_t in_ns;  // UINT64_MAX: no message runs
    bool is_slow;    // one is slow; if not, `in_ns` is when it becomes so
  };
  // Takes everything that happened up to now.
  NextLook Tick(uint64_t now_ns);

  // The message that runs, or the open segment; without a token: neither.
  core::RunningMessage Running() const;
  // When the last of the messages ended that are known to have; 0: none is.
  uint64_t LastEndNs() const;
  // Of the open segment; kNone: none is open.
  model::Segment OpenSegment() const;

  // The thread's stack at this moment, for a person, innermost frame first; "" without a sampler,
  // or where the thread is not known. Of running managed code the innermost frames are missing.
  std::string WalkNow() const;

  // Stops the timer; Tick arms it again.
  void Disarm();

  // What the watched thread has not handed over yet.
  tap::OpenHistory ReadOpen() const;

  // Run-queue wait of the running message so far; -1 is unknown.
  int64_t RunQueueWaitNs(const core::RunningMessage& message, uint64_t now_ns) const;

  // Why not everything is sampled at the moment; empty when all is well.
  const std::string& trouble() const { return delivery_.trouble(); }

 private:
  void Drain();
  void DrainEnded();
  void DrainFrames();
  void NoteRunQueue(uint64_t now_ns);
  void TakeEnded(const tap::EndedMessage& message);
  void FollowSegment(uint64_t now_ns);
  // If it is over; `pause_end_ns` as of SegmentWatch::FindEnd.
  void EndSegment(uint64_t now_ns, uint64_t pause_end_ns = 0);
  model::Segment NameOfSegment() const;
  void FinishTree(const tap::EndedMessage& ended, history::MessageFacts* facts);
  void TellOfJank(const tap::EndedMessage& ended, const history::MessageFacts& facts) const;
  void WatchSlow(const core::RunningMessage& message, uint64_t now_ns);
  void StartTree(const core::RunningMessage& message);
  void ArmTimer(uint64_t cpu_now_ns);
  void SampleStandingThread(Token token);
  bool HasBeenPushedAside() const;
  void FillMissingTime(uint64_t now_ns, uint64_t cpu_ns);
  void AddSignalSample(core::RawSample sample);
  void AddMissedSamples(uint64_t samples, uint64_t wall_ns, uint64_t cpu_ns);
  uint64_t IntervalNs() const;
  bool IsSegment(const core::RunningMessage& running) const {
    return segments_ != nullptr && running.token != Token::kNone &&
           running.token == segments_->open().token;
  }

  core::Sampler* sampler_ = nullptr;
  tap::Recorder* recorder_ = nullptr;
  TreeBuilder* trees_ = nullptr;
  native::NativeFrames* native_ = nullptr;
  history::History* history_ = nullptr;
  history::FrameStatistics* frame_statistics_ = nullptr;
  SegmentWatch* segments_ = nullptr;
  uint64_t last_end_ns_ = 0;  // of the messages that were taken
  uint64_t slow_ns_ = 0;
  uint64_t interval_ns_ = 0;  // before it is coarsened

  os::AlternatingTimer timer_;
  uint64_t armed_interval_ns_ = 0;
  SignalDelivery delivery_;
  clockid_t cpu_clock_ = 0;                    // of the watched thread
  mutable os::RunQueueClock run_queue_clock_;  // opens its file again
  RunQueueWait run_queue_wait_;
  MissingTime missing_;
  std::vector<core::RawFrame> standing_stack_;  // as SampleStandingThread walked it
};

}  // namespace stillframe::sampling
