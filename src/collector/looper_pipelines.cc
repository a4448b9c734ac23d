// SPDX-License-Identifier: Apache-2.0
#include "src/collector/looper_pipelines.h"

#include <algorithm>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/os/duration.h"
#include "src/os/timer_context.h"

namespace stillframe::collector {
namespace {

template <typename Item>
void Append(std::vector<Item> items, uint32_t looper, std::vector<Item>* to) {
  for (Item& item : items) {
    item.looper = looper;
    to->push_back(std::move(item));
  }
}

template <typename Item>
void SortByStart(std::vector<Item>* items) {
  std::stable_sort(
      items->begin(), items->end(),
      [](const Item& a, const Item& b) { return a.start_ns < b.start_ns; });
}

}  // namespace

void LooperPipelines::StartPipeline(uint32_t index, int32_t tid, Pipeline* pipeline) {
  pipeline->watch->WatchRunQueue(tid);
  pipeline->history = std::make_unique<history::History>(setup_.sizes, setup_.limits, setup_.names);
  pipeline->history->SetListener(setup_.listener, index);
}

void LooperPipelines::Start(const Setup& setup) {
  setup_ = setup;
  if (setup.wants_sections) sections_.Start(setup.watched);
  main_.watch = setup.main_watch;
  StartPipeline(0, setup.main_tid, &main_);
  if (setup.janks != nullptr)
    main_.history->SetJankListener({jank::JankStore::OnJank, setup.janks});
}

int LooperPipelines::StartSampling(const Sampling& sampling) {
  sampling_ = sampling;
  if (sampling.sampler != nullptr && !sampling.wall_clock_timer)
    core::Counters::Set(
        Counter::kCpuTimerInInterrupt,
        os::FindTimerContext(CLOCK_THREAD_CPUTIME_ID) == os::TimerContext::kInterrupt ? 1 : 0);
  if (sampling.sampler != nullptr && sampling.threads != nullptr)
    looks_.Start({{sampling.runtime, sampling.threads, sampling.sampler, setup_.main_tid},
                  sampling.trees,
                  sampling.native,
                  sampling.writer,
                  sampling.max_depth,
                  setup_.limits.slow_ns});
  tap::WatchedLooper& looper = setup_.watched->main();
  segments_.Start(
      {{sampling.sampler, &looper.thread, sampling.runtime, sampling.main_queue, sampling.trees},
       setup_.watched,
       setup_.limits.slow_ns,
       setup_.limits.idle_ns},
      core::MonotonicNs());
  return main_.watch->Start({sampling.sampler, &looper.recorder, sampling.trees, sampling.native,
                             main_.history.get(), setup_.frames, setup_.limits.slow_ns,
                             sampling.interval_ns, sampling.max_depth, sampling.wall_clock_timer,
                             &segments_});
}

void LooperPipelines::ForgetInChild() { tap::SectionCapture::Forget(); }

void LooperPipelines::SetIntervalNs(uint64_t interval_ns) {
  sampling_.interval_ns = interval_ns;
  ForEach(
      [interval_ns](uint32_t, Pipeline& pipeline) { pipeline.watch->SetIntervalNs(interval_ns); });
}

LooperPipelines::Pipeline* LooperPipelines::PipelineAt(uint32_t index) {
  tap::WatchedLooper* looper = setup_.watched->At(index);
  if (looper == nullptr) return nullptr;
  if (index == 0) return &main_;
  if (others_[index] == nullptr) {
    others_[index] = std::make_unique<Pipeline>();
    Pipeline& pipeline = *others_[index];
    pipeline.own_watch = std::make_unique<sampling::SlowMessageWatch>();
    pipeline.watch = pipeline.own_watch.get();
    StartPipeline(index, looper->thread.tid, &pipeline);
    if (setup_.janks != nullptr)
      pipeline.history->SetJankListener(
          {jank::JankStore::OnJank, setup_.janks, {looper->name, looper->thread.tid}});
    pipeline.watch->Start({nullptr, &looper->recorder, sampling_.trees, nullptr,
                           pipeline.history.get(), nullptr, setup_.limits.slow_ns,
                           sampling_.interval_ns, 0, false, nullptr, &looks_});
  }
  return others_[index].get();
}

uint64_t LooperPipelines::Tick(uint64_t now_ns) {
  setup_.watched->Cancel();
  sections_.Keep(sampling_.sampler != nullptr && sampling_.sampler->enabled());
  main_.watch->SeeProbesAlone(setup_.taps->kind() == tap::TapKind::kProbe);
  sampling::PollSchedule::Seen seen;
  uint64_t slow_ns = UINT64_MAX;
  ForEach([&](uint32_t index, Pipeline& pipeline) {
    seen.begun += setup_.watched->At(index)->thread.message.begun.load(std::memory_order_relaxed);
    const auto next = pipeline.watch->Tick(now_ns);
    uint64_t& least_ns = next.is_slow ? slow_ns : seen.due_ns;
    least_ns = std::min(least_ns, next.in_ns);
  });
  is_idle_ = false;
  follows_slow_ = slow_ns != UINT64_MAX;
  if (!follows_slow_) return NextPollNs(seen, now_ns);
  schedule_.FollowsSlow(seen.begun, now_ns);
  return std::min(slow_ns, seen.due_ns);
}

uint64_t LooperPipelines::NextPollNs(const sampling::PollSchedule::Seen& seen, uint64_t now_ns) {
  const uint64_t next_ns = schedule_.NextPollNs(seen, now_ns);
  if (next_ns != UINT64_MAX) return next_ns;
  if (!segments_.IsIdle(now_ns)) return sampling::PollSchedule::kPollNs;
  setup_.watched->Request();
  // A message that began meanwhile may have missed that a wake-up is wanted.
  bool runs = false;
  ForEach([this, &runs](uint32_t index, Pipeline&) {
    runs |= setup_.watched->At(index)->thread.message.token.load(std::memory_order_seq_cst) !=
            Token::kNone;
  });
  if (runs) {
    setup_.watched->Cancel();
    return sampling::PollSchedule::kPollNs;
  }
  is_idle_ = true;
  return UINT64_MAX;
}

void LooperPipelines::TakeForDump(uint64_t now_ns) {
  ForEach([now_ns](uint32_t, Pipeline& pipeline) {
    // Java describes a message in microseconds, unless its thread is stopped.
    constexpr int kMostMs = 5;
    for (int i = 0; i < kMostMs && pipeline.watch->IsDescribing(); ++i) os::SleepMs(1);
    pipeline.watch->Tick(now_ns);
  });
  // A segment that is not slow yet is sampled for the dump too.
  if (main_.watch->Running().token == Token::kNone && !main_.watch->IsDescribing() &&
      segments_.OpenNow(now_ns))
    main_.watch->Tick(now_ns);
}

void LooperPipelines::AddFrozen(const history::FreezeWatch::Freeze& freeze) {
  ForEach([&freeze](uint32_t, Pipeline& pipeline) { pipeline.history->AddFrozen(freeze); });
}

// An open segment is not blind time, since it was sampled.
void LooperPipelines::AddBlind(uint64_t now_ns) {
  const core::RunningMessage& segment = segments_.open();
  const uint64_t end_ns =
      segment.token != Token::kNone ? std::min(segment.start_ns, now_ns) : now_ns;
  if (const uint64_t start_ns = main_.watch->LastEndNs(); start_ns != 0 && start_ns < end_ns)
    main_.history->AddBlind({start_ns, end_ns});
}

bool LooperPipelines::IsAnySlow(uint64_t now_ns) {
  for (uint32_t i = 0; i < tap::WatchedLoopers::kMaxLoopers; ++i) {
    const tap::WatchedLooper* looper = setup_.watched->At(i);
    if (looper == nullptr) break;
    const core::RunningMessage running = core::Read(looper->thread.message);
    if (running.token != Token::kNone && running.AgeNs(now_ns) >= setup_.limits.slow_ns)
      return true;
  }
  return false;
}

void LooperPipelines::KeepNames(uint32_t main_percent, uint32_t max_percent,
                                model::LiveNames* live) {
  constexpr uint32_t kLooksPercent = 40;
  ForEach([&](uint32_t index, Pipeline& pipeline) {
    pipeline.history->KeepNames(index == 0 ? main_percent : max_percent, live);
  });
  looks_.KeepFrames(kLooksPercent, live);
}

model::Looper LooperPipelines::DescribeLooper(uint32_t index, const Pipeline& pipeline,
                                              uint64_t now_ns) {
  const tap::WatchedLooper& watched = *setup_.watched->At(index);
  model::Looper looper;
  looper.thread = watched.name;
  looper.tid = static_cast<uint32_t>(watched.thread.tid);
  looper.tap =
      watched.has_heartbeat ? model::kBeatTarget.data() : tap::TapName(setup_.taps->kind());
  looper.messages = watched.thread.message.begun.load(std::memory_order_relaxed);
  const core::RunningMessage running = core::Read(watched.thread.message);
  if (index != 0 && running.token != Token::kNone) {
    model::Message message;
    message.token = running.token;
    message.start_ns = running.start_ns;
    message.wall_ns = static_cast<int64_t>(running.AgeNs(now_ns));
    message.runqueue_wait_ns = pipeline.watch->RunQueueWaitNs(running, now_ns);
    if (watched.has_heartbeat)
      message.target = model::kBeatTarget;
    else
      message.flags = model::kMessageIdentityUnknown;
    if (watched.thread.message.is_nested()) message.flags |= model::kMessageNested;
    message.samples = looks_.SamplesOf(running.token);
    if (message.samples != 0) message.flags |= model::kMessageHasTree;
    message.looper = index;
    looper.running = message;
  }
  return looper;
}

void LooperPipelines::Describe(uint64_t now_ns, model::Dump* dump) {
  ForEach([this, now_ns, dump](uint32_t index, Pipeline& pipeline) {
    dump->loopers.push_back(DescribeLooper(index, pipeline, now_ns));
    Append(pipeline.history->Messages(), index, &dump->history);
    dump->history_lost += pipeline.history->messages_lost();
    const tap::OpenHistory open = pipeline.watch->ReadOpen();
    uint64_t lost = 0;
    Append(pipeline.history->Groups(open, &lost), index, &dump->groups);
    dump->groups_lost += lost;
    Append(pipeline.history->Records(open, &lost), index, &dump->records);
    dump->records_lost += lost;
  });
  if (dump->loopers.size() > 1) {
    SortByStart(&dump->history);
    SortByStart(&dump->groups);
    SortByStart(&dump->records);
  }
  dump->jank = setup_.frames->Describe(now_ns);
  if (setup_.wants_sections) dump->sections = sections_.Describe();
}

uint64_t LooperPipelines::HistoryBytes() {
  uint64_t bytes = 0;
  ForEach([&](uint32_t, Pipeline& pipeline) { bytes += pipeline.history->memory_bytes(); });
  return bytes;
}

}  // namespace stillframe::collector
