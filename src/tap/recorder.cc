// SPDX-License-Identifier: Apache-2.0
#include "src/tap/recorder.h"

#include <time.h>

#include <algorithm>
#include <string_view>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/model/document.h"
#include "src/os/duration.h"
#include "src/tap/dispatch_text.h"

namespace stillframe::tap {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// Cuts what does not fit.
void CopyName(std::string_view name, char (&to)[EndedMessage::kNameBytes]) {
  to[name.copy(to, sizeof to - 1)] = '\0';
}

void SetIdentity(const DispatchText& identity, EndedMessage* ended) {
  CopyName(identity.target, ended->target);
  CopyName(identity.callback, ended->callback);
  ended->what = identity.what;
}

std::string_view NameOrNone(const char* name) { return name != nullptr ? name : ""; }

}  // namespace

void Recorder::Start(const Setup& setup) {
  thread_ = setup.thread;
  limits_ = setup.limits;
  limits_.quick_ns = std::min(limits_.quick_ns, limits_.slow_ns);
  SetIdleNs(limits_.idle_ns);
  wake_up_ = setup.wake_up;
  tokens_.Start(setup.next_tokens);
  groups_.Start(limits_.group_ns);
}

void Recorder::Forget() {
  if (thread_ == nullptr) return;
  nesting_ = 0;
  SetAround(0);
  thread_->message.Clear();
}

void Recorder::Begin(uint32_t tap) {
  if (tap != active_tap_.load(kRelaxed)) return;
  BeginAt(core::MonotonicNs(), reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), tap);
}

void Recorder::BeginAt(uint64_t now_ns, uintptr_t stack_pointer, uint32_t tap) {
  if (ended_.has_filled()) ended_.Publish();
  if (nesting_ > 0 && !Enclose(stack_pointer, now_ns)) return;
  const uint64_t cpu_ns = cpu_mark_.CpuNsAt(now_ns);
  const Token token = tokens_.Next();
  open_[nesting_++] = {token, now_ns, cpu_ns, stack_pointer, tap, false};
  thread_->message.Publish(token, now_ns, cpu_ns);
  if (last_end_ns_ != 0 && now_ns - last_end_ns_ >= idle_ns_.load(kRelaxed)) {
    open_run_.SetIdle(last_end_ns_, now_ns);
    must_publish_ = true;
  }
  wake_up_->Ring();
}

uint32_t Recorder::End(uint32_t tap) {
  if (nesting_ == 0 || (nesting_ <= kMaxNesting && open_[nesting_ - 1].tap != tap)) return 0;
  return EndAt(core::MonotonicNs());
}

uint32_t Recorder::EndAt(uint64_t now_ns) { return nesting_ == 0 ? 0 : Close(now_ns, 0); }

// An Error that leaves a message is not reported to the Observer (only an Exception is), so the
// message is still open when the next begins. Unlike one around a nested loop, its frames are off
// the stack.
bool Recorder::Enclose(uintptr_t stack_pointer, uint64_t now_ns) {
  while (nesting_ > 0 &&
         open_[std::min(nesting_, kMaxNesting) - 1].stack_pointer <= stack_pointer) {
    Close(now_ns, model::kMessageThrew | model::kMessageIdentityUnknown);
    ended_.Publish();
  }
  if (nesting_ == 0) return true;
  if (nesting_ >= kMaxNesting) {
    ++nesting_;
    thread_->message.CountBegun();
    return false;
  }
  if (!open_[nesting_ - 1].is_cut) {
    Close(now_ns, model::kMessageIdentityUnknown);
    ended_.Publish();
    open_[nesting_++].is_cut = true;
    SetAround(nesting_);
  }
  return true;
}

uint32_t Recorder::Close(uint64_t now_ns, uint32_t flags) {
  if (nesting_-- > kMaxNesting) return 0;
  const OpenMessage& open = open_[nesting_];
  const uint64_t wall_ns = now_ns - open.start_ns;
  last_ = open;
  last_message_end_ns_ = now_ns;
  if (open.is_cut) {
    SetAround(nesting_);
    return kEnded;  // recorded when it was cut
  }
  last_end_ns_ = now_ns;
  if (wall_ns < limits_.quick_ns && !must_publish_) {
    thread_->message.Clear();
    AddQuick(open, now_ns, wall_ns);
    return kEnded;
  }
  return CloseKept(open, now_ns, flags);
}

