#include "src/tap/recorder.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/core/clock.h"
#include "src/model/values.h"
#include "src/os/duration.h"
#include "src/tap/dispatch_text.h"

namespace stillframe::tap {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr uint32_t kMaxReadings = 10'000;

void CopyName(const char* name, char (&to)[EndedMessage::kNameBytes]) {
  strncpy(to, name != nullptr ? name : "", sizeof to - 1);
  to[sizeof to - 1] = '\0';
}

}  // namespace

void Recorder::Start(const Setup& setup) {
  thread_ = setup.thread;
  limits_ = setup.limits;
  limits_.quick_ns = std::min(limits_.quick_ns, limits_.slow_ns);
  wake_fd_ = setup.wake_fd;
  next_tokens_ = setup.next_tokens;
  if (next_tokens_ != nullptr) {
    next_token_ = next_tokens_->fetch_add(kTokenBlock, kRelaxed);
    token_limit_ = next_token_ + kTokenBlock;
  }
}

void Recorder::Forget() {
  if (thread_ == nullptr) return;
  nesting_ = 0;
  thread_->message.Clear();
}

void Recorder::Begin(uint32_t tap) {
  if (tap != active_tap_.load(kRelaxed)) return;
  BeginAt(core::MonotonicNs(), reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), tap);
}

void Recorder::BeginAt(uint64_t now_ns, uintptr_t stack_pointer, uint32_t tap) {
  if (filled_ > 0) Publish();
  if (nesting_ > 0) CloseAbandoned(stack_pointer, now_ns);
  if (now_ns - cpu_mark_wall_ns_ >= kCpuMarkNs) {
    cpu_mark_ns_ = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
    cpu_mark_wall_ns_ = now_ns;
  }
  const uint64_t cpu_ns = cpu_mark_ns_ + (now_ns - cpu_mark_wall_ns_);
  if (next_token_ == token_limit_) {
    next_token_ = next_tokens_->fetch_add(kTokenBlock, kRelaxed);
    token_limit_ = next_token_ + kTokenBlock;
  }
  const uint64_t token = next_token_++;
  if (nesting_ < kMaxNesting) open_[nesting_] = {token, now_ns, cpu_ns, stack_pointer, tap};
  if (nesting_++ == 0) {
    // Samples of a nested message belong to the outermost one, which is what holds the looper.
    thread_->message.Publish(token, now_ns, cpu_ns);
    if (last_end_ns_ != 0 && now_ns - last_end_ns_ >= limits_.idle_ns) {
      SetIdle(last_end_ns_, now_ns);
    }
  } else {
    thread_->message.CountNested();
  }
  if (!collector_awake_.load(kAcquire)) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof one);
  }
}

uint32_t Recorder::End(uint32_t tap) {
  if (nesting_ == 0 || (nesting_ <= kMaxNesting && open_[nesting_ - 1].tap != tap)) return 0;
  return EndAt(core::MonotonicNs());
}

uint32_t Recorder::EndAt(uint64_t now_ns) { return nesting_ == 0 ? 0 : Close(now_ns, 0); }

// A message that an Error left (Looper tells its observer of an Exception only) is still open when
// the next one begins; unlike the message around a nested loop, its frames are gone from the stack.
void Recorder::CloseAbandoned(uintptr_t stack_pointer, uint64_t now_ns) {
  while (nesting_ > 0 && nesting_ <= kMaxNesting &&
         open_[nesting_ - 1].stack_pointer <= stack_pointer) {
    Close(now_ns, model::kMessageThrew | model::kMessageIdentityUnknown);
    Publish();
  }
}

uint32_t Recorder::Close(uint64_t now_ns, uint32_t flags) {
  if (nesting_-- > kMaxNesting) return 0;
  const OpenMessage& open = open_[nesting_];
  const uint64_t wall_ns = now_ns - open.start_ns;
  last_ = open;
  last_message_end_ns_ = now_ns;
  if (nesting_ == 0) {
    thread_->message.Clear();
    last_end_ns_ = now_ns;
    if (wall_ns < limits_.quick_ns && !must_hand_over_) {
      AddQuick(open, now_ns, wall_ns);
      return kEnded;
    }
  } else if (wall_ns < limits_.slow_ns) {
    return kEnded;  // a part of the message around it
  }
  if (filled_ > 0) Publish();
  uint32_t wanted = kEnded | HandOver(open.start_cpu_ns);
  if (wall_ns < limits_.quick_ns) {
    AddQuick(open, now_ns, wall_ns);
  } else {
    wanted |= Keep(open, now_ns, flags | (nesting_ > 0 ? model::kMessageNested : 0U));
  }
  undescribed_ = wanted & ~kEnded;
  if (undescribed_ == 0) Publish();
  return wanted;
}

