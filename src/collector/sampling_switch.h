// SPDX-License-Identifier: Apache-2.0
// Whether samples are taken: the application (stop, resume) and the setting enabled both have to
// want it.
//
// Changes come on any thread and hold when the call returns. Under the mutex, so that what was said
// last is what is obeyed.
// Context: any thread but a signal handler
#pragma once

#include <pthread.h>

#include "src/collector/configuration.h"
#include "src/core/sampler.h"

namespace stillframe::collector {

class SamplingSwitch {
 public:
  // It must outlive this.
  explicit SamplingSwitch(Configuration* configuration) : configuration_(*configuration) {}

  // Is stopped and resumed here alone, but at the end of the process.
  core::Sampler& sampler() { return sampler_; }

  // By the application. Returns what it was.
  bool SetStopped(bool is_stopped);
  // The settings may have changed since the start.
  void Obey();
  // By the settings.
  bool IsOff();

 private:
  void OpenOrClose();

  Configuration& configuration_;
  core::Sampler sampler_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  // Under mutex_.
  bool is_stopped_ = false;
  bool is_off_ = false;
};

}  // namespace stillframe::collector
