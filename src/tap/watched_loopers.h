// SPDX-License-Identifier: Apache-2.0
// The watched threads, with a Looper or a heartbeat, each with a recorder.
//
// Problem: a tap is called on the Looper's thread, and gives no other information about it.
// Rule: a new thread is looked up once, by one system call for its name; a pthread key keeps the
// result. From then on a message finds its recorder without a lock.
// Remaining risk: threads beyond kMaxLoopers, and those that exist when the selection changes, are
// not watched; the counter `loopers_refused` has their number.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <string>

#include <stillframe/token.h>

#include "src/core/waker.h"
#include "src/tap/recorder.h"

namespace stillframe::tap {

class SectionRing;

// Which threads besides the main one: all, or those with one of these names, separated by commas. A
// `*` at the end of a name matches any suffix. Thread names have at most 15 bytes.
struct LooperSelection {
  bool all = false;
  std::string names;

  bool Matches(const char* thread_name) const;
};

// A watched thread. Its slot is never freed, so that its records stay readable.
struct WatchedLooper {
  core::WatchedThread thread;
  Recorder recorder;
  char name[16] = {};
  bool has_heartbeat = false;  // its messages are beats
  // If requested. Made by the collector (release), read by the thread (acquire).
  std::atomic<SectionRing*> sections{nullptr};
  // Written after all of the above (release), read by the collector (acquire).
  std::atomic<bool> is_ready{false};
};

class WatchedLoopers {
 public:
  static constexpr uint32_t kMaxLoopers = 16;

  struct Setup {
    HistoryLimits limits;
    const core::Waker* waker;  // the collector's
    LooperSelection selection;
    // Called on a watched thread before its first message; may be null.
    void (*bind)(void* argument, WatchedLooper* looper);
    void* bind_argument;
  };
  // Gives the main thread the first slot. Returns 0 or errno. Context: start-up only
  int Start(const Setup& setup, int32_t main_tid);

  // The calling thread's recorder; null: not watched. Context: a thread with a Looper
  Recorder* Current() {
    void* known = pthread_getspecific(key_);
    if (known == nullptr) return LookUp();
    return known != &unwatched ? &static_cast<WatchedLooper*>(known)->recorder : nullptr;
  }
  // The calling thread, if watched and with a message begun; otherwise null. Context: any thread
  WatchedLooper* Known() const {
    void* known = is_started_ ? pthread_getspecific(key_) : nullptr;
    return known != &unwatched ? static_cast<WatchedLooper*>(known) : nullptr;
  }
  // Index of the calling thread, which must be watched.
  uint32_t CurrentIndex() const {
    return static_cast<uint32_t>(static_cast<WatchedLooper*>(pthread_getspecific(key_)) - loopers_);
  }

  // A token that no message uses. Context: collector
  Token NewToken() { return Token{next_tokens_.fetch_add(1, std::memory_order_relaxed)}; }

  // Request: the next message of any Looper wakes the collector. Context: collector
  void Request() { wake_up_.Request(); }
  void Cancel() { wake_up_.Cancel(); }

  // The tap whose calls count, on all Loopers. Context: collector
  void SetActiveTap(uint32_t tap);

  // Watches the calling thread from its next message on. False if there is no free slot.
  // Context: a thread with a Looper
  bool WatchCurrent();

  // Begins a beat of the calling thread, and watches the thread from its first on: by this name, or
  // by its own if null. An open beat ends. Context: a thread without a Looper
  enum class Beat : uint8_t { kBegun, kNotStarted, kHasLooper, kTooMany };
  Beat BeginBeat(const char* name);
  // False if the calling thread has no open beat.
  bool EndBeat();

  // The Looper at `index`; null: none, or not ready yet. Context: collector
  WatchedLooper* At(uint32_t index) {
    return loopers_[index].is_ready.load(std::memory_order_acquire) ? &loopers_[index] : nullptr;
  }
  WatchedLooper& main() { return loopers_[0]; }
  const WatchedLooper& main() const { return loopers_[0]; }

  // In the child of a fork: records nothing from now on. Context: the only thread
  void Forget();

 private:
  static char unwatched;  // its address: the key's value on unwatched threads
  Recorder* LookUp();
  WatchedLooper* Claim(const char* beat_name = nullptr, bool is_beat = false);
  static bool EndBeat(WatchedLooper* looper);
  static void ThreadEnds(void* known);
  Recorder* Bind(WatchedLooper* looper);

  Setup setup_ = {};
  int32_t main_tid_ = 0;
  pthread_key_t key_ = 0;
  bool is_started_ = false;
  std::atomic<bool> is_forgotten_{false};
  std::atomic<uint64_t> next_tokens_{1};
  std::atomic<uint32_t> claimed_{1};
  std::atomic<uint32_t> active_tap_{0};
  WakeUpRequest wake_up_;
  WatchedLooper loopers_[kMaxLoopers];
};

}  // namespace stillframe::tap
