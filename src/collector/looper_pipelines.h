// The collector's side of all watched Loopers: their taps, what their recorders hand over, their
// past. The main one is also sampled.
// Context: collector
#pragma once

#include <jni.h>

#include <memory>
#include <string>
#include <vector>

#include "src/history/frame_statistics.h"
#include "src/history/freeze_watch.h"
#include "src/history/history.h"
#include "src/sampling/slow_message_watch.h"
#include "src/tap/tap_keeper.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::collector {

class FollowedLoopers {
 public:
  struct Setup {
    tap::WatchedLoopers::Setup watched;
    history::HistorySizes sizes;
    config::TapChoice tap;
    uint64_t frozen_ns;        // a process that was not run for so long was frozen
    uint64_t frozen_frame_ns;  // a frame that late froze the screen
    int32_t main_tid;
    trace::FrameTable* names;         // must outlive this
    history::EndedListener listener;  // of all Loopers
  };
  // Messages are recorded from here on, once there is a tap. Returns 0 or errno.
  // Context: start-up only
  int Start(const Setup& setup);

  struct Sampling {
    core::Sampler* sampler;  // null: messages are recorded only
    sampling::TreeBuilder* trees;
    uint64_t interval_ns;
    uint32_t max_depth;
    bool wall_clock_timer;
  };
  // The collector follows from here on. Returns 0 or errno.
  int Follow(const Sampling& sampling);

  // Takes everything that happened up to now. Returns how long the collector may sleep, in
  // nanoseconds; UINT64_MAX: until woken.
  uint64_t Tick(uint64_t now_ns);

  // Around the collector's sleep. Woke returns for how long of it nobody in this process ran.
  void Sleeps(uint64_t sleep_ns) { freeze_watch_.BeforeSleep(ReadClocks(), sleep_ns); }
  uint64_t Woke();

  // Looks after the tap; returns what is to be logged. Calls the VM only while nothing is slow.
  std::string KeepTap(JNIEnv* env, uint64_t now_ns);

  // What the dump has about the Loopers, the main one first.
  struct Described {
    std::vector<model::Looper> loopers;
    std::vector<model::Message> history;
    uint64_t history_lost = 0;
    std::vector<model::HistoryGroup> groups;
    uint64_t groups_lost = 0;
    std::vector<model::HistoryRecord> records;
    uint64_t records_lost = 0;
    model::Jank jank;
  };
  Described Describe(uint64_t now_ns);
  void Count(std::vector<model::NamedCount>* counters);

  // Calls use(index, WatchedLooper, OpenHistory) for each.
  template <typename Use>
  void ForEachOpen(const Use& use) {
    for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
      const Followed* followed = FollowedAt(i);
      if (followed == nullptr) break;
      use(i, *watched_.At(i), followed->watch.ReadOpen());
    }
  }

  tap::TapKeeper& taps() { return taps_; }
  const tap::TapKeeper& taps() const { return taps_; }
  tap::WatchedLoopers& watched() { return watched_; }
  core::WatchedThread& main_thread() { return watched_.main().thread; }
  const sampling::SlowMessageWatch& main_watch() const { return main_.watch; }
  history::FrameStatistics& frames() { return *frames_; }

 private:
  struct Followed {
    sampling::SlowMessageWatch watch;
    std::unique_ptr<history::History> history;
  };

  history::FreezeWatch::Reading ReadClocks() const;
  Followed* FollowedAt(uint32_t index);
  bool IsAnySlow(uint64_t now_ns);
  void FindRefreshInterval(JNIEnv* env);

  Setup setup_ = {};
  Sampling sampling_ = {};
  tap::WatchedLoopers watched_;
  tap::TapKeeper taps_;
  Followed main_;
  std::unique_ptr<Followed> others_[tap::WatchedLoopers::kMaxLoopers];
  std::unique_ptr<history::FrameStatistics> frames_;
  history::FreezeWatch freeze_watch_{0};
  os::RunQueueClock own_run_queue_;
  bool looked_for_interval_ = false;
};

}  // namespace stillframe::collector
