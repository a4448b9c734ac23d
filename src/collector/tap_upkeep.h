// SPDX-License-Identifier: Apache-2.0
// What the collector does about the tap: puts one in place, at start-up or when the main Looper
// comes to be, looks whether it is still there, and says so when nothing is ever dispatched.
//
// Enters the VM, which may hold the thread up: never while a message is slow.
#pragma once

#include <cstdint>

#include "src/art/vm.h"
#include "src/collector/looper_pipelines.h"
#include "src/model/outcome.h"

namespace stillframe::collector {

class TapUpkeep {
 public:
  // `pipelines` must outlive this.
  void Start(LooperPipelines* pipelines, uint64_t now_ns);

  // Loads what taps are made of; without it none is ever tried. `thread` is the calling one, here
  // and below.
  model::Outcome LoadClasses(const art::AttachedThread& thread);
  // Puts the first tap in place, if it is not too early.
  void InstallTap(const art::AttachedThread& thread);

  // Returns how long the collector may sleep.
  uint64_t Tick(const art::AttachedThread& thread, uint64_t now_ns);

 private:
  uint64_t KeepTap(const art::AttachedThread& thread, uint64_t now_ns);
  void WarnIfNothingHappens(uint64_t now_ns);

  LooperPipelines* pipelines_ = nullptr;
  uint64_t started_ns_ = 0;
  bool has_classes_ = false;
  bool has_refresh_interval_ = false;  // looked for it, once there were frames
  bool is_first_seen_ = false;         // the first message, or 30 s without one
};

}  // namespace stillframe::collector
