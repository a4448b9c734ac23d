// SPDX-License-Identifier: Apache-2.0
#include "src/tap/watched_loopers.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <string_view>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/model/message.h"

namespace stillframe::tap {

namespace {

void CountLooper() {
  core::Counters::Add(Counter::kLoopers);
  core::Counters::Add(Counter::kRecorderBytes, sizeof(WatchedLooper));
}

// The tap of beats: no other has this number.
constexpr uint32_t kBeats = UINT32_MAX;

// Allocates where the C library does. Without bounds the thread has no native frames.
void FindStack(core::WatchedThread* thread) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
    thread->stack_low = reinterpret_cast<uintptr_t>(low);
    thread->stack_high = thread->stack_low + bytes;
  }
  pthread_attr_destroy(&attributes);
}

}  // namespace

char WatchedLoopers::unwatched;

bool LooperSelection::Matches(const char* thread_name) const {
  if (all) return true;
  const std::string_view name = thread_name;
  std::string_view rest = names;
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string_view wanted = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (wanted.empty()) continue;
    if (wanted.back() == '*' ? name.starts_with(wanted.substr(0, wanted.size() - 1))
                             : name == wanted.substr(0, sizeof(WatchedLooper::name) - 1))
      return true;
  }
  return false;
}

int WatchedLoopers::Start(const Setup& setup, int32_t main_tid) {
  setup_ = setup;
  main_tid_ = main_tid;
  const int error = pthread_key_create(&key_, ThreadEnds);
  if (error != 0) return error;
  is_started_ = true;
  wake_up_.Start(setup_.waker);
  WatchedLooper& main = loopers_[0];
  main.thread.tid = main_tid;
  strncpy(main.name, "main", sizeof main.name - 1);
  main.recorder.Start({&main.thread, setup_.limits, &wake_up_, &next_tokens_});
  main.is_ready.store(true, std::memory_order_release);
  CountLooper();
  core::Counters::Publish(
      Counter::kMessages,
      [](void* message) {
        return static_cast<core::MessageSlot*>(message)->begun.load(std::memory_order_relaxed);
      },
      &main.thread.message);
  return 0;
}

void WatchedLoopers::SetActiveTap(uint32_t tap) {
  active_tap_.store(tap, std::memory_order_seq_cst);
  for (uint32_t i = 0; i < kMaxLoopers; ++i)
    if (WatchedLooper* looper = At(i)) looper->recorder.SetActiveTap(tap);
}

Recorder* WatchedLoopers::LookUp() {
  if (!is_started_) return nullptr;
  if (!is_forgotten_.load(std::memory_order_relaxed)) {
    if (gettid() == main_tid_) return Bind(&loopers_[0]);
    char name[sizeof(WatchedLooper::name)] = {};
    prctl(PR_GET_NAME, name);
    if (setup_.selection.Matches(name)) {
      if (WatchedLooper* looper = Claim()) return Bind(looper);
    }
  }
  pthread_setspecific(key_, &unwatched);
  return nullptr;
}

bool WatchedLoopers::WatchCurrent() {
  if (!is_started_ || is_forgotten_.load(std::memory_order_relaxed)) return false;
  void* known = pthread_getspecific(key_);
  if (known != nullptr && known != &unwatched) return true;
  WatchedLooper* looper = gettid() == main_tid_ ? &loopers_[0] : Claim();
  return looper != nullptr && Bind(looper) != nullptr;
}

WatchedLoopers::Beat WatchedLoopers::BeginBeat(const char* name) {
  if (!is_started_ || is_forgotten_.load(std::memory_order_relaxed)) return Beat::kNotStarted;
  void* known = pthread_getspecific(key_);
  auto* looper = known != &unwatched ? static_cast<WatchedLooper*>(known) : nullptr;
  if (looper == nullptr) {
    if (gettid() == main_tid_) return Beat::kHasLooper;
    looper = Claim(name, true);
    if (looper == nullptr) return Beat::kTooMany;
    Bind(looper);
  }
  if (!looper->has_heartbeat) return Beat::kHasLooper;
  EndBeat(looper);
  looper->recorder.BeginAt(core::MonotonicNs(),
                           reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), kBeats);
  return Beat::kBegun;
}

bool WatchedLoopers::EndBeat() {
  WatchedLooper* looper = Known();
  return looper != nullptr && EndBeat(looper);
}

bool WatchedLoopers::EndBeat(WatchedLooper* looper) {
  const uint32_t wanted = looper->recorder.End(kBeats);
  if ((wanted & Recorder::kDescribeRun) != 0)
    looper->recorder.DescribeRun(model::kBeatTarget.data(), "", 0);
  if ((wanted & Recorder::kDescribe) != 0)
    looper->recorder.Describe(model::kBeatTarget.data(), "", 0, 0, false);
  return wanted != 0;
}

// An open beat ends, since its thread id may soon be another thread's.
void WatchedLoopers::ThreadEnds(void* known) {
  auto* looper = known != &unwatched ? static_cast<WatchedLooper*>(known) : nullptr;
  if (looper != nullptr && looper->has_heartbeat) EndBeat(looper);
}

WatchedLooper* WatchedLoopers::Claim(const char* beat_name, bool is_beat) {
  uint32_t index = claimed_.load(std::memory_order_relaxed);
  do {
    if (index == kMaxLoopers) {
      core::Counters::Add(Counter::kLoopersRefused);
      return nullptr;
    }
  } while (!claimed_.compare_exchange_weak(index, index + 1, std::memory_order_relaxed));
  WatchedLooper& looper = loopers_[index];
  looper.thread.tid = gettid();
  prctl(PR_GET_NAME, looper.name);
  looper.has_heartbeat = is_beat;
  if (is_beat && beat_name != nullptr && *beat_name != '\0')
    strncpy(looper.name, beat_name, sizeof looper.name - 1);
  if (is_beat) FindStack(&looper.thread);
  looper.recorder.Start({&looper.thread, setup_.limits, &wake_up_, &next_tokens_});
  looper.is_ready.store(true, std::memory_order_release);
  CountLooper();
  // The collector may activate a tap meanwhile, and sets it here too. Retry until the newest one is
  // set.
  uint32_t tap = 0;
  do {
    tap = active_tap_.load(std::memory_order_seq_cst);
    looper.recorder.SetActiveTap(tap);
  } while (active_tap_.load(std::memory_order_seq_cst) != tap);
  return &looper;
}

Recorder* WatchedLoopers::Bind(WatchedLooper* looper) {
  pthread_setspecific(key_, looper);
  if (setup_.bind != nullptr) setup_.bind(setup_.bind_argument, looper);
  return &looper->recorder;
}

// Only the forking thread continues in the child, with its key's value.
void WatchedLoopers::Forget() {
  if (!is_started_) return;
  is_forgotten_.store(true, std::memory_order_relaxed);
  pthread_setspecific(key_, &unwatched);
  for (WatchedLooper& looper : loopers_)
    if (looper.is_ready.load(std::memory_order_relaxed)) looper.recorder.Forget();
}

}  // namespace stillframe::tap
