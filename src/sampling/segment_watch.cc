// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/segment_watch.h"

#include <algorithm>

#include "src/core/guarded_memory.h"
#include "src/model/document.h"
#include "src/model/frame.h"

namespace stillframe::sampling {

LoopIdle::Place LoopIdle::Look(uint64_t now_ns) {
  const uint64_t cpu_ns = core::CpuClockNs(cpu_clock_);
  if (cpu_ns != cpu_ns_) unmoved_since_ns_ = now_ns;
  cpu_ns_ = cpu_ns;
  return place_ = FindPlace();
}

bool LoopIdle::IsPoll(const core::RawFrame& frame) {
  if (setup_.queue->poll() != 0) return frame.method == setup_.queue->poll();
  if (frame.method != named_)
    is_named_poll_ = setup_.trees->IsMethod(frame, "android.os.MessageQueue", "nativePollOnce");
  named_ = frame.method;
  return is_named_poll_;
}

LoopIdle::Place LoopIdle::FindPlace() {
  if (setup_.sampler == nullptr || !setup_.queue->was_sought() ||
      !core::KeepFaultRecovery().is_in_place)
    return Place::kUnknown;
  // Not yet known to have a Looper.
  if (setup_.thread->runtime_thread.load(std::memory_order_acquire) == 0) return Place::kUnknown;
  core::RawFrame frames[2];  // one more for a marker of missing frames
  uint32_t depth = 0;
  core::Truncation truncation = core::Truncation::kNone;
  const uint8_t state = setup_.sampler->WalkBlocked(frames, 2, &depth, &truncation);
  if (core::CpuClockNs(cpu_clock_) != cpu_ns_) return Place::kElsewhere;  // it runs
  const model::ThreadState name = setup_.facts->layout->state_name(state);
  if (name == model::ThreadState::kRunnable) return Place::kElsewhere;  // it waits for a CPU
  if (name == model::ThreadState::kUnknown || depth == 0 ||
      frames[0].kind == core::RawFrameKind::kTruncated)
    return Place::kUnknown;
  return IsPoll(frames[0]) ? Place::kPoll : Place::kElsewhere;
}

void SegmentWatch::Start(const Setup& setup, uint64_t now_ns) {
  setup_ = setup;
  recorder_ = &setup.loopers->main().recorder;
  thread_ = &recorder_->thread();
  loop_.Start(setup.loop);
  poll_ns_ = now_ns;
  poll_cpu_ns_ = core::CpuClockNs(core::ThreadCpuClock(thread_->tid));
}

uint64_t SegmentWatch::Begun() const {
  return thread_->message.begun.load(std::memory_order_acquire);
}

uint64_t SegmentWatch::BeginningBefore(uint64_t now_ns, uint64_t end_ns) const {
  if (end_ns >= poll_ns_ || !was_in_poll_) return std::max(end_ns, poll_ns_);
  const uint64_t ran_ns = loop_.cpu_ns() - std::min(poll_cpu_ns_, loop_.cpu_ns());
  const uint64_t ran_since_ns = now_ns - std::min(ran_ns, now_ns);
  return std::max(poll_ns_, std::min(ran_since_ns, loop_.HeadDueNs()));
}

LoopIdle::Place SegmentWatch::LookForPoll(uint64_t now_ns) {
  const LoopIdle::Place place = loop_.Look(now_ns);
  if (place == LoopIdle::Place::kPoll) {
    poll_ns_ = now_ns;
    poll_cpu_ns_ = loop_.cpu_ns();
    was_in_poll_ = true;
  }
  return place;
}

void SegmentWatch::Look(uint64_t now_ns, uint64_t end_ns) {
  const uint64_t begun = Begun();
  const LoopIdle::Place place = LookForPoll(now_ns);
  if (begun != begun_) {
    elsewhere_ns_ = 0;
    recorder_->SetIdleNs(setup_.idle_ns);
  }
  begun_ = begun;
  if (place != LoopIdle::Place::kElsewhere) {
    elsewhere_ns_ = 0;
  } else if (elsewhere_ns_ == 0) {
    elsewhere_ns_ = now_ns;
    began_ns_ = BeginningBefore(now_ns, end_ns);
  } else if (now_ns - elsewhere_ns_ >= setup_.slow_ns) {
    Open(began_ns_, now_ns);
  }
}

bool SegmentWatch::OpenNow(uint64_t now_ns) {
  if (open_.token != Token::kNone || elsewhere_ns_ == 0) return false;
  Open(began_ns_, now_ns);
  return true;
}

uint64_t SegmentWatch::SuspectedNs(uint64_t now_ns) const {
  if (elsewhere_ns_ == 0) return UINT64_MAX;
  const uint64_t since_ns = now_ns - std::min(elsewhere_ns_, now_ns);
  return setup_.slow_ns - std::min(since_ns, setup_.slow_ns);
}

void SegmentWatch::Open(uint64_t begin_ns, uint64_t now_ns) {
  const uint64_t passed_ns = now_ns - std::min(begin_ns, now_ns);
  const uint64_t cpu_ns = loop_.cpu_ns() - std::min(passed_ns, loop_.cpu_ns());
  open_ = {setup_.loopers->NewToken(), begin_ns, std::max(cpu_ns, poll_cpu_ns_)};
  around_ = thread_->message.around.load(std::memory_order_relaxed);
  thread_->segment.store(open_.token, std::memory_order_relaxed);
  // Until a message begins, the recorder reports the pause around the segment, however short.
  recorder_->SetIdleNs(std::min(setup_.idle_ns, setup_.slow_ns));
}

SegmentWatch::End SegmentWatch::FindEnd(uint64_t now_ns, uint64_t pause_end_ns) {
  const LoopIdle::Place place = LookForPoll(now_ns);
  const core::RunningMessage message = core::Read(thread_->message);
  const uint64_t begun = Begun();
  if (begun == begun_) return {place == LoopIdle::Place::kPoll, now_ns, loop_.cpu_ns()};
  // The first message since. Its CPU time at the start is extrapolated and may be too large.
  if (pause_end_ns == 0) pause_end_ns = recorder_->ReadOpen().idle_end_ns;
  const bool is_one = begun == begun_ + 1;
  const uint64_t begin_ns = is_one ? message.start_ns : pause_end_ns;
  const uint64_t end_ns = begin_ns > open_.start_ns && begin_ns <= now_ns ? begin_ns : now_ns;
  return {true, end_ns, std::min(is_one ? message.start_cpu_ns : loop_.cpu_ns(), loop_.cpu_ns())};
}

void SegmentWatch::Close() {
  open_ = {};
  thread_->segment.store(Token::kNone, std::memory_order_relaxed);
  elsewhere_ns_ = 0;
}

tap::EndedMessage SegmentWatch::AsEnded(const End& end) const {
  tap::EndedMessage ended = {};
  ended.kind = tap::EndedKind::kSegment;
  ended.token = open_.token;
  ended.start_ns = open_.start_ns;
  ended.end_ns = end.at_ns;
  ended.work_ns = end.at_ns - open_.start_ns;
  ended.start_cpu_ns = open_.start_cpu_ns;
  ended.end_cpu_ns = std::max(end.cpu_ns, open_.start_cpu_ns);
  ended.wait_ns = model::kTimeUnknown;
  ended.flags = model::kMessageIdentityUnknown;
  return ended;
}

}  // namespace stillframe::sampling
