// SPDX-License-Identifier: Apache-2.0
#include "src/collector/sampling_switch.h"

#include "src/core/clock.h"
#include "src/os/condition.h"
#include "src/os/log.h"

namespace stillframe::collector {

bool SamplingSwitch::SetStopped(bool is_stopped) {
  const os::MutexLock lock(&mutex_);
  const bool was_stopped = is_stopped_;
  is_stopped_ = is_stopped;
  OpenOrClose();
  return was_stopped;
}

void SamplingSwitch::ApplyState() {
  const os::MutexLock lock(&mutex_);
  const bool is_off = !configuration_.IsEnabled();
  if (is_off == IsOff()) return;
  is_off_.store(is_off, std::memory_order_relaxed);
  OpenOrClose();
  os::Log("switched %s by the settings", is_off ? "off" : "on again");
}

void SamplingSwitch::GuardBegins() {
  const os::MutexLock lock(&mutex_);
  if (IsClosed()) guard_.Suspend();
}

void SamplingSwitch::End() {
  const os::MutexLock lock(&mutex_);
  has_ended_ = true;
  OpenOrClose();
}

void SamplingSwitch::SetHeldUp(bool is_held_up) {
  const os::MutexLock lock(&mutex_);
  if (is_held_up == is_held_up_) return;
  is_held_up_ = is_held_up;
  OpenOrClose();
}

void SamplingSwitch::OpenOrClose() {
  if (IsClosed()) {
    sampler_.Stop();
    guard_.Suspend();
  } else {
    guard_.Resume(core::MonotonicNs());
    sampler_.Resume();
  }
}

}  // namespace stillframe::collector
