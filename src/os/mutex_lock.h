// SPDX-License-Identifier: Apache-2.0
// A mutex held as long as a scope lasts.
// Context: any thread but a signal handler; blocks
#pragma once

#include <pthread.h>

namespace stillframe::os {

class MutexLock {
 public:
  explicit MutexLock(pthread_mutex_t* mutex) : mutex_(mutex) { pthread_mutex_lock(mutex_); }
  ~MutexLock() { pthread_mutex_unlock(mutex_); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  pthread_mutex_t* mutex_;
};

}  // namespace stillframe::os
