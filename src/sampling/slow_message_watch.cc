#include "src/sampling/slow_message_watch.h"

#include <signal.h>

#include <algorithm>
#include <iterator>

#include "src/core/clock.h"
#include "src/history/frame_stage.h"
#include "src/os/proc.h"

namespace stillframe::sampling {
namespace {

// After this long without a message the collector sleeps until the next one wakes it.
constexpr uint64_t kIdleNs = 1'000'000'000;

// A timer on the CPU clock fires at a tick of the kernel, which is at most this long.
constexpr uint64_t kTickNs = 10'000'000;

}  // namespace

void SlowMessageWatch::WatchRunQueue(int32_t tid) {
  run_queue_.Open(tid);
  NoteRunQueue(core::MonotonicNs());
}

int SlowMessageWatch::Start(const Setup& setup) {
  setup_ = setup;
  const int32_t tid = setup.recorder->thread().tid;
  cpu_clock_ = core::ThreadCpuClock(tid);
  if (setup.sampler == nullptr) return 0;
  frames_.resize(setup.max_depth);
  delivery_.Start(setup.sampler, tid);
  return timer_.Create(setup.wall_clock_timer ? CLOCK_MONOTONIC : cpu_clock_, tid,
                       setup.sampler->cookie());
}

uint64_t SlowMessageWatch::Tick(uint64_t now_ns) {
  Drain();
  DrainEnded();
  DrainFrames();
  const core::RunningMessage message = core::Read(setup_.recorder->thread().message);
  if (message.token != 0 && message.AgeNs(now_ns) >= setup_.slow_ns) {
    Follow(message, now_ns);
  } else {
    if (timer_.is_armed()) Disarm();
    NoteRunQueue(now_ns);
  }
  return SleepNs(message, now_ns);
}

void SlowMessageWatch::NoteRunQueue(uint64_t now_ns) {
  std::copy(std::begin(queued_) + 1, std::end(queued_), std::begin(queued_));
  *(std::end(queued_) - 1) = {now_ns, run_queue_.Read()};
}

// From the reading nearest to the start on: at most a tick of the collector too much or too little,
// and nothing of a slow message before.
int64_t SlowMessageWatch::RunQueueWaitSince(uint64_t start_ns) const {
  const auto distance_ns = [start_ns](const Queued& queued) {
    return std::max(queued.at_ns, start_ns) - std::min(queued.at_ns, start_ns);
  };
  const Queued* nearest = std::begin(queued_);
  for (const Queued& queued : queued_) {
    if (distance_ns(queued) < distance_ns(*nearest)) nearest = &queued;
  }
  const int64_t now_wait_ns = run_queue_.Read();
  const bool is_known = nearest->wait_ns >= 0 && now_wait_ns >= nearest->wait_ns;
  return is_known ? now_wait_ns - nearest->wait_ns : model::kTimeUnknown;
}

int64_t SlowMessageWatch::RunQueueWaitNs(const core::RunningMessage& message,
                                         uint64_t now_ns) const {
  int64_t wait_ns = RunQueueWaitSince(message.start_ns);
  if (wait_ns < 0) return wait_ns;
  // The kernel counts a wait when it ends: the one that goes on began when the thread ran last.
  const bool waits = last_ran_token_ == message.token &&
                     core::CpuClockNs(cpu_clock_) == last_cpu_ns_ &&
                     os::SchedulerState(setup_.recorder->thread().tid) == 'R';
  if (waits) wait_ns += static_cast<int64_t>(now_ns - std::min(last_ran_ns_, now_ns));
  return std::min(wait_ns, static_cast<int64_t>(message.AgeNs(now_ns)));
}

tap::OpenHistory SlowMessageWatch::ReadOpen() const {
  tap::OpenHistory open = setup_.recorder->ReadOpen();
  const core::RunningMessage running = core::Read(setup_.recorder->thread().message);
  open.run.end_cpu_ns = running.token != 0 ? running.start_cpu_ns : core::CpuClockNs(cpu_clock_);
  return open;
}

void SlowMessageWatch::Drain() {
  if (setup_.sampler == nullptr) return;
  core::SampleRing& ring = setup_.sampler->ring();
  core::RawSample sample;
  bool has_new = false;
  while (ring.Peek(&sample)) {
    if (sample.token != setup_.trees->token()) {
      // The message before it has ended, and its end was queued before this sample was taken.
      DrainEnded();
      if (sample.token > setup_.trees->token()) {
        const core::RunningMessage running = core::Read(setup_.recorder->thread().message);
        if (running.token == sample.token) StartTree(running);
      }
    }
    if (sample.token == setup_.trees->token()) {
      AddSignalSample(sample);
      stands_still_ = false;
      has_new = true;
    }
    ring.Release(sample);
  }
  if (has_new) sample_cpu_ns_ = core::CpuClockNs(cpu_clock_);
}

// A signal that was pending for longer than its interval finds the thread where it was all along:
// in the kernel, or on a CPU that stood still.
void SlowMessageWatch::AddSignalSample(core::RawSample sample) {
  const uint64_t found = std::min<uint64_t>(overdue_, sample.overrun);
  overdue_ -= found;
  AddMissedSamples(sample.wall_ns, sample.cpu_ns);
  const uint64_t wall_ns = sample.wall_ns;
  sample.wall_ns -= found * armed_interval_ns_;
  const core::SampleRing& ring = setup_.sampler->ring();
  setup_.trees->Add(sample, [&ring](uint32_t i) { return ring.FrameAt(i); });
  for (uint64_t i = found; i-- > 0;) {
    setup_.trees->AddRepeat(wall_ns - i * armed_interval_ns_, sample.cpu_ns);
  }
  repeats_ += found;
}

void SlowMessageWatch::DrainEnded() {
  tap::EndedMessage message;
  while (setup_.recorder->TakeEnded(&message)) TakeEnded(message);
}

void SlowMessageWatch::TakeEnded(const tap::EndedMessage& message) {
  history::MessageFacts facts;
  if (message.kind != tap::EndedKind::kMessage) {
    setup_.history->Add(message, facts);
    return;
  }
  const bool is_frame = history::IsFrameCallback(message.callback);
  if (is_frame) facts.stage = model::FrameStage::kUnknown;
  if (message.work_ns >= setup_.slow_ns) {
    // What was neither run nor ready cannot have stood in line.
    const uint64_t cpu_ns = message.end_cpu_ns - std::min(message.end_cpu_ns, message.start_cpu_ns);
    const auto off_cpu_ns =
        static_cast<int64_t>(message.work_ns - std::min(cpu_ns, message.work_ns));
    facts.runqueue_wait_ns = std::min(RunQueueWaitSince(message.start_ns), off_cpu_ns);
  }
  if (message.token == setup_.trees->token()) {
    AddMissedSamples(message.end_ns, message.end_cpu_ns);
    facts.samples = static_cast<uint32_t>(setup_.trees->running().samples_added());
    facts.blocked_ns = setup_.trees->BlockedNs();
    facts.lock_holder = setup_.trees->Owner();
    const model::FrameStage stage = setup_.trees->Stage();
    if (stage != model::FrameStage::kNone) facts.stage = stage;
    setup_.trees->Finish(message.end_ns);
  }
  setup_.history->Add(message, facts);
}

// A frame is marked after its message was published.
void SlowMessageWatch::DrainFrames() {
  tap::EndedFrame frame;
  while (setup_.recorder->TakeFrame(&frame)) {
    if (setup_.frames == nullptr) continue;
    frame = setup_.frames->Clip(frame);
    history::History::Longest longest;
    if (setup_.frames->IsFrozen(frame)) {
      DrainEnded();
      longest = setup_.history->LongestBetween(frame.due_ns, frame.end_ns);
    }
    setup_.frames->Add(frame, longest.token != 0 ? longest.token : frame.token, longest.stage);
  }
}

void SlowMessageWatch::StartTree(const core::RunningMessage& message) {
  setup_.trees->Start(message.token, message.start_ns, message.start_cpu_ns);
  stands_still_ = false;
  owed_ns_ = 0;
  owed_until_ns_ = core::MonotonicNs();
  owed_samples_ = 0;
  overdue_ = 0;
  sample_cpu_ns_ = core::CpuClockNs(cpu_clock_);
}

void SlowMessageWatch::Follow(const core::RunningMessage& message, uint64_t now_ns) {
  if (setup_.sampler == nullptr || !setup_.sampler->enabled()) return;
  if (setup_.trees->token() != message.token) StartTree(message);
  const uint64_t cpu_ns = core::CpuClockNs(cpu_clock_);
  if (cpu_ns != last_cpu_ns_ || last_ran_token_ != message.token) {
    last_ran_ns_ = now_ns;
    last_ran_token_ = message.token;
  }
  if (!delivery_.Check(now_ns, cpu_ns, IntervalNs(), timer_.is_armed())) {
    if (timer_.is_armed()) Disarm();
    if (!setup_.sampler->enabled()) return;
  } else if (!timer_.is_armed() || armed_interval_ns_ != IntervalNs()) {
    ArmTimer(cpu_ns);
  }
  if (cpu_ns == last_cpu_ns_ && stands_still_) {
    if (delivery_.HasEnded(now_ns)) return;
    setup_.trees->AddRepeat(now_ns, cpu_ns);
    ++repeats_;
  } else {
    last_cpu_ns_ = cpu_ns;
    SampleStandingThread(message.token);
  }
  // While the thread stands still; who holds the monitor may change meanwhile.
  if (stands_still_) {
    const core::WatchedThread& thread = setup_.recorder->thread();
    setup_.trees->NoteLockHolder(thread.runtime_thread.load(std::memory_order_acquire),
                                 IntervalNs());
  }
  FillOwedTime(now_ns, cpu_ns);
}

// A thread that is ready but has no CPU meets no timer: for the time that is owed a sample, what it
// did last is what it waits to go on with. When it did run, and no signal came, the next one tells,
// unless the thread holds signals back: what it does meanwhile nobody knows.
void SlowMessageWatch::FillOwedTime(uint64_t now_ns, uint64_t cpu_ns) {
  const auto interval_ns = static_cast<int64_t>(IntervalNs());
  const uint64_t added = setup_.trees->running().samples_added() + overdue_;
  owed_ns_ += static_cast<int64_t>(now_ns - owed_until_ns_) -
              static_cast<int64_t>(added - owed_samples_) * interval_ns;
  // A message in which the timer and this tick both found the thread does not save up for later.
  owed_ns_ = std::clamp(owed_ns_, -interval_ns, 2 * interval_ns);
  owed_until_ns_ = now_ns;
  owed_samples_ = added;
  if (stands_still_ || owed_ns_ < interval_ns + interval_ns / 2) return;
  const uint64_t ran_ns = cpu_ns > sample_cpu_ns_ ? cpu_ns - sample_cpu_ns_ : 0;
  const auto least_ns = static_cast<uint64_t>(interval_ns);
  if (ran_ns > (delivery_.is_silent() ? least_ns : 2 * (least_ns + kTickNs))) {
    ++overdue_;
    if (delivery_.is_silent() || os::ThreadBlocks(setup_.recorder->thread().tid, SIGPROF)) {
      AddMissedSamples(now_ns, cpu_ns);
    }
  } else if (added != 0) {
    setup_.trees->AddRepeat(now_ns, cpu_ns);
    ++starved_repeats_;
  }
}

void SlowMessageWatch::AddMissedSamples(uint64_t now_ns, uint64_t cpu_ns) {
  if (overdue_ == 0) return;
  core::RawSample sample = {};
  sample.thread_state = setup_.sampler->WalkStandingStill(frames_.data(), setup_.max_depth,
                                                          &sample.depth, &sample.truncation);
  sample.token = setup_.trees->token();
  sample.wall_ns = now_ns;
  sample.cpu_ns = cpu_ns;
  sample.depth = 1;
  sample.truncation = core::Truncation::kNoSignal;
  const core::RawFrame missing = {static_cast<uint64_t>(core::Truncation::kNoSignal),
                                  core::kNoDexPc,
                                  core::RawFrameKind::kTruncated,
                                  {}};
  for (; overdue_ > 0; --overdue_) {
    setup_.trees->Add(sample, [&missing](uint32_t) { return missing; });
    ++missed_samples_;
  }
}

void SlowMessageWatch::ArmTimer(uint64_t cpu_now_ns) {
  const uint64_t interval_ns = IntervalNs();
  setup_.sampler->SetCpuClockBase(cpu_now_ns + 1, interval_ns);
  if (timer_.Arm(1, interval_ns) == 0) armed_interval_ns_ = interval_ns;
}

// Only a thread outside managed code can be walked from here: its frames are all linked.
void SlowMessageWatch::SampleStandingThread(uint64_t token) {
  core::RawSample sample = {};
  sample.thread_state = setup_.sampler->WalkStandingStill(frames_.data(), setup_.max_depth,
                                                          &sample.depth, &sample.truncation);
  sample.cpu_ns = core::CpuClockNs(cpu_clock_);
  stands_still_ =
      sample.cpu_ns == last_cpu_ns_ && setup_.trees->IsOutsideManagedCode(sample.thread_state);
  if (!stands_still_) {
    ++moved_walks_;
    return;
  }
  ++standing_walks_;
  sample.token = token;
  sample.wall_ns = core::MonotonicNs();
  // A signal sample taken before the thread stopped is older than this one.
  Drain();
  if (setup_.trees->token() != token) return;
  setup_.trees->Add(sample, [this](uint32_t i) { return frames_[i]; });
  sample_cpu_ns_ = sample.cpu_ns;
  stands_still_ = true;
}

void SlowMessageWatch::Disarm() {
  if (setup_.sampler != nullptr) timer_.Disarm();
}

uint64_t SlowMessageWatch::IntervalNs() const {
  return setup_.interval_ns * setup_.trees->running().interval_scale();
}

uint64_t SlowMessageWatch::SleepNs(const core::RunningMessage& message, uint64_t now_ns) {
  const uint64_t begun = setup_.recorder->thread().message.begun.load(std::memory_order_acquire);
  if (begun != last_begun_ || message.token != 0) {
    last_begun_ = begun;
    last_activity_ns_ = now_ns;
    about_to_sleep_ = false;
    setup_.recorder->SetCollectorAwake(true);
  }
  if (message.token != 0) {
    const uint64_t age_ns = message.AgeNs(now_ns);
    // However coarse the samples have become, an end is noticed within slow_ns: before the armed
    // timer can meet the next slow message.
    return age_ns < setup_.slow_ns ? setup_.slow_ns - age_ns
                                   : std::min(IntervalNs(), setup_.slow_ns);
  }
  // A message that begins now is slow after slow_ns at the earliest.
  if (now_ns - last_activity_ns_ < kIdleNs) return setup_.slow_ns;
  if (about_to_sleep_) return UINT64_MAX;
  // One more look after the flag is down: a message that saw it up has stored its token long
  // before.
  about_to_sleep_ = true;
  setup_.recorder->SetCollectorAwake(false);
  return setup_.slow_ns;
}

}  // namespace stillframe::sampling
