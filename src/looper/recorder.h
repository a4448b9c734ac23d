// The watched looper's side of a message: two calls a message, from the tap.
//
// Problem: most messages are quick and must cost nothing. Rule: a message costs two reads of the
// monotonic clock and a few stores; no lock, no allocation, no system call but one: the thread's
// CPU clock, read at the beginning of a message at most every kCpuMarkNs, and at the end of a slow
// one. Surviving risk: a message's CPU time at its start is extrapolated from the last reading, so
// it may be up to kCpuMarkNs off.
#pragma once

#include <atomic>
#include <cstdint>

#include "src/core/sampler.h"

namespace stillframe::looper {

// A slow message that ended, as the collector takes it over.
struct EndedMessage {
  static constexpr size_t kNameBytes = 160;

  uint64_t token;
  uint64_t start_ns;  // CLOCK_MONOTONIC
  uint64_t end_ns;
  uint64_t start_cpu_ns;  // CLOCK_THREAD_CPUTIME_ID
  uint64_t end_cpu_ns;
  int64_t wait_ns;  // -1: not known
  int32_t what;
  uint32_t flags;  // dump::kMessage*
  char target[kNameBytes];
  char callback[kNameBytes];
};

class Recorder {
 public:
  static constexpr uint64_t kCpuMarkNs = 2'000'000;

  struct Setup {
    core::WatchedThread* thread;
    uint64_t slow_ns;
    int wake_fd;  // eventfd of the collector
    void (*bind)(
        Recorder*);  // on the watched thread, before its first message; null: nothing to do
    void* bind_argument;
  };
  void Start(const Setup& setup);

  // Context: the thread the tap is called on; others than the watched one return at once.
  void Begin();
  bool End();  // true: call Describe next
  void Describe(const char* target, const char* callback, int32_t what, int64_t when_ms,
                bool threw);
  void DescribeText(const char* dispatching);

  // The oldest slow message that ended; false when there is none. Context: collector
  bool TakeEnded(EndedMessage* message);
  uint64_t ended_lost() const { return ended_lost_.load(std::memory_order_relaxed); }

  // Whether the collector looks at the slot by itself; when not, the next message wakes it.
  // Context: collector
  void SetCollectorAwake(bool awake) { collector_awake_.store(awake, std::memory_order_release); }

  // In the child of a fork: nothing is recorded any more. Context: the only thread
  void Forget();

  core::WatchedThread& thread() { return *thread_; }
  void* bind_argument() const { return bind_argument_; }

 private:
  struct OpenMessage {
    uint64_t token;
    uint64_t start_ns;
    uint64_t start_cpu_ns;
    uintptr_t stack_pointer;
  };
  static constexpr uint32_t kMaxNesting = 8;
  static constexpr uint32_t kEndedSlots = 32;

  bool OnWatchedThread();
  bool Bind();
  void CloseAbandoned(uintptr_t stack_pointer, uint64_t now_ns);
  bool Close(uint64_t now_ns, uint32_t flags);
  void PublishEnded();

  core::WatchedThread* thread_ = nullptr;
  uint64_t slow_ns_ = 0;
  int wake_fd_ = -1;
  void (*bind_)(Recorder*) = nullptr;
  void* bind_argument_ = nullptr;

  // pthread_self() of the watched thread, 0 until its first message. Written by that thread
  // (release), read by all threads with a looper (acquire).
  std::atomic<uintptr_t> watched_self_{0};

  // Watched thread only.
  uint64_t next_token_ = 1;
  uint32_t nesting_ = 0;
  OpenMessage open_[kMaxNesting] = {};
  uint64_t cpu_mark_ns_ = 0;
  uint64_t cpu_mark_wall_ns_ = 0;
  bool has_undescribed_ = false;

  // Written by the collector, read by the watched thread. Late by a store is fine: the collector
  // looks once more before it sleeps for good.
  std::atomic<bool> collector_awake_{false};

  // Queue of ended messages. head: watched thread (release), tail: collector (release).
  EndedMessage ended_[kEndedSlots];
  std::atomic<uint32_t> ended_head_{0};
  std::atomic<uint32_t> ended_tail_{0};
  std::atomic<uint64_t> ended_lost_{0};
};

}  // namespace stillframe::looper
