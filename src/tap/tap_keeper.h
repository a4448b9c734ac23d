// SPDX-License-Identifier: Apache-2.0
// Chooses the tap, and restores it when other components take its place.
//
// A component that replaces our tap usually calls it; then nothing needs to be done. If the main
// thread runs and no message is seen, we put a tap around that component, at most kMaxReturns
// times: we do not fight for the place. Then the next kind of tap is tried. Around a component that
// cannot be read nothing is put.
// Remaining risk: while the main thread runs outside messages, a chained tap looks like a lost one.
// A second tap of ours around it is harmless, since only one of them counts.
// Context: collector
#pragma once

#include <jni.h>

#include <string>

#include "src/settings/choices.h"
#include "src/tap/tap.h"

namespace stillframe::tap {

class TapKeeper {
 public:
  static constexpr int kMaxReturns = 3;
  static constexpr int kMostFailures = 3;

  // Both must outlive this.
  TapKeeper(Tap* tap, WatchedLoopers* loopers) : tap_(*tap), loopers_(loopers) {}
  void Start(settings::TapChoice choice) { choice_ = choice; }
  TapKind kind() const { return tap_.kind(); }
  bool wants_tap() const { return kind() == TapKind::kNone && !has_given_up(); }
  // No tap is wanted, or the platform has no place for one.
  bool has_given_up() const {
    return failures_ == kMostFailures || choice_ == settings::TapChoice::kNone;
  }
  // The last try found no place for a tap.
  bool has_failed() const { return failures_ != 0; }

  // Installs the first kind of tap that the choice allows and the platform has. Only if wants_tap.
  model::Outcome Install(JNIEnv* env);

  bool can_be_replaced() const {
    return kind() == TapKind::kObserver || kind() == TapKind::kPrinter;
  }
  // The main thread ran without a message: checks whether the tap is still in force, and replaces
  // it if not. Calls the VM, so not during a hang.
  struct Checked {
    bool was_lost = false;
    std::string news;  // what was done, for the log; "": nothing
  };
  Checked Check(JNIEnv* env);

 private:
  model::Outcome InstallFrom(JNIEnv* env, TapKind first);

  Tap& tap_;
  settings::TapChoice choice_ = settings::TapChoice::kNone;
  WatchedLoopers* loopers_;
  int returns_ = 0;
  int failures_ = 0;  // consecutive
};

}  // namespace stillframe::tap
