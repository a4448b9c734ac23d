// SPDX-License-Identifier: Apache-2.0
// Watches the message slot, and the segments between messages, by the wall clock. Arms the sampling
// timer when a message is slow, and ends the tree when the message ends.
//
// Two sources of samples. While the thread runs, a timer on its CPU clock sends SIGPROF; it cannot
// interrupt a sleep. While the thread does not run, its CPU clock does not move. A walk from here
// between two equal readings then gives a consistent stack, valid until the clock moves.
#pragma once

#include <time.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/token.h>

#include "src/core/sampler.h"
#include "src/history/frame_statistics.h"
#include "src/history/history.h"
#include "src/os/run_queue.h"
#include "src/os/thread_timer.h"
#include "src/sampling/looper_samples.h"
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
    history::FrameStatistics* frames;  // null: no frame statistics
    uint64_t slow_ns;
    uint64_t interval_ns;
    uint32_t max_depth;
    bool wall_clock_timer;             // SIGPROF by wall clock, hits sleepers too; for stress tests
    SegmentWatch* segments = nullptr;  // null: no segments
    LooperSamples* looks = nullptr;    // samples without a sampler; null: none
  };

  // Call before the thread's first message, so that its run-queue wait is known too.
  void WatchRunQueue(int32_t tid);

  // Returns 0 or errno. Without a sampler messages are still recorded.
  int Start(const Setup& setup);

  // The tap is a probe: the messages are its own and are not recorded, and segments are messages.
  void SeeProbesAlone(bool are_probes) { are_probes_ = are_probes; }

  // Holds when the timer is next armed; for a running message it is armed again.
  void SetIntervalNs(uint64_t interval_ns) { interval_ns_ = interval_ns; }

  // When the collector must check again.
  struct NextLook {
    uint64_t in_ns;  // nanoseconds; UINT64_MAX: no message runs
    bool is_slow;    // a message is slow; if not, one becomes slow after `in_ns`
  };
  // Handles everything that happened up to now.
  NextLook Tick(uint64_t now_ns);

  // The running message, or the open segment; without a token: neither.
  core::RunningMessage Running() const;
  // End of the last message that is known to have ended; 0: none.
  uint64_t LastEndNs() const;
  // The open segment, if `running` is it; else kNone.
  model::Segment OpenSegment(const core::RunningMessage& running) const;
  // The last message has ended and is not handed over yet.
  bool IsDescribing() const { return recorder_->IsDescribing(); }

  // The thread's current stack as text, innermost frame first. "" without a sampler or a known
  // thread. For running managed code the innermost frames are missing.
  std::string WalkNow() const;

  // Stops the timer; Tick arms it again.
  void Disarm();

  // The part that the watched thread has not handed over yet.
  tap::OpenHistory ReadOpen() const;

  // Run-queue wait of the running message so far; -1: unknown.
  int64_t RunQueueWaitNs(const core::RunningMessage& message, uint64_t now_ns) const;

  // Why sampling is incomplete at the moment; "": all is well.
  const std::string& trouble() const { return delivery_.trouble(); }

 private:
  void Drain();
  void DrainEnded();
  void DrainFrames();
  void NoteRunQueue(uint64_t now_ns);
  void TakeEnded(const tap::EndedMessage& message);
  void FollowSegment(uint64_t now_ns);
  // Ends the segment if it is over. `pause_end_ns` as for SegmentWatch::FindEnd.
  void EndSegment(uint64_t now_ns, uint64_t pause_end_ns = 0);
  model::Segment NameOfSegment() const;
  void FinishTree(const tap::EndedMessage& ended, history::MessageFacts* facts);
  void ReportJank(const tap::EndedMessage& ended, const history::MessageFacts& facts) const;
  void WatchSlow(const core::RunningMessage& message, uint64_t now_ns);
  void StartTree(const core::RunningMessage& message);
  void ArmTimer(uint64_t cpu_now_ns);
  void SampleBlockedThread(Token token);
  void SamplePageFault(Token token);
  void AddShortFault(Token token);
  void AddBlocked(Token token, core::RawSample* sample, bool has_native,
                  std::string_view kernel_call);
  bool WasPreempted() const;
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
  LooperSamples* looks_ = nullptr;
  bool are_probes_ = false;
  uint64_t last_end_ns_ = 0;  // of messages taken so far
  uint64_t slow_ns_ = 0;
  uint64_t interval_ns_ = 0;  // before coarsening

  os::AlternatingTimer timer_;
  uint64_t armed_interval_ns_ = 0;
  SignalDelivery delivery_;
  clockid_t cpu_clock_ = 0;                    // of the watched thread
  mutable os::RunQueueClock run_queue_clock_;  // reopens its file
  RunQueueWait run_queue_wait_;
  MissingTime missing_;
  uint32_t max_depth_ = 0;
  // The last walk of a thread that did not run, max_depth_ frames. Empty before the first.
  std::vector<core::RawFrame> blocked_stack_;
};

}  // namespace stillframe::sampling
