// SPDX-License-Identifier: Apache-2.0
// The collector's side of all watched Loopers, one pipeline each: entries of its recorder, its slow
// messages, its history. The main one is sampled too.
//
// A Looper is watched from its first message on, on its own thread (src/tap). Its pipeline is made
// when the collector first sees it, and stays.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "src/art/main_queue.h"
#include "src/history/frame_statistics.h"
#include "src/history/freeze_watch.h"
#include "src/history/history.h"
#include "src/jank/jank_store.h"
#include "src/model/dump.h"
#include "src/sampling/looper_samples.h"
#include "src/sampling/poll_schedule.h"
#include "src/sampling/segment_watch.h"
#include "src/sampling/slow_message_watch.h"
#include "src/tap/section_capture.h"
#include "src/tap/tap_keeper.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::collector {

class LooperPipelines {
 public:
  struct Setup {
    tap::HistoryLimits limits;
    int32_t main_tid;
    history::HistorySizes sizes;
    bool wants_sections;  // of the trace marker
    // All must outlive this.
    tap::WatchedLoopers* watched;  // started
    const tap::TapKeeper* taps;
    sampling::SlowMessageWatch* main_watch;
    history::FrameStatistics* frames;  // of the main Looper
    model::FrameTable* names;
    jank::JankStore* janks;           // null: none
    history::EndedListener listener;  // of all Loopers
  };
  // Collects what the Loopers record from now on. At start-up only.
  void Start(const Setup& setup);

  struct Sampling {
    core::Sampler* sampler;  // null: messages are only recorded
    sampling::TreeBuilder* trees;
    native::NativeFrames* native;
    uint64_t interval_ns;
    uint32_t max_depth;
    bool wall_clock_timer;
    const walk::RuntimeFacts* runtime;
    const art::MainQueue* main_queue;
    const art::ThreadList* threads = nullptr;  // null: only the main Looper is sampled
    dump::Writer* writer = nullptr;
  };
  // Detects slow messages from now on. Returns 0 or errno.
  int StartSampling(const Sampling& sampling);

  void SetIntervalNs(uint64_t interval_ns);
  // In the child of a fork: records nothing from now on. Context: the only thread
  static void ForgetInChild();

  // Handles everything that happened up to now. Returns nanoseconds until the next call;
  // UINT64_MAX: until woken.
  uint64_t Tick(uint64_t now_ns);
  // Like Tick, for a dump: does not change when the collector checks next.
  void TakeForDump(uint64_t now_ns);
  // The whole process was frozen meanwhile.
  void AddFrozen(const history::FreezeWatch::Freeze& freeze);
  // No tap was in force since the main Looper's last seen message, up to `now_ns`.
  void AddBlind(uint64_t now_ns);
  bool IsAnySlow(uint64_t now_ns);
  // By the last tick the main thread is outside its Looper's poll, and runs no message that a tap
  // saw.
  bool SuspectsSegment() const { return segments_.SuspectsOne(); }
  // When a tick last found the main thread in its Looper's poll; 0: never.
  uint64_t PollNs() const { return segments_.poll_ns(); }
  // The main Looper's history of this time.
  std::vector<model::HistoryRecord> RecordsBefore(uint64_t start_ns, uint64_t span_ns) const {
    return main_.history->Before(start_ns, span_ns);
  }
  const history::FrozenTimes& frozen() const { return main_.history->frozen(); }
  uint64_t main_messages() const {
    return setup_.watched->main().thread.message.begun.load(std::memory_order_relaxed);
  }
  // Adds the names of all histories to `live`; up to `main_percent` for the main one.
  void KeepNames(uint32_t main_percent, uint32_t max_percent, model::LiveNames* live);
  // At the last tick nothing happened: the next message wakes the collector.
  bool is_idle() const { return is_idle_; }
  // At the last tick a slow message or a segment was running.
  bool follows_slow() const { return follows_slow_; }

  // Adds a dump's content about the Loopers, the main one first.
  void Describe(uint64_t now_ns, model::Dump* dump);
  uint64_t HistoryBytes();
  // The trees of running messages on Loopers other than the main one.
  void EncodeRunning(std::vector<std::unique_ptr<dump::EncodedTree>>* trees) const {
    looks_.EncodeRunning(trees);
  }

  // Calls use(index, WatchedLooper, OpenHistory) for each.
  template <typename Use>
  void ForEachOpen(const Use& use) {
    ForEach([this, &use](uint32_t index, Pipeline& pipeline) {
      use(index, *setup_.watched->At(index), pipeline.watch->ReadOpen());
    });
  }

 private:
  struct Pipeline {
    sampling::SlowMessageWatch* watch = nullptr;
    std::unique_ptr<history::History> history;
    std::unique_ptr<sampling::SlowMessageWatch> own_watch;  // for Loopers other than the main one
  };

  void StartPipeline(uint32_t index, int32_t tid, Pipeline* pipeline);
  // Null: no Looper has this index.
  Pipeline* PipelineAt(uint32_t index);
  // Calls use(index, Pipeline&) for each.
  template <typename Use>
  void ForEach(const Use& use) {
    for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
      Pipeline* pipeline = PipelineAt(i);
      if (pipeline == nullptr) return;
      use(i, *pipeline);
    }
  }
  uint64_t NextPollNs(const sampling::PollSchedule::Seen& seen, uint64_t now_ns);
  model::Looper DescribeLooper(uint32_t index, const Pipeline& pipeline, uint64_t now_ns);

  Setup setup_ = {};
  Sampling sampling_ = {};
  tap::SectionCapture sections_;
  Pipeline main_;
  std::unique_ptr<Pipeline> others_[tap::WatchedLoopers::kMaxLoopers];
  sampling::PollSchedule schedule_;
  sampling::SegmentWatch segments_;
  sampling::LooperSamples looks_;
  bool is_idle_ = false;
  bool follows_slow_ = false;
};

}  // namespace stillframe::collector
