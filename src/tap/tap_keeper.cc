// SPDX-License-Identifier: Apache-2.0
#include "src/tap/tap_keeper.h"

#include "src/core/counters.h"

namespace stillframe::tap {
namespace {

using model::Outcome;
using model::Status;

// By how much they report, most first.
constexpr TapKind kKinds[] = {TapKind::kObserver, TapKind::kPrinter, TapKind::kProbe};

// A build for the public API alone leaves the Looper as it is, unless a tap is asked for.
#if defined(STILLFRAME_NO_HIDDEN_API)
constexpr TapKind kFirstOfAuto = TapKind::kProbe;
#else
constexpr TapKind kFirstOfAuto = TapKind::kObserver;
#endif

bool Allows(settings::TapChoice choice, TapKind kind) {
  switch (choice) {
    case settings::TapChoice::kAuto: return kind >= kFirstOfAuto;
    case settings::TapChoice::kObserver: return kind == TapKind::kObserver;
    case settings::TapChoice::kPrinter: return kind == TapKind::kPrinter;
    case settings::TapChoice::kProbe: return kind == TapKind::kProbe;
    case settings::TapChoice::kNone: return false;
  }
  return false;
}

}  // namespace

Outcome TapKeeper::Install(JNIEnv* env) {
  Outcome outcome = InstallFrom(env, TapKind::kObserver);
  failures_ = outcome.status == Status::kUnavailable ? failures_ + 1 : 0;
  return outcome;
}

Outcome TapKeeper::InstallFrom(JNIEnv* env, TapKind first) {
  Outcome outcome = {Status::kUnavailable, "no other kind of tap is allowed"};
  for (const TapKind kind : kKinds) {
    if (kind < first || !Allows(choice_, kind)) continue;
    outcome = tap_.Install(env, kind, loopers_);
    if (outcome.status != Status::kUnavailable) break;
  }
  return outcome;
}

TapKeeper::Checked TapKeeper::Check(JNIEnv* env) {
  if (tap_.IsInForce(env)) return {};
  const TapKind lost = kind();
  if (returns_ < kMaxReturns && !tap_.is_blind()) {
    if (!tap_.Install(env, lost, loopers_).ok()) return {true, ""};
    ++returns_;
    core::Counters::Add(Counter::kTapReturns);
    return {true, std::string("another component had replaced the ") + TapName(lost) +
                      " tap: ours now wraps it"};
  }
  const bool was_blind = tap_.is_blind();
  const auto next = static_cast<TapKind>(static_cast<int>(lost) + 1);
  if (!InstallFrom(env, next).ok()) return {true, ""};
  if (was_blind)
    return {true, std::string("the Looper has another Printer or none, and ours does not fight for "
                              "the place: the tap is a ") +
                      TapName(kind()) + " now"};
  return {true, std::string("another component keeps replacing the ") + TapName(lost) +
                    " tap: it has the place, and the tap is a " + TapName(kind()) + " now"};
}

}  // namespace stillframe::tap
