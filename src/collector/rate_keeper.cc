// SPDX-License-Identifier: Apache-2.0
// Figures to the watchdogs, their bites to rate, gate and texts.
#include "src/collector/rate_keeper.h"

#include <string>

#include "src/collector/dump_assembler.h"
#include "src/collector/looper_pipelines.h"
#include "src/collector/sampler_state.h"
#include "src/collector/sampling_switch.h"
#include "src/os/log.h"
#include "src/sampling/tree_builder.h"
#include "src/trace/frame_table.h"

namespace stillframe::collector {

uint64_t RateKeeper::IntervalNs() const {
  return parts_.config->interval_us * uint64_t{1'000} << dogs_.doublings();
}

void RateKeeper::Start(const Parts& parts) {
  parts_ = parts;
  SetLimits();
}

void RateKeeper::SetLimits() {
  const config::Config& config = *parts_.config;
  dogs_.SetLimits({config.watchdog_handler_percent, config.watchdog_lag_ms,
                   config.watchdog_lost_percent, config.watchdog_memory_kib,
                   config.watchdog_dump_ms});
}

void RateKeeper::Reconfigure() {
  SetLimits();
  parts_.pipelines->SetIntervalNs(IntervalNs());
}

void RateKeeper::BeginRound(uint64_t now_ns) {
  if (due_ns_ != 0) dogs_.Sampled(now_ns - round_ns_, now_ns > due_ns_ ? now_ns - due_ns_ : 0);
  round_ns_ = now_ns;
  bool has_bitten = dogs_.IsDue() && dogs_.Judge(Figures());
  if (dumps_ != parts_.dumps->dumps()) {
    dumps_ = parts_.dumps->dumps();
    has_bitten |= dogs_.JudgeDump(parts_.dumps->last_dump_ns());
  }
  if (has_bitten) Obey();
}

void RateKeeper::EndRound(uint64_t sleep_ns) {
  const bool is_sampled = parts_.pipelines->follows_slow() && parts_.gate->sampler().enabled();
  due_ns_ = is_sampled ? round_ns_ + sleep_ns : 0;
}

watchdog::Figures RateKeeper::Figures() const {
  const core::Sampler& sampler = parts_.gate->sampler();
  const uint64_t memory_bytes = parts_.names->memory_bytes() + parts_.trees->memory_bytes() +
                                parts_.pipelines->HistoryBytes() + sampler.ring().bytes();
  return {sampler.handler_ns(), sampler.samples(), sampler.drops().Read(core::Drop::kRingFull),
          memory_bytes};
}

void RateKeeper::Obey() {
  std::string text;
  if (dogs_.is_over()) {
    parts_.gate->End();
    text = "off: a watchdog has ended sampling: " + dogs_.why();
  } else {
    parts_.pipelines->SetIntervalNs(IntervalNs());
    text = "on, at 1/" + std::to_string(1U << dogs_.doublings()) + " of the rate: " + dogs_.why();
  }
  os::Log("%s", text.c_str());
  parts_.pipelines->janks().SetSampling(text);
  parts_.state->SetWhileOn(std::move(text), dogs_.is_over());
}

}  // namespace stillframe::collector
