// SPDX-License-Identifier: Apache-2.0
// The paths of the newest files of one kind, dumps or records, for those who wait for them. They
// count from 1.
// Context: any thread but a signal handler; Add: collector
#pragma once

#include <pthread.h>

#include <cstdint>
#include <string>

#include <stillframe/profiler.h>

#include "src/os/condition.h"

namespace stillframe::collector {

class FileNews {
 public:
  static constexpr uint32_t kKept = 8;

  void Add(const std::string& path);
  // 0 before the first.
  uint32_t Newest();
  // Waits for the file of this number. OK; TIMED_OUT; BAD_ARGUMENT: forgotten, or 0.
  stillframe_status Await(uint32_t number, uint32_t timeout_ms, std::string* path);

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  os::Condition changed_;
  // Under mutex_.
  uint32_t newest_ = 0;
  std::string paths_[kKept];
};

}  // namespace stillframe::collector
