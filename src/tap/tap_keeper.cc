// SPDX-License-Identifier: Apache-2.0
// The order of kinds, and the looks at a tap that lost its place.
#include "src/tap/tap_keeper.h"

#include <algorithm>

namespace stillframe::tap {
namespace {

using model::Outcome;
using model::Status;

// From the one that tells most to the one that tells least.
constexpr TapKind kKinds[] = {TapKind::kObserver, TapKind::kPrinter, TapKind::kPoll};

bool Allows(config::TapChoice choice, TapKind kind) {
  switch (choice) {
    case config::TapChoice::kAuto: return true;
    case config::TapChoice::kObserver: return kind == TapKind::kObserver;
    case config::TapChoice::kPrinter: return kind == TapKind::kPrinter;
    case config::TapChoice::kPoll: return kind == TapKind::kPoll;
    case config::TapChoice::kNone: return false;
  }
  return false;
}

}  // namespace

Outcome TapKeeper::Install(JNIEnv* env) { return InstallFrom(env, TapKind::kObserver); }

Outcome TapKeeper::InstallFrom(JNIEnv* env, TapKind first) {
  Outcome outcome = {Status::kUnavailable, "no other kind of tap is allowed"};
  for (const TapKind kind : kKinds) {
    if (kind < first || !Allows(choice_, kind)) continue;
    outcome = tap_.Install(env, kind, loopers_);
    if (outcome.status != Status::kUnavailable) break;
  }
  return outcome;
}

uint64_t TapKeeper::NextCheckNs(uint64_t now_ns) const {
  if (kind() == TapKind::kNone || kind() == TapKind::kPoll) return UINT64_MAX;
  const uint64_t next_ns = checked_ns_ + interval_ns_;
  return now_ns < next_ns ? next_ns - now_ns : 0;
}

std::string TapKeeper::Check(JNIEnv* env, uint64_t now_ns) {
  if (NextCheckNs(now_ns) > 0) return {};
  const uint64_t begun = loopers_->main().thread.message.begun.load(std::memory_order_relaxed);
  checked_ns_ = now_ns;
  interval_ns_ = begun != begun_ ? kCheckNs : std::min(2 * interval_ns_, kMaxCheckNs);
  begun_ = begun;
  if (tap_.IsInForce(env)) {
    replaced_ns_ = 0;
    return {};
  }
  interval_ns_ = kCheckNs;
  if (replaced_ns_ == 0 || begun != begun_then_) {
    replaced_ns_ = now_ns;
    begun_then_ = begun;
    return {};
  }
  const TapKind lost = kind();
  if (returns_ < kMaxReturns) {
    if (!tap_.Install(env, lost, loopers_).ok()) return {};
    ++returns_;
    replaced_ns_ = 0;
    return std::string("another component had replaced the ") + TapName(lost) +
           " tap: it is around that one now";
  }
  const auto next = static_cast<TapKind>(static_cast<int>(lost) + 1);
  if (!InstallFrom(env, next).ok()) {
    interval_ns_ = kMaxCheckNs;
    return {};
  }
  replaced_ns_ = 0;
  return std::string("another component keeps replacing the ") + TapName(lost) +
         " tap: it has the place, and the tap is a " + TapName(kind()) + " now";
}

}  // namespace stillframe::tap
