#include "src/looper/recorder.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/core/clock.h"
#include "src/dump/document.h"
#include "src/looper/dispatch_text.h"

namespace stillframe::looper {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;

void CopyName(const char* name, char (&to)[EndedMessage::kNameBytes]) {
  strncpy(to, name != nullptr ? name : "", sizeof to - 1);
  to[sizeof to - 1] = '\0';
}

}  // namespace

void Recorder::Start(const Setup& setup) {
  thread_ = setup.thread;
  slow_ns_ = setup.slow_ns;
  wake_fd_ = setup.wake_fd;
  bind_ = setup.bind;
  bind_argument_ = setup.bind_argument;
}

void Recorder::Forget() {
  if (thread_ == nullptr) return;
  watched_self_.store(UINTPTR_MAX, std::memory_order_release);  // no thread
  thread_->message.Clear();
}

bool Recorder::OnWatchedThread() {
  const uintptr_t watched = watched_self_.load(std::memory_order_acquire);
  if (watched != 0) return watched == static_cast<uintptr_t>(pthread_self());
  return Bind();
}

bool Recorder::Bind() {
  if (gettid() != thread_->tid) return false;
  watched_self_.store(static_cast<uintptr_t>(pthread_self()), std::memory_order_release);
  if (bind_ != nullptr) bind_(this);
  return true;
}

void Recorder::Begin() {
  if (!OnWatchedThread()) return;
  const uint64_t now_ns = core::MonotonicNs();
  const auto stack_pointer = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (has_undescribed_) PublishEnded();
  if (nesting_ > 0) CloseAbandoned(stack_pointer, now_ns);
  if (now_ns - cpu_mark_wall_ns_ >= kCpuMarkNs) {
    cpu_mark_ns_ = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
    cpu_mark_wall_ns_ = now_ns;
  }
  const uint64_t cpu_ns = cpu_mark_ns_ + (now_ns - cpu_mark_wall_ns_);
  const uint64_t token = next_token_++;
  if (nesting_ < kMaxNesting) open_[nesting_] = {token, now_ns, cpu_ns, stack_pointer};
  // Samples of a nested message belong to the outermost one, which is what holds the looper.
  if (nesting_++ == 0) thread_->message.Publish(token, now_ns, cpu_ns);
  if (!collector_awake_.load(std::memory_order_acquire)) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof one);
  }
}

bool Recorder::End() {
  if (!OnWatchedThread() || nesting_ == 0) return false;
  return Close(core::MonotonicNs(), 0);
}

// A message that an Error left (Looper tells its observer of an Exception only) is still open when
// the next one begins; unlike the message around a nested loop, its frames are gone from the stack.
void Recorder::CloseAbandoned(uintptr_t stack_pointer, uint64_t now_ns) {
  while (nesting_ > 0 && nesting_ <= kMaxNesting &&
         open_[nesting_ - 1].stack_pointer <= stack_pointer) {
    if (Close(now_ns, dump::kMessageThrew | dump::kMessageIdentityUnknown)) PublishEnded();
  }
}

bool Recorder::Close(uint64_t now_ns, uint32_t flags) {
  if (nesting_-- > kMaxNesting) return false;
  const OpenMessage& open = open_[nesting_];
  if (nesting_ == 0) thread_->message.Clear();
  if (now_ns - open.start_ns < slow_ns_) return false;
  if (has_undescribed_) PublishEnded();
  const uint32_t head = ended_head_.load(std::memory_order_relaxed);
  if (head - ended_tail_.load(std::memory_order_acquire) == kEndedSlots) {
    ended_lost_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  EndedMessage& ended = ended_[head % kEndedSlots];
  ended = EndedMessage{};
  ended.token = open.token;
  ended.start_ns = open.start_ns;
  ended.end_ns = now_ns;
  ended.start_cpu_ns = open.start_cpu_ns;
  ended.end_cpu_ns = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
  ended.wait_ns = dump::kTimeUnknown;
  ended.flags = flags | (nesting_ > 0 ? dump::kMessageNested : 0U);
  has_undescribed_ = true;
  return true;
}

void Recorder::Describe(const char* target, const char* callback, int32_t what, int64_t when_ms,
                        bool threw) {
  if (!OnWatchedThread() || !has_undescribed_) return;
  EndedMessage& ended = ended_[ended_head_.load(std::memory_order_relaxed) % kEndedSlots];
  CopyName(target, ended.target);
  CopyName(callback, ended.callback);
  ended.what = what;
  // sendMessageAtFrontOfQueue leaves 0, which is no time.
  if (when_ms > 0) ended.wait_ns = static_cast<int64_t>(ended.start_ns) - when_ms * kNsPerMs;
  if (when_ms > 0 && ended.wait_ns < 0) ended.wait_ns = 0;
  if (threw) ended.flags |= dump::kMessageThrew;
  PublishEnded();
}

void Recorder::DescribeText(const char* dispatching) {
  DispatchText text;
  if (ParseDispatchText(dispatching, &text)) {
    Describe(text.target.c_str(), text.callback.c_str(), text.what, 0, false);
  } else {
    PublishEnded();
  }
}

void Recorder::PublishEnded() {
  if (!has_undescribed_) return;
  has_undescribed_ = false;
  const uint32_t head = ended_head_.load(std::memory_order_relaxed);
  EndedMessage& ended = ended_[head % kEndedSlots];
  if (ended.target[0] == '\0') ended.flags |= dump::kMessageIdentityUnknown;
  ended_head_.store(head + 1, std::memory_order_release);
}

bool Recorder::TakeEnded(EndedMessage* message) {
  const uint32_t tail = ended_tail_.load(std::memory_order_relaxed);
  if (ended_head_.load(std::memory_order_acquire) == tail) return false;
  *message = ended_[tail % kEndedSlots];
  ended_tail_.store(tail + 1, std::memory_order_release);
  return true;
}

}  // namespace stillframe::looper
