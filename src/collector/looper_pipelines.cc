#include "src/collector/looper_pipelines.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/core/clock.h"

namespace stillframe::collector {
namespace {

template <typename Item>
void Append(std::vector<Item> items, uint32_t looper, std::vector<Item>* to) {
  for (Item& item : items) {
    item.looper = looper;
    to->push_back(std::move(item));
  }
}

}  // namespace

int FollowedLoopers::Start(const Setup& setup) {
  setup_ = setup;
  const int error = watched_.Start(setup.watched, setup.main_tid);
  if (error != 0) return error;
  taps_.Start(setup.tap, &watched_);
  frames_ = std::make_unique<history::FrameStatistics>(setup.frozen_frame_ns);
  frames_->Show("", core::MonotonicNs());
  freeze_watch_ = history::FreezeWatch(setup.frozen_ns);
  own_run_queue_.Open(gettid());
  main_.watch.WatchRunQueue(setup.main_tid);
  main_.history =
      std::make_unique<history::History>(setup.sizes, setup.watched.limits, setup.names);
  main_.history->SetListener(setup.listener, 0);
  return 0;
}

int FollowedLoopers::Follow(const Sampling& sampling) {
  sampling_ = sampling;
  return main_.watch.Start({sampling.sampler, &watched_.main().recorder, sampling.trees,
                            main_.history.get(), frames_.get(), setup_.watched.limits.slow_ns,
                            sampling.interval_ns, sampling.max_depth, sampling.wall_clock_timer});
}

// The others get their part of the collector when they are seen first.
FollowedLoopers::Followed* FollowedLoopers::FollowedAt(uint32_t index) {
  if (index == 0) return &main_;
  tap::WatchedLooper* looper = watched_.At(index);
  if (looper == nullptr) return nullptr;
  if (others_[index] == nullptr) {
    others_[index] = std::make_unique<Followed>();
    Followed& followed = *others_[index];
    followed.history =
        std::make_unique<history::History>(setup_.sizes, setup_.watched.limits, setup_.names);
    followed.history->SetListener(setup_.listener, index);
    followed.watch.WatchRunQueue(looper->recorder.thread().tid);
    followed.watch.Start({nullptr, &looper->recorder, sampling_.trees, followed.history.get(),
                          nullptr, setup_.watched.limits.slow_ns, sampling_.interval_ns, 0, false});
  }
  return others_[index].get();
}

uint64_t FollowedLoopers::Tick(uint64_t now_ns) {
  uint64_t sleep_ns = UINT64_MAX;
  for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
    Followed* followed = FollowedAt(i);
    if (followed == nullptr) break;
    sleep_ns = std::min(sleep_ns, followed->watch.Tick(now_ns));
  }
  return sleep_ns;
}

history::FreezeWatch::Reading FollowedLoopers::ReadClocks() const {
  return {core::MonotonicNs(), core::CpuClockNs(CLOCK_BOOTTIME),
          core::CpuClockNs(CLOCK_PROCESS_CPUTIME_ID), own_run_queue_.Read()};
}

uint64_t FollowedLoopers::Woke() {
  history::FreezeWatch::Freeze freeze;
  if (!freeze_watch_.AfterSleep(ReadClocks(), &freeze)) return 0;
  for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
    Followed* followed = FollowedAt(i);
    if (followed == nullptr) break;
    followed->history->AddFrozen(freeze.start_ns, freeze.end_ns);
  }
  return freeze.lost_ns;
}

bool FollowedLoopers::IsAnySlow(uint64_t now_ns) {
  for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
    const tap::WatchedLooper* looper = watched_.At(i);
    if (looper == nullptr) break;
    const core::RunningMessage running = core::Read(looper->thread.message);
    if (running.token != 0 && running.AgeNs(now_ns) >= setup_.watched.limits.slow_ns) return true;
  }
  return false;
}

std::string FollowedLoopers::KeepTap(JNIEnv* env, uint64_t now_ns) {
  if (IsAnySlow(now_ns)) return {};
  if (!looked_for_interval_ && frames_->frames() > 0) FindRefreshInterval(env);
  return taps_.Check(env, now_ns);
}

