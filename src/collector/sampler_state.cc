// SPDX-License-Identifier: Apache-2.0
#include "src/collector/sampler_state.h"

#include <utility>

#include "src/settings/cohort_names.h"

namespace stillframe::collector {

const SamplerState::Record SamplerState::without_reason[] = {
    {SamplerPhase::kNotStarted, "not started", false},
    {SamplerPhase::kStarting, "not started", false},
    {SamplerPhase::kDisabled, "switched off by STILLFRAME_ENABLED=0", false},
    {SamplerPhase::kControl, "asleep: this install is in the control group", false},
    {SamplerPhase::kWaitingForVm, "waiting for the Java VM", false},
    {SamplerPhase::kStartingUp, "waiting for the Java VM", false},
    {SamplerPhase::kOn, "on", false},
    {SamplerPhase::kForked, "off: this process was forked from the one that is profiled", false},
};

bool SamplerState::Begin() {
  const Record* not_started = &without_reason[0];
  return now_.compare_exchange_strong(not_started, &without_reason[1], std::memory_order_acq_rel);
}

bool SamplerState::IsStarted() const {
  switch (phase()) {
    case SamplerPhase::kNotStarted:
    case SamplerPhase::kStarting:
    case SamplerPhase::kDisabled:
    case SamplerPhase::kControl:
    case SamplerPhase::kForked: return false;
    case SamplerPhase::kWaitingForVm:
    case SamplerPhase::kStartingUp:
    case SamplerPhase::kOn:
    case SamplerPhase::kOff:
    case SamplerPhase::kNoCollector: return true;
  }
  return false;
}

bool SamplerState::HasCollector() const {
  const SamplerPhase now = phase();
  return now == SamplerPhase::kStartingUp || now == SamplerPhase::kOn || now == SamplerPhase::kOff;
}

bool SamplerState::NeverSamples() const {
  const SamplerPhase now = phase();
  return now == SamplerPhase::kDisabled || now == SamplerPhase::kControl ||
         now == SamplerPhase::kForked || now == SamplerPhase::kNoCollector;
}

const char* SamplerState::group() const {
  switch (phase()) {
    case SamplerPhase::kNotStarted:
    case SamplerPhase::kStarting:
    case SamplerPhase::kDisabled:
    case SamplerPhase::kForked: return settings::kOut;
    case SamplerPhase::kControl: return settings::kControl;
    case SamplerPhase::kWaitingForVm:
    case SamplerPhase::kStartingUp:
    case SamplerPhase::kOn:
    case SamplerPhase::kOff:
    case SamplerPhase::kNoCollector: break;
  }
  return settings::kSampled;
}

void SamplerState::Set(SamplerPhase phase, const std::string& why) {
  for (const Record& record : without_reason)
    if (record.phase == phase) return now_.store(&record, std::memory_order_release);
  SetState(phase, "off: " + why, false);
}

void SamplerState::SetWhileOn(std::string text, bool is_over) {
  if (IsOn()) SetState(SamplerPhase::kOn, std::move(text), is_over);
}

void SamplerState::SetState(SamplerPhase phase, std::string text, bool is_over) {
  Reason& reason = reasons_.emplace_front(Reason{{}, std::move(text)});
  reason.record = {phase, reason.text.c_str(), is_over};
  now_.store(&reason.record, std::memory_order_release);
}

std::string SamplerState::TextForDump(bool is_stopped, const std::string& trouble) const {
  const Record& now = Now();
  std::string described =
      now.phase == SamplerPhase::kOn && is_stopped && !now.is_over ? "stopped" : now.text;
  if (!trouble.empty()) described += "; " + trouble;
  return described;
}

}  // namespace stillframe::collector
