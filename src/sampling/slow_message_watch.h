// Follows the message slot on the wall clock: arms the sampling timer when a message is slow, walks
// the thread without a signal while it stands still, and ends the tree when the message ends.
//
// Two sources of samples. While the thread runs, a timer on its CPU clock sends SIGPROF; it cannot
// interrupt a sleep. While it stands still, its CPU clock does not move: a walk from here between
// two equal readings is a consistent stack, and as long as the reading stays the same so does the
// stack.
// Context: collector
#pragma once

#include <time.h>

#include <cstdint>

#include "src/core/sampler.h"
#include "src/history/frame_statistics.h"
#include "src/history/history.h"
#include "src/os/run_queue.h"
#include "src/os/thread_timer.h"
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
    history::History* history;
    history::FrameStatistics* frames;  // null: frames are not counted
    uint64_t slow_ns;
    uint64_t interval_ns;
    uint32_t max_depth;
    bool wall_clock_timer;  // SIGPROF on the wall clock, which also hits sleepers; for stress tests
  };

  // Before the thread's first message, so that what this waits for a CPU is known as well.
  void WatchRunQueue(int32_t tid);

  // Returns 0 or errno. Without a sampler (it is off) messages are still recorded.
  int Start(const Setup& setup);

  // Takes everything that happened up to now. Returns how long the collector may sleep, in
  // nanoseconds; UINT64_MAX: until woken.
  uint64_t Tick(uint64_t now_ns);

  // Stops the timer; Tick arms it again.
  void Disarm();

  // What the watched thread has not handed over yet.
  tap::OpenHistory ReadOpen() const;

  // Run-queue wait of the running message so far; -1 is unknown.
  int64_t RunQueueWaitNs(const core::RunningMessage& message, uint64_t now_ns) const;

  // Why not everything is sampled at the moment; empty when all is well.
  const std::string& trouble() const { return delivery_.trouble(); }

  uint64_t standing_walks() const { return standing_walks_; }
  uint64_t moved_walks() const { return moved_walks_; }
  uint64_t repeats() const { return repeats_; }
  uint64_t starved_repeats() const { return starved_repeats_; }
  uint64_t missed_samples() const { return missed_samples_; }

 private:
  // The thread's run-queue clock at a time.
  struct Queued {
    uint64_t at_ns = 0;
    int64_t wait_ns = -1;
  };

  void Drain();
  void DrainEnded();
  void DrainFrames();
  void NoteRunQueue(uint64_t now_ns);
  int64_t RunQueueWaitSince(uint64_t start_ns) const;
  void TakeEnded(const tap::EndedMessage& message);
  void Follow(const core::RunningMessage& message, uint64_t now_ns);
  void StartTree(const core::RunningMessage& message);
  void ArmTimer(uint64_t cpu_now_ns);
  void SampleStandingThread(uint64_t token);
  void FillOwedTime(uint64_t now_ns, uint64_t cpu_ns);
  void AddSignalSample(core::RawSample sample);
  void AddMissedSamples(uint64_t now_ns, uint64_t cpu_ns);
  uint64_t IntervalNs() const;
  uint64_t SleepNs(const core::RunningMessage& message, uint64_t now_ns);

  Setup setup_ = {};
  os::ThreadTimer timer_;
  SignalDelivery delivery_;
  clockid_t cpu_clock_ = 0;
  os::RunQueueClock run_queue_;
  // The latest readings while nothing slow ran, oldest first: a message's run-queue wait is counted
  // from one of them.
  Queued queued_[4];
  std::vector<core::RawFrame> frames_;

  uint64_t armed_interval_ns_ = 0;
  uint64_t last_cpu_ns_ = 0;  // of the thread, at the last tick
  // The tick that found it changed last, and in which message.
  uint64_t last_ran_ns_ = 0;
  uint64_t last_ran_token_ = 0;
  uint64_t sample_cpu_ns_ = 0;  // of the thread, at its last sample
  bool stands_still_ = false;   // the tree's last sample is of the thread at last_cpu_ns_
  // Wall time that no sample stands for yet, up to owed_until_ns_ and the tree's owed_samples_.
  int64_t owed_ns_ = 0;
  uint64_t owed_until_ns_ = 0;
  uint64_t owed_samples_ = 0;
  uint64_t overdue_ = 0;     // samples the thread ran for whose signal did not come yet
  uint64_t last_begun_ = 0;  // messages seen so far
  uint64_t last_activity_ns_ = 0;
  bool about_to_sleep_ = false;

  uint64_t standing_walks_ = 0;
  uint64_t moved_walks_ = 0;  // thrown away: the thread ran meanwhile
  uint64_t repeats_ = 0;
  uint64_t starved_repeats_ = 0;
  uint64_t missed_samples_ = 0;  // the thread ran, and no signal came
};

}  // namespace stillframe::sampling
