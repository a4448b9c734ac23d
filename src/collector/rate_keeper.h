// SPDX-License-Identifier: Apache-2.0
// The sampling rate: as set, lowered by watchdogs, or off because the day's CPU time is used up.
// Reads their counters in each round of the collector's loop.
//
// Causes no wake-up: checks are made when the collector is awake. Only time in which something is
// sampled counts.
#pragma once

#include <cstdint>
#include <string>

#include "src/collector/looper_pipelines.h"
#include "src/collector/sampler_state.h"
#include "src/collector/sampling_switch.h"
#include "src/core/sampler.h"
#include "src/health/watchdogs.h"
#include "src/jank/jank_store.h"
#include "src/model/frame_table.h"
#include "src/sampling/other_threads.h"
#include "src/sampling/tree_builder.h"
#include "src/settings/config.h"
#include "src/tap/tap_keeper.h"

namespace stillframe::collector {

class RateKeeper {
 public:
  // All must outlive this.
  struct Parts {
    const settings::Config* config;
    SamplerState* state;
    SamplingSwitch* gate;
    const core::Sampler* sampler;
    jank::JankStore* janks;
    LooperPipelines* pipelines;
    const sampling::TreeBuilder* trees;
    const sampling::OtherThreads* others;
    const model::FrameTable* names;
    const tap::TapKeeper* taps;
  };
  void Start(const Parts& parts);
  // Call after the settings changed.
  void Reconfigure();
  uint64_t IntervalNs() const;

  void BeginRound(uint64_t now_ns);
  // The next round is planned to begin `sleep_ns` after this one.
  void EndRound(uint64_t sleep_ns);
  // The process was frozen: the next round is late for that reason.
  void WasFrozen() { due_ns_ = 0; }

 private:
  health::Figures Figures() const;
  void SetLimits();
  // True if sampling must be changed for it.
  bool NoteCpu();
  void ApplyState();
  // "": all is well.
  std::string Text() const;

  Parts parts_ = {};
  health::Watchdogs watchdogs_;
  health::CpuBudget budget_;
  bool is_over_budget_ = false;
  bool has_no_tap_ = false;      // and never will have
  bool is_probe_ = false;        // the tap
  uint64_t round_ns_ = 0;        // begin of the round
  uint64_t handler_ns_ = 0;      // measured by the sampler
  uint64_t handler_cpu_ns_ = 0;  // limited to wall time
  uint64_t due_ns_ = 0;          // planned begin of the next round; 0: nothing is sampled
  uint64_t dump_ns_ = 0;         // last dump that was judged
};

}  // namespace stillframe::collector