// The work of the groups is that of the outermost messages, in the order of their ends.
void Recorder::AddToGroup(uint64_t wall_ns) {
  group_is_used_ = true;
  group_work_ns_ += wall_ns;
  if (group_work_ns_ < limits_.group_ns) return;
  ++group_;
  group_work_ns_ = 0;
  group_is_used_ = false;
}

uint32_t Recorder::GroupOf(uint64_t wall_ns) {
  if (wall_ns >= limits_.group_ns && group_is_used_) {
    ++group_;
    group_work_ns_ = 0;
  }
  const uint32_t group = group_;
  AddToGroup(wall_ns);
  return group;
}

void Recorder::AddQuick(const OpenMessage& open, uint64_t now_ns, uint64_t wall_ns) {
  const uint64_t version = now_.version.load(kRelaxed);
  now_.version.store(version + 1, kRelaxed);
  const uint64_t messages = now_.messages.load(kRelaxed);
  if (messages == 0) {
    now_.start_ns.store(open.start_ns, kRelease);
    now_.start_cpu_ns.store(open.start_cpu_ns, kRelease);
    now_.group.store(group_, kRelease);
    now_.work_ns.store(wall_ns, kRelease);
  } else {
    now_.work_ns.store(now_.work_ns.load(kRelaxed) + wall_ns, kRelease);
  }
  now_.token.store(open.token, kRelease);
  now_.end_ns.store(now_ns, kRelease);
  now_.messages.store(messages + 1, kRelease);
  now_.version.store(version + 2, kRelease);
  const uint32_t group = group_;
  AddToGroup(wall_ns);
  if (group_ != group) must_hand_over_ = true;
}

void Recorder::ClearRun() {
  const uint64_t version = now_.version.load(kRelaxed);
  now_.version.store(version + 1, kRelaxed);
  now_.messages.store(0, kRelease);
  now_.version.store(version + 2, kRelease);
}

void Recorder::SetIdle(uint64_t start_ns, uint64_t end_ns) {
  const uint64_t version = now_.version.load(kRelaxed);
  now_.version.store(version + 1, kRelaxed);
  now_.idle_start_ns.store(start_ns, kRelease);
  now_.idle_end_ns.store(end_ns, kRelease);
  now_.version.store(version + 2, kRelease);
  if (end_ns != 0) must_hand_over_ = true;
}

OpenHistory Recorder::ReadOpen() const {
  OpenHistory open = {};
  bool is_whole = false;
  for (uint32_t i = 0; i < kMaxReadings && !is_whole; ++i) {
    const uint64_t version = now_.version.load(kAcquire);
    open.run.kind = EndedKind::kQuickRun;
    open.run.token = now_.token.load(kAcquire);
    open.run.start_ns = now_.start_ns.load(kAcquire);
    open.run.end_ns = now_.end_ns.load(kAcquire);
    open.run.work_ns = now_.work_ns.load(kAcquire);
    open.run.start_cpu_ns = now_.start_cpu_ns.load(kAcquire);
    open.run.messages = now_.messages.load(kAcquire);
    open.run.group = static_cast<uint32_t>(now_.group.load(kAcquire));
    open.idle_start_ns = now_.idle_start_ns.load(kAcquire);
    open.idle_end_ns = now_.idle_end_ns.load(kAcquire);
    is_whole = (version & 1) == 0 && now_.version.load(kRelaxed) == version;
  }
  if (!is_whole) open = {};
  open.run.wait_ns = model::kTimeUnknown;
  open.run.flags = model::kMessageIdentityUnknown;
  return open;
}

EndedMessage* Recorder::FreeSlot() {
  const uint32_t next = ended_head_.load(kRelaxed) + filled_;
  if (next - ended_tail_.load(kAcquire) == kEndedSlots) return nullptr;
  EndedMessage& slot = ended_[next % kEndedSlots];
  slot = EndedMessage{};
  slot.wait_ns = model::kTimeUnknown;
  ++filled_;
  return &slot;
}

// The run before this message, and the pause between them. Without a free slot both stay open, and
// the run goes on.
uint32_t Recorder::HandOver(uint64_t until_cpu_ns) {
  uint32_t wanted = 0;
  if (const uint64_t messages = now_.messages.load(kRelaxed); messages > 0) {
    EndedMessage* slot = FreeSlot();
    if (slot == nullptr) return 0;
    run_slot_ = static_cast<uint32_t>(slot - ended_);
    slot->kind = EndedKind::kQuickRun;
    slot->token = now_.token.load(kRelaxed);
    slot->start_ns = now_.start_ns.load(kRelaxed);
    slot->end_ns = now_.end_ns.load(kRelaxed);
    slot->work_ns = now_.work_ns.load(kRelaxed);
    slot->start_cpu_ns = now_.start_cpu_ns.load(kRelaxed);
    slot->end_cpu_ns = until_cpu_ns;
    slot->messages = messages;
    slot->group = static_cast<uint32_t>(now_.group.load(kRelaxed));
    ClearRun();
    wanted = kDescribeRun;
  }
  if (const uint64_t idle_end_ns = now_.idle_end_ns.load(kRelaxed); idle_end_ns != 0) {
    EndedMessage* slot = FreeSlot();
    if (slot == nullptr) return wanted;
    slot->kind = EndedKind::kIdle;
    slot->start_ns = now_.idle_start_ns.load(kRelaxed);
    slot->end_ns = idle_end_ns;
    slot->work_ns = 0;
    slot->group = group_;
    SetIdle(0, 0);
  }
  must_hand_over_ = false;
  return wanted;
}

