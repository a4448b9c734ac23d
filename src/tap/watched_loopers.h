// SPDX-License-Identifier: Apache-2.0
// The threads with a Looper that are watched, each with a recorder of its own.
//
// A tap is called on the Looper's thread and says nothing else about it. Rule: a thread that is
// seen first is looked up once, by one system call for its name, and keeps the answer in a pthread
// key; from then on a message finds its recorder without a lock. Surviving risk: threads beyond
// kMaxLoopers, and those that live when the selection changes, are not watched; the counter
// `loopers_refused` says how many.
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

// Which threads beside the main one: all, or those with one of these names. Names are separated by
// commas; a `*` at the end of one stands for any rest. Threads' names have at most 15 bytes.
struct LooperSelection {
  bool all = false;
  std::string names;

  bool Matches(const char* thread_name) const;
};

// A watched thread. Its place is taken once and not given back: what it recorded stays readable.
struct WatchedLooper {
  core::WatchedThread thread;
  Recorder recorder;
  char name[16] = {};
  // Where it is asked for. Made by the collector (release), read by the thread (acquire).
  std::atomic<SectionRing*> sections{nullptr};
  // Written when all above is set up (release), read by the collector (acquire).
  std::atomic<bool> is_ready{false};
};

class WatchedLoopers {
 public:
  static constexpr uint32_t kMaxLoopers = 16;

  struct Setup {
    HistoryLimits limits;
    const core::Waker* waker;  // of the collector
    LooperSelection selection;
    // On a watched thread, before its first message; null: nothing to do.
    void (*bind)(void* argument, WatchedLooper* looper);
    void* bind_argument;
  };
  // The main thread has the first place from here on. Returns 0 or errno. Context: start-up only
  int Start(const Setup& setup, int32_t main_tid);

  // The calling thread's recorder; null when it is not watched. Context: a thread with a Looper
  Recorder* Current() {
    void* known = pthread_getspecific(key_);
    if (known == nullptr) return LookUp();
    return known != &unwatched ? &static_cast<WatchedLooper*>(known)->recorder : nullptr;
  }
  // The calling thread, if it has begun a message and is watched; else null. Context: any thread
  WatchedLooper* Known() const {
    void* known = is_started_ ? pthread_getspecific(key_) : nullptr;
    return known != &unwatched ? static_cast<WatchedLooper*>(known) : nullptr;
  }
  // The place of the calling thread, which is watched.
  uint32_t CurrentIndex() const {
    return static_cast<uint32_t>(static_cast<WatchedLooper*>(pthread_getspecific(key_)) - loopers_);
  }

  // A token that no message has. Context: collector
  Token NewToken() { return Token{next_tokens_.fetch_add(1, std::memory_order_relaxed)}; }

  // Whether the next message of any looper wakes the collector. Context: collector
  void Want() { doorbell_.Want(); }
  void WantNoMore() { doorbell_.WantNoMore(); }

  // The tap whose calls count, on all loopers. Context: collector
  void SetActiveTap(uint32_t tap);

  // Watches the calling thread from its next message on. False when there is no place left.
  // Context: a thread with a Looper
  bool WatchCurrent();

  // The looper at `index`; null when there is none, or not yet. Context: collector
  WatchedLooper* At(uint32_t index) {
    return loopers_[index].is_ready.load(std::memory_order_acquire) ? &loopers_[index] : nullptr;
  }
  WatchedLooper& main() { return loopers_[0]; }
  const WatchedLooper& main() const { return loopers_[0]; }

  // In the child of a fork: nothing is recorded any more. Context: the only thread
  void Forget();

 private:
  static char unwatched;  // its address is the key's value on threads that are not watched
  Recorder* LookUp();
  WatchedLooper* Claim();
  Recorder* Bind(WatchedLooper* looper);

  Setup setup_ = {};
  int32_t main_tid_ = 0;
  pthread_key_t key_ = 0;
  bool is_started_ = false;
  std::atomic<bool> is_forgotten_{false};
  std::atomic<uint64_t> next_tokens_{1};
  std::atomic<uint32_t> claimed_{1};
  std::atomic<uint32_t> active_tap_{0};
  Doorbell doorbell_;
  WatchedLooper loopers_[kMaxLoopers];
};

}  // namespace stillframe::tap
