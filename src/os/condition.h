// SPDX-License-Identifier: Apache-2.0
// A condition variable that waits on CLOCK_MONOTONIC: immune to wall-clock changes.
// Never destroyed, since a thread may wait on it for good.
// Context: any thread; blocks
#pragma once

#include <pthread.h>
#include <time.h>

#include <cstdint>

namespace stillframe::os {

// Holds a mutex for the lifetime of a scope.
// Context: any thread but a signal handler; blocks
class MutexLock {
 public:
  explicit MutexLock(pthread_mutex_t* mutex) : mutex_(mutex) { pthread_mutex_lock(mutex_); }
  ~MutexLock() { pthread_mutex_unlock(mutex_); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  pthread_mutex_t* mutex_;
};

class Condition {
 public:
  Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  // Call both with `mutex` held. Waits until done(); false if the timeout passes first.
  template <typename Done>
  bool WaitFor(uint32_t timeout_ms, pthread_mutex_t* mutex, const Done& done) {
    const timespec until = After(timeout_ms);
    while (!done())
      if (pthread_cond_timedwait(&condition_, mutex, &until) != 0) return done();
    return true;
  }
  void WakeAll() { pthread_cond_broadcast(&condition_); }

 private:
  static timespec After(uint32_t timeout_ms);

  pthread_cond_t condition_;
};

}  // namespace stillframe::os
