// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verdict/verdict.h"

#include <array>

namespace stillframe::verdict {
namespace {

template <typename Enum, size_t kCount>
std::string_view NameAt(const std::array<std::string_view, kCount>& names, Enum value) {
  return names[static_cast<size_t>(value)];
}

}  // namespace

std::string_view KindName(Kind kind) { return NameAt(kKindNames, kind); }

std::string_view CauseName(Cause cause) {
  constexpr std::array<std::string_view, 14> kNames = {
      "work",    "quick-messages", "sleep",          "wait",    "lock",    "binder", "input-output",
      "runtime", "no-cpu",         "standing-still", "outside", "barrier", "frozen", "unseen"};
  return NameAt(kNames, cause);
}

std::string_view ConfidenceName(Confidence confidence) {
  constexpr std::array<std::string_view, 3> kNames = {"low", "medium", "high"};
  return NameAt(kNames, confidence);
}

std::string_view ConfidenceReasonName(ConfidenceReason reason) {
  constexpr std::array<std::string_view, 8> kNames = {"explained",   "certain",  "small-share",
                                                      "few-samples", "estimate", "names-missing",
                                                      "one-look",    "unseen"};
  return NameAt(kNames, reason);
}

std::string_view LeadReasonName(LeadReason reason) {
  constexpr std::array<std::string_view, 4> kNames = {"first-row", "together", "unseen", "system"};
  return NameAt(kNames, reason);
}

std::string_view AnrKindName(AnrKind kind) {
  constexpr std::array<std::string_view, 8> kNames = {
      "unknown",  "input", "broadcast",        "service", "foreground-service",
      "provider", "job",   "application-start"};
  return NameAt(kNames, kind);
}

std::string_view AnrSourceName(AnrSource source) {
  return source == AnrSource::kSystem ? "system" : "waiting-message";
}

std::string_view EvidenceName(Evidence::Kind kind) {
  constexpr std::array<std::string_view, static_cast<size_t>(Evidence::Kind::kAnr) + 1> kNames = {
      "hottest-line",
      "inside",
      "caller",
      "recursion",
      "state",
      "shared",
      "inlining",
      "cpu",
      "no-cpu",
      "due-before",
      "no-sample",
      "tree-not-kept",
      "sampler-off",
      "kernel-call",
      "holder",
      "holder-at",
      "chain-at",
      "candidate",
      "waited-for",
      "later-wait",
      "waiting",
      "message",
      "running",
      "late",
      "quick-cpu",
      "quick-slow",
      "idle",
      "main-at",
      "nothing-ran",
      "clock-stood",
      "memory-pressure",
      "little-memory",
      "rivals-unknown",
      "rival",
      "ended-rivals",
      "other-processes",
      "system-busy",
      "collections",
      "nameless",
      "cut",
      "anr"};
  return NameAt(kNames, kind);
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
