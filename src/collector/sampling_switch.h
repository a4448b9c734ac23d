// SPDX-License-Identifier: Apache-2.0
// Whether samples are taken: the application (stop, resume) and the setting enabled both have to
// want it, and nobody may have ended it or hold it up.
//
// Changes come on any thread and hold when the call returns. Under the mutex, so that what was said
// last is what is obeyed.
// Context: any thread but a signal handler
#pragma once

#include <pthread.h>

#include <atomic>

#include "src/core/sampler.h"
#include "src/health/guard.h"
#include "src/settings/configuration.h"

namespace stillframe::collector {

class SamplingSwitch {
 public:
  // All must outlive this. The guard rests while nothing is sampled. The sampler is stopped and
  // resumed here alone, but at the end of the process.
  SamplingSwitch(settings::Configuration* configuration, health::Guard* guard,
                 core::Sampler* sampler)
      : configuration_(*configuration), guard_(*guard), sampler_(*sampler) {}

  // By the application. Returns what it was.
  bool SetStopped(bool is_stopped);
  // The settings may have changed since the start.
  void Obey();
  // The guard has begun: it rests where sampling is stopped already.
  void GuardBegins();
  // For good. Holds when it returns.
  void End();
  // For now. Holds when it returns.
  void SetHeldUp(bool is_held_up);
  // By the settings. Never waits: the child of a fork asks as well.
  bool IsOff() const { return is_off_.load(std::memory_order_relaxed); }

 private:
  bool IsClosed() const { return is_stopped_ || IsOff() || has_ended_ || is_held_up_; }
  void OpenOrClose();

  settings::Configuration& configuration_;
  health::Guard& guard_;
  core::Sampler& sampler_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  bool is_stopped_ = false;  // under mutex_, as the next two
  bool has_ended_ = false;
  bool is_held_up_ = false;
  // Written by Obey under mutex_, read by all (relaxed: nothing hangs on it).
  std::atomic<bool> is_off_{false};
};

}  // namespace stillframe::collector
