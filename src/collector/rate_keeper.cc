// SPDX-License-Identifier: Apache-2.0
#include "src/collector/rate_keeper.h"

#include <time.h>

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/jank/spool.h"
#include "src/os/duration.h"
#include "src/os/log.h"

namespace stillframe::collector {

uint64_t RateKeeper::IntervalNs() const {
  return settings::Ns(parts_.config->interval_us) << watchdogs_.doublings();
}

void RateKeeper::Start(const Parts& parts) {
  parts_ = parts;
  SetLimits();
}

void RateKeeper::SetLimits() {
  const settings::Config& config = *parts_.config;
  watchdogs_.SetLimits({config.watchdog_handler_percent, config.watchdog_lag_ms.count(),
                        config.watchdog_lost_percent, config.watchdog_memory_kib,
                        config.watchdog_dump_ms.count()});
  budget_.SetLimit(config.cpu_s_per_day.count());
  core::Counters::Publish<&health::CpuBudget::UsedMs>(Counter::kCpuOfTheDayMs, &budget_);
  core::Counters::Show(Counter::kCpuOfTheDayMs, config.cpu_s_per_day.count() != 0);
}

void RateKeeper::Reconfigure() {
  const uint32_t doublings = watchdogs_.doublings();
  SetLimits();
  if (watchdogs_.doublings() != doublings) return ApplyState();
  parts_.pipelines->SetIntervalNs(IntervalNs());
}

void RateKeeper::BeginRound(uint64_t now_ns) {
  if (due_ns_ != 0) watchdogs_.Sampled(now_ns - round_ns_, now_ns > due_ns_ ? now_ns - due_ns_ : 0);
  // A wrong clock in the handler: limit its time to the wall time that passed.
  const uint64_t handler_ns = parts_.sampler->handler_ns();
  handler_cpu_ns_ +=
      std::min(handler_ns - std::exchange(handler_ns_, handler_ns), now_ns - round_ns_);
  round_ns_ = now_ns;
  const bool has_no_tap = parts_.taps->has_given_up();
  bool has_tripped = std::exchange(has_no_tap_, has_no_tap) != has_no_tap;
  const bool is_probe = parts_.taps->kind() == tap::TapKind::kProbe;
  has_tripped |= std::exchange(is_probe_, is_probe) != is_probe;
  has_tripped |= watchdogs_.IsDue() && watchdogs_.Judge(Figures());
  const uint64_t dump_ns = core::Counters::Read(Counter::kLastDumpTimeNs);
  if (std::exchange(dump_ns_, dump_ns) != dump_ns) has_tripped |= watchdogs_.JudgeDump(dump_ns);
  if (NoteCpu() || has_tripped) ApplyState();
}

bool RateKeeper::NoteCpu() {
  const auto now_s = static_cast<int64_t>(core::CpuClockNs(CLOCK_REALTIME) / os::kNsPerSecond);
  budget_.Note(core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) + handler_cpu_ns_,
               now_s / os::kSecondsPerDay);
  const std::string& folder = parts_.config->dump_dir;
  if (!folder.empty() && budget_.IsDue()) {
    uint64_t total_ms = 0;
    if (jank::AddCpuToDay(folder, budget_.PendingMs(), budget_.OwnMs(), now_s, &total_ms) ==
        jank::SpoolResult::kWritten)
      budget_.Entered(total_ms);
    else
      budget_.NotEntered();
  }
  const bool was_over = is_over_budget_;
  is_over_budget_ = budget_.is_over();
  return is_over_budget_ != was_over;
}

void RateKeeper::EndRound(uint64_t sleep_ns) {
  const bool is_sampled = parts_.pipelines->follows_slow() && parts_.sampler->enabled();
  due_ns_ = is_sampled ? round_ns_ + sleep_ns : 0;
}

health::Figures RateKeeper::Figures() const {
  const core::Sampler& sampler = *parts_.sampler;
  const uint64_t memory_bytes = parts_.names->memory_bytes() + parts_.trees->memory_bytes() +
                                parts_.others->memory_bytes() + parts_.pipelines->HistoryBytes() +
                                sampler.ring_bytes();
  return {sampler.handler_ns(), sampler.samples(), core::Counters::Read(Counter::kDropsRingFull),
          memory_bytes};
}

std::string RateKeeper::Text() const {
  if (watchdogs_.is_over()) return "off: a watchdog has ended sampling: " + watchdogs_.why();
  if (is_over_budget_) return "off: " + budget_.Why();
  if (has_no_tap_) return "off: no tap is in the Looper, so messages are not seen";
  if (watchdogs_.doublings() == 0 && !is_probe_) return "";
  if (watchdogs_.doublings() == 0)
    return std::string("on, with a probe as the tap: ") + tap::TapLosses(tap::TapKind::kProbe);
  return "on, at 1/" + std::to_string(1U << watchdogs_.doublings()) +
         " of the rate: " + watchdogs_.why();
}

// If sampling is off for another reason, that reason is shown.
void RateKeeper::ApplyState() {
  if (watchdogs_.is_over()) parts_.gate->End();
  parts_.gate->SetHeldUp(is_over_budget_);
  parts_.pipelines->SetIntervalNs(IntervalNs());
  if (!parts_.state->IsOn()) return;
  std::string text = Text();
  parts_.janks->SetSampling(text);
  if (text.empty()) text = "on";
  os::Log("%s", text.c_str());
  parts_.state->SetWhileOn(std::move(text), watchdogs_.is_over() || is_over_budget_);
}

}  // namespace stillframe::collector
