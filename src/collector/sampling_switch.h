// SPDX-License-Identifier: Apache-2.0
// Whether sampling is on: the application (stop, resume) and the setting `enabled` must both want
// it, and it must be neither ended nor held up.
//
// Changes are made on any thread, and hold when the call returns. The mutex makes the last one win.
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
  // All must outlive this. The guard is suspended while nothing is sampled. Except at the end of
  // the process, only this class stops and resumes the sampler.
  SamplingSwitch(settings::Configuration* configuration, health::Guard* guard,
                 core::Sampler* sampler)
      : configuration_(*configuration), guard_(*guard), sampler_(*sampler) {}

  // By the application. Returns the previous state.
  bool SetStopped(bool is_stopped);
  // Call when the settings may have changed.
  void ApplyState();
  // The guard has begun: suspends it if sampling is already stopped.
  void GuardBegins();
  // Ends sampling for good. Holds on return.
  void End();
  // Holds up sampling, or continues it. Holds on return.
  void SetHeldUp(bool is_held_up);
  // Off by the settings. Never waits: called in the child of a fork too.
  bool IsOff() const { return is_off_.load(std::memory_order_relaxed); }

 private:
  bool IsClosed() const { return is_stopped_ || IsOff() || has_ended_ || is_held_up_; }
  void OpenOrClose();

  settings::Configuration& configuration_;
  health::Guard& guard_;
  core::Sampler& sampler_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  bool is_stopped_ = false;  // under mutex_, like the next two
  bool has_ended_ = false;
  bool is_held_up_ = false;
  // Written by ApplyState under mutex_, read by all (relaxed: it orders nothing).
  std::atomic<bool> is_off_{false};
};

}  // namespace stillframe::collector
