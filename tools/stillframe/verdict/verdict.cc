// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verdict/verdict.h"

#include <array>

namespace stillframe::verdict {

std::string_view KindName(Kind kind) {
  constexpr std::array<std::string_view, 17> kNames = {
      "nothing-slow", "not-enough-data", "no-samples",     "method",          "standstill",
      "blocked",      "binder-call",     "input-output",   "spread",          "earlier-messages",
      "queue-flood",  "leaked-barrier",  "starved-of-cpu", "short-of-memory", "process-frozen",
      "runtime-wait", "deadlock"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view CauseName(Cause cause) {
  constexpr std::array<std::string_view, 14> kNames = {
      "work",    "quick-messages", "sleep",          "wait",    "lock",    "binder", "input-output",
      "runtime", "no-cpu",         "standing-still", "outside", "barrier", "frozen", "unseen"};
  return kNames[static_cast<size_t>(cause)];
}

std::string_view ConfidenceName(Confidence confidence) {
  constexpr std::array<std::string_view, 3> kNames = {"low", "medium", "high"};
  return kNames[static_cast<size_t>(confidence)];
}

std::string_view AnrKindName(AnrKind kind) {
  constexpr std::array<std::string_view, 8> kNames = {
      "unknown",  "input", "broadcast",        "service", "foreground-service",
      "provider", "job",   "application-start"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view AnrSourceName(AnrSource source) {
  return source == AnrSource::kSystem ? "system" : "waiting-message";
}

bool Culprit::IsStandstill() const {
  const bool stands =
      state == trace::ThreadState::kWaiting || state == trace::ThreadState::kTimedWaiting ||
      state == trace::ThreadState::kSleeping || state == trace::ThreadState::kBlocked ||
      state == trace::ThreadState::kWaitingForClass ||
      state == trace::ThreadState::kWaitingForLibrary;
  return stands && state_us * 2 > held_us;
}

}  // namespace stillframe::verdict
