// SPDX-License-Identifier: Apache-2.0
// Pipelines with the calling thread as the main one and without a collector to wake.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include "src/collector/looper_pipelines.h"
#include "src/os/duration.h"

namespace stillframe::collector {

struct PipelineBed {
  void Start(model::FrameTable* names, settings::TapChoice choice,
             sampling::TreeBuilder* trees = nullptr, const walk::RuntimeFacts* facts = nullptr) {
    using os::kNsPerMs;
    static const core::Waker nobody;
    LooperPipelines::Setup setup = {};
    setup.limits = {50 * kNsPerMs, 30 * kNsPerMs, 300 * kNsPerMs, 1'000 * kNsPerMs};
    setup.sizes = {100, 500, 600};
    setup.main_tid = gettid();
    setup.watched = &watched;
    setup.taps = &taps;
    setup.main_watch = &main_watch;
    setup.frames = &frames;
    setup.names = names;
    ASSERT_EQ(watched.Start({setup.limits, &nobody, {}, nullptr, nullptr}, setup.main_tid), 0);
    taps.Start(choice);
    pipelines.Start(setup);
    ASSERT_EQ(pipelines.StartSampling(
                  {nullptr, trees, nullptr, 10 * kNsPerMs, 64, false, facts, nullptr}),
              0);
  }
  core::WatchedThread& main_thread() { return watched.main().thread; }

  tap::WatchedLoopers watched;
  tap::Tap tap;
  tap::TapKeeper taps{&tap, &watched};
  history::FrameStatistics frames{700 * os::kNsPerMs};
  sampling::SlowMessageWatch main_watch;
  LooperPipelines pipelines;
};

}  // namespace stillframe::collector
