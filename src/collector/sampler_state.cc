// SPDX-License-Identifier: Apache-2.0
// The phases in words.
#include "src/collector/sampler_state.h"

namespace stillframe::collector {

const SamplerState::Record SamplerState::kWithoutReason[] = {
    {SamplerPhase::kNotStarted, "not started"},
    {SamplerPhase::kStarting, "not started"},
    {SamplerPhase::kDisabled, "switched off by STILLFRAME_ENABLED=0"},
    {SamplerPhase::kWaitingForVm, "waiting for the Java VM"},
    {SamplerPhase::kStartingUp, "waiting for the Java VM"},
    {SamplerPhase::kOn, "on"},
    {SamplerPhase::kForked, "off: this process was forked from the one that is profiled"},
};

bool SamplerState::Begin() {
  const Record* not_started = &kWithoutReason[0];
  return now_.compare_exchange_strong(not_started, &kWithoutReason[1], std::memory_order_acq_rel);
}

bool SamplerState::IsStarted() const {
  switch (phase()) {
    case SamplerPhase::kNotStarted:
    case SamplerPhase::kStarting:
    case SamplerPhase::kDisabled:
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

void SamplerState::Set(SamplerPhase phase, const std::string& why) {
  for (const Record& record : kWithoutReason)
    if (record.phase == phase) return now_.store(&record, std::memory_order_release);
  Reason& reason = reasons_.emplace_front(Reason{{}, "off: " + why});
  reason.record = {phase, reason.text.c_str()};
  now_.store(&reason.record, std::memory_order_release);
}

std::string SamplerState::TextForDump(bool is_stopped, const std::string& trouble) const {
  std::string described = IsOn() && is_stopped ? "stopped" : text();
  if (!trouble.empty()) described += "; " + trouble;
  return described;
}

}  // namespace stillframe::collector
