// SPDX-License-Identifier: Apache-2.0
// Pipelines of which the calling thread is the main one, and that nobody wakes.
#pragma once

#include <unistd.h>

#include "src/collector/looper_pipelines.h"
#include "src/os/duration.h"

namespace stillframe::collector {

inline LooperPipelines::Setup UsualSetup(model::FrameTable* names, settings::TapChoice tap) {
  using os::kNsPerMs;
  LooperPipelines::Setup setup = {};
  setup.watched.limits = {50 * kNsPerMs, 30 * kNsPerMs, 300 * kNsPerMs, 1'000 * kNsPerMs};
  static const core::Waker nobody;
  setup.watched.waker = &nobody;
  setup.sizes = {100, 500, 600};
  setup.wanted.tap = tap;
  setup.wanted.frozen_frame_ns = 700 * kNsPerMs;
  setup.main_tid = gettid();
  setup.names = names;
  return setup;
}

}  // namespace stillframe::collector
