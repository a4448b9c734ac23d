// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/slow_message_watch.h"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <span>

#include "arch/arch.h"
#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/core/guarded_memory.h"
#include "src/history/frame_statistics.h"
#include "src/os/proc.h"
#include "src/walk/walk.h"

namespace stillframe::sampling {

void SlowMessageWatch::WatchRunQueue(int32_t tid) {
  run_queue_clock_.Open(tid);
  NoteRunQueue(core::MonotonicNs());
}

int SlowMessageWatch::Start(const Setup& setup) {
  sampler_ = setup.sampler;
  recorder_ = setup.recorder;
  trees_ = setup.trees;
  native_ = setup.native;
  history_ = setup.history;
  frame_statistics_ = setup.frames;
  segments_ = setup.segments;
  looks_ = setup.looks;
  slow_ns_ = setup.slow_ns;
  interval_ns_ = setup.interval_ns;
  const int32_t tid = recorder_->thread().tid;
  cpu_clock_ = core::ThreadCpuClock(tid);
  if (setup.sampler == nullptr) return 0;
  max_depth_ = setup.max_depth;
  delivery_.Start(setup.sampler, tid);
  return timer_.Create(setup.wall_clock_timer ? CLOCK_MONOTONIC : cpu_clock_, tid,
                       setup.sampler->cookie(), setup.sampler->other_cookie());
}

SlowMessageWatch::NextLook SlowMessageWatch::Tick(uint64_t now_ns) {
  Drain();
  DrainEnded();
  DrainFrames();
  if (segments_ != nullptr) FollowSegment(now_ns);
  const core::RunningMessage message = Running();
  const uint64_t age_ns = message.AgeNs(now_ns);
  const bool is_segment = IsSegment(message);
  const bool is_left_alone = is_segment && segments_->IsUnmovedForLong(now_ns);
  if (message.token != Token::kNone && (age_ns >= slow_ns_ || is_segment) && !is_left_alone) {
    WatchSlow(message, now_ns);
    // However coarse the samples are, notice an end within slow_ns: before the armed timer can hit
    // the next slow message.
    return {std::min(IntervalNs(), slow_ns_), true};
  }
  if (timer_.is_armed()) Disarm();
  NoteRunQueue(now_ns);
  if (is_left_alone) return {UINT64_MAX, false};
  if (message.token != Token::kNone) return {slow_ns_ - age_ns, false};
  return {segments_ != nullptr ? segments_->SuspectedNs(now_ns) : UINT64_MAX, false};
}

core::RunningMessage SlowMessageWatch::Running() const {
  const core::RunningMessage message = core::Read(recorder_->thread().message);
  return message.token != Token::kNone || segments_ == nullptr ? message : segments_->open();
}

model::Segment SlowMessageWatch::OpenSegment(const core::RunningMessage& running) const {
  return IsSegment(running) ? NameOfSegment() : model::Segment();
}

model::Segment SlowMessageWatch::NameOfSegment() const {
  model::Segment name = {model::SegmentKind::kUnknown};
  if (trees_->token() == segments_->open().token) name = trees_->NameOfSegment(segments_->around());
  if (are_probes_ && name.kind == model::SegmentKind::kUnknown)
    name.kind = model::SegmentKind::kUnseenMessage;
  return name;
}

std::string SlowMessageWatch::WalkNow() const {
  constexpr uint32_t kMostFrames = 64;
  if (sampler_ == nullptr || !core::KeepFaultRecovery().is_in_place ||
      recorder_->thread().runtime_thread.load(std::memory_order_acquire) == 0)
    return {};
  core::RawFrame frames[kMostFrames];
  uint32_t depth = 0;
  core::Truncation truncation = core::Truncation::kNone;
  const uint8_t state = sampler_->WalkBlocked(frames, kMostFrames, &depth, &truncation);
  const std::string stack = trees_->TextOf({frames, depth});
  return (trees_->IsOutsideManagedCode(state) ? "standing in " : "running in ") + stack;
}

void SlowMessageWatch::FollowSegment(uint64_t now_ns) {
  if (segments_->open().token != Token::kNone) return EndSegment(now_ns);
  if (core::Read(recorder_->thread().message).token != Token::kNone) return;
  // Else the message that is about to be handed over would be taken for time between messages.
  if (recorder_->IsDescribing()) return;
  segments_->Look(now_ns, LastEndNs());
}

uint64_t SlowMessageWatch::LastEndNs() const {
  const tap::OpenHistory open = recorder_->ReadOpen();
  return std::max(last_end_ns_, open.run.messages > 0 ? open.run.end_ns : 0);
}

void SlowMessageWatch::EndSegment(uint64_t now_ns, uint64_t pause_end_ns) {
  const SegmentWatch::End end = segments_->FindEnd(now_ns, pause_end_ns);
  if (!end.is_over) return;
  tap::EndedMessage ended = segments_->AsEnded(end);
  const tap::OpenHistory open = recorder_->ReadOpen();
  ended.group = open.run.messages > 0 ? open.run.group : history_->NewestGroup();
  history::MessageFacts facts;
  const model::Segment name = NameOfSegment();
  facts.segment = name.kind;
  ended.callback[name.method.copy(ended.callback, sizeof ended.callback - 1)] = '\0';
  FinishTree(ended, &facts);
  history_->Add(ended, facts);
  segments_->Close();
}

void SlowMessageWatch::NoteRunQueue(uint64_t now_ns) {
  run_queue_wait_.Note(now_ns, run_queue_clock_.Read());
}

int64_t SlowMessageWatch::RunQueueWaitNs(const core::RunningMessage& message,
                                         uint64_t now_ns) const {
  const bool is_ready = os::SchedulerState(recorder_->thread().tid) == 'R';
  return run_queue_wait_.WaitedNs(
      message, {now_ns, run_queue_clock_.Read(), core::CpuClockNs(cpu_clock_), is_ready});
}

tap::OpenHistory SlowMessageWatch::ReadOpen() const {
  tap::OpenHistory open = recorder_->ReadOpen();
  if (are_probes_) open.run = {};
  const core::RunningMessage running = core::Read(recorder_->thread().message);
  open.run.end_cpu_ns =
      running.token != Token::kNone ? running.start_cpu_ns : core::CpuClockNs(cpu_clock_);
  return open;
}

void SlowMessageWatch::Drain() {
  if (sampler_ == nullptr) return;
  core::RawSample sample;
  bool has_new = false;
  while (sampler_->Peek(&sample)) {
    if (sample.token != trees_->token()) {
      // Messages before this sample have ended, and their ends were queued before it was taken.
      DrainEnded();
      const core::RunningMessage running = core::Read(recorder_->thread().message);
      if (running.token == sample.token) {
        if (segments_ != nullptr && segments_->open().token != Token::kNone)
          EndSegment(core::MonotonicNs());
        StartTree(running);
      }
    }
    if (sample.token == trees_->token()) {
      AddSignalSample(sample);
      has_new = true;
    }
    sampler_->Release(sample);
  }
  if (has_new) missing_.EndSignals(core::CpuClockNs(cpu_clock_));
}

void SlowMessageWatch::AddSignalSample(core::RawSample sample) {
  const MissingTime::Settled overdue = missing_.TakeSignal(sample.overrun);
  AddMissedSamples(overdue.missing, sample.wall_ns, sample.cpu_ns);
  const uint64_t wall_ns = sample.wall_ns;
  sample.wall_ns -= overdue.found * armed_interval_ns_;
  trees_->Add(
      sample, [this](uint32_t i) { return sampler_->FrameAt(i); },
      native_->OfSample(sample, wall_ns, *sampler_));
  for (uint64_t i = overdue.found; i-- > 0;)
    trees_->AddRepeat(wall_ns - i * armed_interval_ns_, sample.cpu_ns);
  core::Counters::Add(Counter::kSamplesRepeated, overdue.found);
}

void SlowMessageWatch::DrainEnded() {
  tap::EndedMessage message;
  while (recorder_->TakeEnded(&message)) TakeEnded(message);
}

void SlowMessageWatch::TakeEnded(const tap::EndedMessage& message) {
  history::MessageFacts facts;
  // A segment must be added before the pause that it was part of.
  if (message.kind == tap::EndedKind::kIdle && segments_ != nullptr &&
      segments_->open().token != Token::kNone && message.end_ns > segments_->open().start_ns)
    EndSegment(core::MonotonicNs(), message.end_ns);
  if (message.kind != tap::EndedKind::kIdle) last_end_ns_ = message.end_ns;
  if (are_probes_ && message.kind != tap::EndedKind::kIdle) return;
  if (message.kind != tap::EndedKind::kMessage) {
    history_->Add(message, facts);
    return;
  }
  const bool is_frame = history::IsFrameCallback(message.callback);
  if (is_frame) facts.stage = model::FrameStage::kUnknown;
  FinishTree(message, &facts);
  history_->Add(message, facts);
}

void SlowMessageWatch::FinishTree(const tap::EndedMessage& ended, history::MessageFacts* facts) {
  if (ended.work_ns >= slow_ns_) {
    // Run-queue wait cannot exceed off-CPU time.
    const uint64_t cpu_ns = ended.end_cpu_ns - std::min(ended.end_cpu_ns, ended.start_cpu_ns);
    const auto off_cpu_ns = static_cast<int64_t>(ended.work_ns - std::min(cpu_ns, ended.work_ns));
    const int64_t wait_ns = run_queue_wait_.Since(ended.start_ns, run_queue_clock_.Read());
    facts->runqueue_wait_ns = std::min(wait_ns, off_cpu_ns);
  }
  if (looks_ != nullptr) {
    facts->samples = looks_->SamplesOf(ended.token);
    ReportJank(ended, *facts);
    looks_->End(ended.token, ended.end_ns);
    return;
  }
  if (ended.token != trees_->token()) return ReportJank(ended, *facts);
  AddMissedSamples(missing_.TakeOverdue(), ended.end_ns, ended.end_cpu_ns);
  facts->samples = static_cast<uint32_t>(trees_->running().samples_added());
  facts->blocked_ns = trees_->BlockedNs();
  facts->lock_holder = trees_->LongestHolder();
  facts->lock_waits = trees_->LockWaits();
  const model::FrameStage stage = trees_->Stage();
  if (stage != model::FrameStage::kNone) facts->stage = stage;
  ReportJank(ended, *facts);
  trees_->Finish(ended.end_ns);
}

void SlowMessageWatch::ReportJank(const tap::EndedMessage& ended,
                                  const history::MessageFacts& facts) const {
  if (ended.work_ns < slow_ns_) return;
  const model::TraceTree* tree = looks_ != nullptr ? looks_->TreeOf(ended.token) : nullptr;
  if (looks_ == nullptr && ended.token == trees_->token() && !trees_->running().empty())
    tree = &trees_->running();
  history_->ReportJank(ended, facts, tree);
}

// A frame is marked only after its message was published.
void SlowMessageWatch::DrainFrames() {
  tap::EndedFrame frame;
  while (recorder_->TakeFrame(&frame)) {
    if (frame_statistics_ == nullptr) continue;
    frame = frame_statistics_->Clip(frame);
    history::History::Longest longest;
    const uint64_t due_ns = frame.due_ns;
    frame.due_ns += history_->frozen().Within(due_ns, frame.end_ns);
    if (frame_statistics_->IsFrozen(frame)) {
      DrainEnded();
      longest = history_->LongestBetween(due_ns, frame.end_ns);
      history_->ReportFrozenFrame(frame, longest);
    }
    frame_statistics_->Add(frame, longest.token != Token::kNone ? longest.token : frame.token,
                           longest.stage);
  }
}

void SlowMessageWatch::StartTree(const core::RunningMessage& message) {
  trees_->Start(message.token, message.start_ns, message.start_cpu_ns);
  missing_.Start(core::MonotonicNs(), core::CpuClockNs(cpu_clock_));
}

void SlowMessageWatch::WatchSlow(const core::RunningMessage& message, uint64_t now_ns) {
  if (looks_ != nullptr) looks_->Look(recorder_->thread(), message, now_ns);
  if (sampler_ == nullptr) return;
  if (!sampler_->enabled()) {
    delivery_.ExplainStop();
    if (timer_.is_armed()) Disarm();
    return;
  }
  if (trees_->token() != message.token) StartTree(message);
  const uint64_t cpu_ns = core::CpuClockNs(cpu_clock_);
  run_queue_wait_.NoteTick(message.token, now_ns, cpu_ns);
  if (!delivery_.Check(now_ns, cpu_ns, IntervalNs(), timer_.is_armed())) {
    if (timer_.is_armed()) Disarm();
    if (!sampler_->enabled()) return;
  } else if (!timer_.is_armed() || armed_interval_ns_ != IntervalNs()) {
    ArmTimer(cpu_ns);
  }
  if (missing_.IsStillBlocked(cpu_ns)) {
    if (delivery_.HasEnded(now_ns)) return;
    trees_->AddRepeat(now_ns, cpu_ns);
    core::Counters::Add(Counter::kSamplesRepeated);
  } else {
    SampleBlockedThread(message.token);
  }
  // While the thread is blocked, the owner of the monitor may change.
  if (missing_.is_blocked()) {
    const core::WatchedThread& thread = recorder_->thread();
    trees_->NoteLockHolder(thread.runtime_thread.load(std::memory_order_acquire));
  }
  FillMissingTime(now_ns, cpu_ns);
}

void SlowMessageWatch::FillMissingTime(uint64_t now_ns, uint64_t cpu_ns) {
  MissingTime::State state = missing_.Account(
      {now_ns, cpu_ns, IntervalNs(), trees_->running().samples_added(), delivery_.is_silent()});
  if (state == MissingTime::State::kSignalOverdue &&
      os::ThreadBlocks(recorder_->thread().tid, SIGPROF))
    state = missing_.BlockSignals();
  if (state == MissingTime::State::kReadyWithoutCpu) trees_->AddRepeat(now_ns, cpu_ns);
  if (state == MissingTime::State::kSignalsBlocked)
    AddMissedSamples(missing_.TakeOverdue(), now_ns, cpu_ns);
}

// Adds samples that are only marked as missing. Walks into a frame of its own for the thread's
// state, since blocked_stack_ may hold a stack to be kept.
void SlowMessageWatch::AddMissedSamples(uint64_t samples, uint64_t wall_ns, uint64_t cpu_ns) {
  if (samples == 0) return;
  core::RawSample sample = {};
  core::RawFrame missing = {};
  uint32_t depth = 0;
  sample.thread_state = sampler_->WalkBlocked(&missing, 1, &depth, &sample.truncation);
  sample.token = trees_->token();
  sample.wall_ns = wall_ns;
  sample.cpu_ns = cpu_ns;
  sample.depth = 1;
  sample.truncation = core::Truncation::kNoSignal;
  missing = {static_cast<uint64_t>(core::Truncation::kNoSignal),
             core::kNoDexPc,
             core::RawFrameKind::kTruncated,
             {}};
  for (uint64_t i = 0; i < samples; ++i)
    trees_->Add(sample, [&missing](uint32_t) { return missing; });
}

void SlowMessageWatch::ArmTimer(uint64_t cpu_now_ns) {
  const uint64_t interval_ns = IntervalNs();
  sampler_->SetCpuClockBase(cpu_now_ns + 1, interval_ns, timer_.next_cookie());
  if (timer_.Arm(1, interval_ns) == 0) armed_interval_ns_ = interval_ns;
}

// Outside managed code all frames of the thread are linked.
void SlowMessageWatch::SampleBlockedThread(Token token) {
  const core::WatchedThread& thread = recorder_->thread();
  const uintptr_t runtime_thread = thread.runtime_thread.load(std::memory_order_acquire);
  if (!trees_->IsNowOutsideManagedCode(runtime_thread)) return SamplePageFault(token);
  // Many processes never need it.
  if (blocked_stack_.empty()) blocked_stack_.resize(max_depth_);
  core::RawSample sample = {};
  uint32_t depth = 0;
  sample.thread_state =
      sampler_->WalkBlocked(blocked_stack_.data(), max_depth_, &depth, &sample.truncation);
  const bool has_native = native_->CopyBlocked(thread.tid, runtime_thread);
  // For other waits the runtime's state gives the reason.
  const std::string kernel_call = trees_->IsInNativeCode(sample.thread_state)
                                      ? native_->KernelCallOf(thread.tid)
                                      : std::string();
  std::atomic_thread_fence(std::memory_order_acquire);  // orders the walk's loads before the clock
  sample.depth = static_cast<uint16_t>(depth);
  sample.cpu_ns = core::CpuClockNs(cpu_clock_);
  if (!missing_.HasNotRunSinceTick(sample.cpu_ns) ||
      !trees_->IsOutsideManagedCode(sample.thread_state) || (has_native && WasPreempted())) {
    missing_.HasMoved();
    core::Counters::Add(Counter::kWalksThrownAway);
    if (kernel_call == native::kPageFault) AddShortFault(token);
    return;
  }
  AddBlocked(token, &sample, has_native, kernel_call);
}

// In managed code only registers tell where the thread is. The kernel gives two of them while it
// waits for a page.
void SlowMessageWatch::SamplePageFault(Token token) {
  missing_.HasMoved();
  if (core::MonotonicNs() - trees_->last_wall_ns() < IntervalNs() / 2) return;
  const core::WatchedThread& thread = recorder_->thread();
  const native::KernelCall fault = native::ReadCall(thread.tid);
  if (fault.pc == 0) return;
  if (blocked_stack_.empty()) blocked_stack_.resize(max_depth_);
  ucontext_t context = {};
  arch::ReturnTo(&context, fault.pc, fault.sp);
  const arch::Registers registers = arch::RegistersOf(context);
  walk::RuntimeFacts facts = trees_->facts();
  facts.warm = nullptr;  // of the thread's own signals
  core::FrameSink sink(blocked_stack_.data(), 0, UINT64_MAX, max_depth_,
                       core::FrameSink::OutermostOf(max_depth_));
  core::RawSample sample = {};
  sample.thread_state = walk::WalkManagedStack(
      &facts, thread.runtime_thread.load(std::memory_order_acquire), &registers, &sink);
  std::atomic_thread_fence(std::memory_order_acquire);  // as above
  sample.depth = static_cast<uint16_t>(sink.depth());
  sample.truncation = sink.truncation();
  sample.cpu_ns = core::CpuClockNs(cpu_clock_);
  if (trees_->IsOutsideManagedCode(sample.thread_state)) return;
  if (!missing_.HasNotRunSinceTick(sample.cpu_ns)) {
    core::Counters::Add(Counter::kWalksThrownAway);
    return AddShortFault(token);
  }
  AddBlocked(token, &sample, false, native::kPageFault);
}

// Fast storage ends a fault before the thread is walked. The next one is near.
void SlowMessageWatch::AddShortFault(Token token) {
  Drain();
  if (trees_->token() == token)
    trees_->AddPageFault(core::MonotonicNs(), core::CpuClockNs(cpu_clock_));
}

// Adds a sample of blocked_stack_, after all samples before it.
void SlowMessageWatch::AddBlocked(Token token, core::RawSample* sample, bool has_native,
                                  std::string_view kernel_call) {
  core::Counters::Add(Counter::kSamplesWithoutSignal);
  missing_.HasStopped(sample->cpu_ns);
  sample->token = token;
  sample->wall_ns = core::MonotonicNs();
  // A signal sample taken before the thread stopped is older, so drain it first.
  Drain();
  if (trees_->token() != token) return;
  std::span<const native::MixedFrame> frames;
  if (has_native)
    frames =
        native_->OfBlocked({{blocked_stack_.data(), sample->depth}, sample->thread_state, false});
  trees_->Add(
      *sample, [this](uint32_t i) { return blocked_stack_[i]; }, frames, kernel_call);
  missing_.HasStopped(sample->cpu_ns);
}

// Merely preempted by the collector: skip it, SIGPROF samples it. A thread without a CPU for longer
// is sampled where it waits.
bool SlowMessageWatch::WasPreempted() const {
  return native_->is_ready() &&
         core::MonotonicNs() - trees_->last_wall_ns() < IntervalNs() + IntervalNs() / 2;
}

void SlowMessageWatch::Disarm() {
  if (sampler_ != nullptr) timer_.Disarm();
}

uint64_t SlowMessageWatch::IntervalNs() const {
  return interval_ns_ * trees_->running().interval_scale();
}

}  // namespace stillframe::sampling
