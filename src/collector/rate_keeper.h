// SPDX-License-Identifier: Apache-2.0
// The rate of samples: what the settings want, how far the watchdogs have lowered it, and whether
// the day's CPU time is used up; the counters that these look at, round by round of the collector's
// loop.
//
// Nobody is woken for it: what is due is judged when the collector is awake, and only time in which
// something is sampled counts.
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
    const model::FrameTable* names;
    const tap::TapKeeper* taps;
  };
  void Start(const Parts& parts);
  // The settings have changed.
  void Reconfigure();
  uint64_t IntervalNs() const;

  void BeginRound(uint64_t now_ns);
  // The next one is meant to begin so much later than this one did.
  void EndRound(uint64_t sleep_ns);
  // The process did not run: that the next round is late is no sign.
  void WasFrozen() { due_ns_ = 0; }

 private:
  health::Figures Figures() const;
  void SetLimits();
  // True when what is to be done about it has changed.
  bool NoteCpu();
  void Obey();
  // "": all is well.
  std::string Text() const;

  Parts parts_ = {};
  health::Watchdogs dogs_;
  health::CpuBudget budget_;
  bool is_over_budget_ = false;
  bool has_no_tap_ = false;      // and never will have
  uint64_t round_ns_ = 0;        // when it began
  uint64_t handler_ns_ = 0;      // as the sampler has measured it
  uint64_t handler_cpu_ns_ = 0;  // as is believed
  uint64_t due_ns_ = 0;          // when the next one is; 0: nothing is sampled until then
  uint64_t dump_ns_ = 0;         // of the last dump that was judged
};

}  // namespace stillframe::collector
