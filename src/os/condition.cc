// SPDX-License-Identifier: Apache-2.0
#include "src/os/condition.h"

#include "src/os/duration.h"

namespace stillframe::os {

Condition::Condition() {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&condition_, &attributes);
  pthread_condattr_destroy(&attributes);
}

timespec Condition::After(uint32_t timeout_ms) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  timespec until = TimespecOf(static_cast<uint64_t>(now.tv_nsec) + timeout_ms * kNsPerMs);
  until.tv_sec += now.tv_sec;
  return until;
}

}  // namespace stillframe::os
