// SPDX-License-Identifier: Apache-2.0
// The wait of a looper: an epoll set with one eventfd (AOSP 10 to 14,
// system/core/libutils/Looper.cpp, without the descriptors that an application adds).
// Context: PollOnce on the looper's thread, the rest on any thread.
#pragma once

#include <atomic>

namespace testbed {

class Poller {
 public:
  // Aborts when the kernel refuses the descriptors, as the platform does.
  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Sleeps until a wake-up or the time-out: 0 does not sleep, negative is for ever. A signal ends
  // the sleep early, as on the platform; the queue looks and sleeps again.
  void PollOnce(int timeout_ms);

  // Ends the sleep, or keeps the next one from starting.
  void Wake();

  // Callback after the next sleep. The thread that takes it owns it; null: none.
  void SetCallback(void* callback) { callback_.store(callback, std::memory_order_release); }
  void* TakeCallback() { return callback_.exchange(nullptr, std::memory_order_acquire); }

  // Whether the looper's thread is in its sleep; out of date at once.
  bool IsPolling() const { return polling_.load(std::memory_order_relaxed); }

 private:
  void ConsumeWakeUps();

  int wake_fd_;
  int epoll_fd_;
  // Written by the looper's thread, read by any; carries no other data.
  std::atomic<bool> polling_{false};
  std::atomic<void*> callback_{nullptr};
};

}  // namespace testbed