// AOSP 8-14, core/java/android/view/Choreographer.java: mFrameIntervalNanos of the main thread's
// own, which mMainInstance holds (since 9); read once, at the first frames.
void FollowedLoopers::FindRefreshInterval(JNIEnv* env) {
  looked_for_interval_ = true;
  env->PushLocalFrame(8);
  jclass type = env->FindClass("android/view/Choreographer");
  jfieldID main = nullptr;
  jfieldID interval = nullptr;
  if (type != nullptr) {
    main = env->GetStaticFieldID(type, "mMainInstance", "Landroid/view/Choreographer;");
    if (main != nullptr) interval = env->GetFieldID(type, "mFrameIntervalNanos", "J");
  }
  if (env->ExceptionCheck()) env->ExceptionClear();
  if (interval != nullptr) {
    jobject instance = env->GetStaticObjectField(type, main);
    const jlong interval_ns = instance != nullptr ? env->GetLongField(instance, interval) : 0;
    if (interval_ns > 0) frames_->SetRefreshInterval(static_cast<uint64_t>(interval_ns));
  }
  env->PopLocalFrame(nullptr);
}

FollowedLoopers::Described FollowedLoopers::Describe(uint64_t now_ns) {
  Described described;
  for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
    Followed* followed = FollowedAt(i);
    if (followed == nullptr) break;
    const tap::WatchedLooper& looper = *watched_.At(i);
    model::Looper about;
    about.thread = looper.name;
    about.tid = static_cast<uint32_t>(looper.thread.tid);
    about.tap = tap::TapName(taps_.kind());
    about.messages = looper.thread.message.begun.load(std::memory_order_relaxed);
    const core::RunningMessage running = core::Read(looper.thread.message);
    if (i != 0 && running.token != 0) {
      model::Message message;
      message.token = running.token;
      message.start_ns = running.start_ns;
      message.wall_ns = static_cast<int64_t>(running.AgeNs(now_ns));
      message.runqueue_wait_ns = followed->watch.RunQueueWaitNs(running, now_ns);
      message.flags = model::kMessageIdentityUnknown;
      message.looper = i;
      about.running = message;
    }
    described.loopers.push_back(about);
    Append(followed->history->Messages(), i, &described.history);
    described.history_lost += followed->history->messages_lost();
    const tap::OpenHistory open = followed->watch.ReadOpen();
    uint64_t lost = 0;
    Append(followed->history->Groups(open, &lost), i, &described.groups);
    described.groups_lost += lost;
    Append(followed->history->Records(open, &lost), i, &described.records);
    described.records_lost += lost;
  }
  const auto by_start = [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; };
  if (described.loopers.size() > 1) {
    std::stable_sort(described.history.begin(), described.history.end(), by_start);
    std::stable_sort(described.groups.begin(), described.groups.end(), by_start);
    std::stable_sort(described.records.begin(), described.records.end(), by_start);
  }
  described.jank = frames_->Describe(now_ns);
  return described;
}

void FollowedLoopers::Count(std::vector<model::NamedCount>* counters) {
  uint64_t lost = 0;
  uint64_t frames_lost = 0;
  uint64_t loopers = 0;
  uint64_t history_bytes = 0;
  for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
    Followed* followed = FollowedAt(i);
    if (followed == nullptr) break;
    ++loopers;
    lost += watched_.At(i)->recorder.ended_lost();
    frames_lost += watched_.At(i)->recorder.frames_lost();
    history_bytes += followed->history->memory_bytes();
  }
  counters->push_back({"slow_messages_lost", lost});
  counters->push_back({"frames_lost", frames_lost});
  counters->push_back({"loopers", loopers});
  counters->push_back({"loopers_refused", watched_.refused()});
  counters->push_back({"history_bytes", history_bytes});
  counters->push_back({"recorder_bytes", loopers * sizeof(tap::WatchedLooper)});
  counters->push_back({"tap_returns", taps_.returns()});
}

}  // namespace stillframe::collector