uint32_t Recorder::Keep(const OpenMessage& open, uint64_t now_ns, uint32_t flags) {
  const uint64_t wall_ns = now_ns - open.start_ns;
  const bool is_nested = (flags & model::kMessageNested) != 0;
  EndedMessage* slot = FreeSlot();
  if (slot == nullptr) {
    ended_lost_.fetch_add(1, kRelaxed);
    if (!is_nested) AddQuick(open, now_ns, wall_ns);
    return 0;
  }
  message_slot_ = static_cast<uint32_t>(slot - ended_);
  slot->kind = EndedKind::kMessage;
  slot->token = open.token;
  slot->start_ns = open.start_ns;
  slot->end_ns = now_ns;
  slot->work_ns = wall_ns;
  slot->start_cpu_ns = open.start_cpu_ns;
  slot->end_cpu_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
  slot->messages = 1;
  slot->group = is_nested ? group_ : GroupOf(wall_ns);
  slot->flags = flags;
  return kDescribe;
}

void Recorder::DescribeRun(const char* target, const char* callback, int32_t what) {
  if ((undescribed_ & kDescribeRun) == 0) return;
  EndedMessage& run = ended_[run_slot_];
  CopyName(target, run.target);
  CopyName(callback, run.callback);
  run.what = what;
  Described(kDescribeRun);
}

void Recorder::Describe(const char* target, const char* callback, int32_t what, int64_t when_ms,
                        bool threw) {
  if ((undescribed_ & kDescribe) == 0) return;
  EndedMessage& ended = ended_[message_slot_];
  CopyName(target, ended.target);
  CopyName(callback, ended.callback);
  ended.what = what;
  // sendMessageAtFrontOfQueue leaves 0, which is no time.
  if (when_ms > 0) {
    const uint64_t due_ns = static_cast<uint64_t>(when_ms) * os::kNsPerMs;
    ended.wait_ns = static_cast<int64_t>(ended.start_ns - std::min(due_ns, ended.start_ns));
  }
  if (threw) ended.flags |= model::kMessageThrew;
  Described(kDescribe);
}

void Recorder::DescribeText(const char* dispatching, bool is_run) {
  DispatchText text;
  if (!ParseDispatchText(dispatching, &text)) {
    Described(is_run ? kDescribeRun : kDescribe);
  } else if (is_run) {
    DescribeRun(text.target.c_str(), text.callback.c_str(), text.what);
  } else {
    Describe(text.target.c_str(), text.callback.c_str(), text.what, 0, false);
  }
}

void Recorder::EndUnknown(uint32_t tap) {
  if ((End(tap) & (kDescribeRun | kDescribe)) != 0) Publish();
}

// The message comes last: a run that nobody described does not keep it.
void Recorder::Described(uint32_t what) {
  undescribed_ &= ~what;
  if ((undescribed_ & kDescribe) == 0) Publish();
}

void Recorder::Publish() {
  if (filled_ == 0) return;
  const uint32_t head = ended_head_.load(kRelaxed);
  for (uint32_t i = 0; i < filled_; ++i) {
    EndedMessage& ended = ended_[(head + i) % kEndedSlots];
    if (ended.target[0] == '\0') ended.flags |= model::kMessageIdentityUnknown;
  }
  ended_head_.store(head + filled_, kRelease);
  filled_ = 0;
  undescribed_ = 0;
}

bool Recorder::TakeEnded(EndedMessage* message) {
  const uint32_t tail = ended_tail_.load(kRelaxed);
  if (ended_head_.load(kAcquire) == tail) return false;
  *message = ended_[tail % kEndedSlots];
  ended_tail_.store(tail + 1, kRelease);
  return true;
}

void Recorder::MarkFrame(int64_t when_ms) {
  const uint64_t start_ns = last_.start_ns;
  const uint64_t due_ns = when_ms > 0 ? static_cast<uint64_t>(when_ms) * os::kNsPerMs : start_ns;
  frames_.Put(
      {last_.token, std::min(due_ns, start_ns), start_ns, last_message_end_ns_, when_ms > 0});
}

}  // namespace stillframe::tap