uint32_t Recorder::CloseKept(const OpenMessage& open, uint64_t now_ns, uint32_t flags) {
  const uint64_t wall_ns = now_ns - open.start_ns;
  if (ended_.has_filled()) ended_.Publish();
  uint32_t wanted = kEnded | PublishRun(open.start_cpu_ns);
  if (wall_ns < limits_.quick_ns)
    AddQuick(open, now_ns, wall_ns);
  else
    wanted |= Keep(open, now_ns, flags | (nesting_ > 0 ? model::kMessageNested : 0U));
  thread_->message.Clear();  // after its slot was filled, see IsDescribing
  if ((wanted & (kDescribeRun | kDescribe)) == 0) ended_.Publish();
  return wanted;
}

void Recorder::AddQuick(const OpenMessage& open, uint64_t now_ns, uint64_t wall_ns) {
  open_run_.Add({open.token, open.start_ns, open.start_cpu_ns, now_ns, wall_ns, groups_.current()});
  if (groups_.Add(wall_ns)) must_publish_ = true;
}

// Hands over the run before this message, and the pause between them. Without a free slot both stay
// open, and the run continues.
uint32_t Recorder::PublishRun(uint64_t until_cpu_ns) {
  uint32_t wanted = 0;
  if (open_run_.has_run()) {
    EndedMessage* slot = ended_.FillRun();
    if (slot == nullptr) return 0;
    open_run_.TakeRun(until_cpu_ns, slot);
    wanted = kDescribeRun;
  }
  if (open_run_.has_idle()) {
    EndedMessage* slot = ended_.Fill();
    if (slot == nullptr) return wanted;
    open_run_.TakeIdle(slot);
    slot->group = groups_.current();
  }
  must_publish_ = false;
  return wanted;
}

uint32_t Recorder::Keep(const OpenMessage& open, uint64_t now_ns, uint32_t flags) {
  const uint64_t wall_ns = now_ns - open.start_ns;
  EndedMessage* slot = ended_.FillMessage();
  if (slot == nullptr) {
    core::Counters::Add(Counter::kSlowMessagesLost);
    AddQuick(open, now_ns, wall_ns);
    return 0;
  }
  slot->kind = EndedKind::kMessage;
  slot->token = open.token;
  slot->start_ns = open.start_ns;
  slot->end_ns = now_ns;
  slot->work_ns = wall_ns;
  slot->start_cpu_ns = open.start_cpu_ns;
  slot->end_cpu_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
  slot->messages = 1;
  slot->group = groups_.Place(wall_ns);
  slot->flags = flags;
  return kDescribe;
}

void Recorder::DescribeRun(const char* target, const char* callback, int32_t what) {
  EndedMessage* run = ended_.run();
  if (run == nullptr) return;
  SetIdentity({NameOrNone(target), NameOrNone(callback), what}, run);
  ended_.EndRun();
}

void Recorder::Describe(const char* target, const char* callback, int32_t what, int64_t when_ms,
                        bool threw) {
  EndedMessage* message = ended_.message();
  if (message == nullptr) return;
  SetIdentity({NameOrNone(target), NameOrNone(callback), what}, message);
  // sendMessageAtFrontOfQueue sets 0, which is not a time.
  if (when_ms > 0) {
    const uint64_t due_ns = static_cast<uint64_t>(when_ms) * os::kNsPerMs;
    message->wait_ns =
        static_cast<int64_t>(message->start_ns - std::min(due_ns, message->start_ns));
  }
  if (threw) message->flags |= model::kMessageThrew;
  ended_.EndMessage();
}

void Recorder::DescribeText(const char* dispatching, bool is_run) {
  EndedMessage* ended = is_run ? ended_.run() : ended_.message();
  if (ended == nullptr) return;
  DispatchText identity;
  if (ParseDispatchText(dispatching, &identity)) SetIdentity(identity, ended);
  is_run ? ended_.EndRun() : ended_.EndMessage();
}

void Recorder::MarkFrame(int64_t when_ms) {
  const uint64_t start_ns = last_.start_ns;
  const uint64_t due_ns = when_ms > 0 ? static_cast<uint64_t>(when_ms) * os::kNsPerMs : start_ns;
  if (!ended_frames_.Put(
          {last_.token, std::min(due_ns, start_ns), start_ns, last_message_end_ns_, when_ms > 0}))
    core::Counters::Add(Counter::kFramesLost);
}

}  // namespace stillframe::tap
