// SPDX-License-Identifier: Apache-2.0
// A ring of paths under a mutex.
#include "src/collector/file_news.h"

#include "src/os/mutex_lock.h"

namespace stillframe::collector {

void FileNews::Add(const std::string& path) {
  const os::MutexLock lock(&mutex_);
  paths_[++newest_ % kKept] = path;
  changed_.WakeAll();
}

uint32_t FileNews::Newest() {
  const os::MutexLock lock(&mutex_);
  return newest_;
}

stillframe_status FileNews::Await(uint32_t number, uint32_t timeout_ms, std::string* path) {
  const os::MutexLock lock(&mutex_);
  const auto is_there = [this, number] { return newest_ >= number; };
  if (!changed_.WaitFor(timeout_ms, &mutex_, is_there)) return STILLFRAME_TIMED_OUT;
  if (number == 0 || newest_ - number >= kKept) return STILLFRAME_BAD_ARGUMENT;
  *path = paths_[number % kKept];
  return STILLFRAME_OK;
}

}  // namespace stillframe::collector
