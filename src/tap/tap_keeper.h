// SPDX-License-Identifier: Apache-2.0
// Chooses the tap, and looks after it when other components want its place.
//
// Another component that replaces our tap usually calls it in turn: then all is well and nothing is
// done. Only when the main thread runs and no message is seen do we put a tap around theirs, and at
// most kMaxReturns times: we never fight for the place. The next kind of tap is tried after that.
// Surviving risk: while the main thread runs outside of messages, a chained tap looks like a lost
// one; a second tap of ours around it does no harm, since only one of them counts.
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
  // The platform has no place for a tap of the kind that is wanted, or none is.
  bool has_given_up() const {
    return failures_ == kMostFailures || choice_ == settings::TapChoice::kNone;
  }
  // The last try ended so.
  bool has_failed() const { return failures_ != 0; }

  // Installs the first kind of tap that the choice allows and the platform has; only while
  // wants_tap.
  model::Outcome Install(JNIEnv* env);

  bool can_be_replaced() const { return kind() != TapKind::kNone; }
  // The main thread ran and no message was seen: looks whether the tap is still in force, and does
  // something about it if not. Calls the VM, so not while a message hangs.
  struct Checked {
    bool was_lost = false;
    std::string news;  // what was done, for the log; "" when nothing was
  };
  Checked Check(JNIEnv* env);

 private:
  model::Outcome InstallFrom(JNIEnv* env, TapKind first);

  Tap& tap_;
  settings::TapChoice choice_ = settings::TapChoice::kNone;
  WatchedLoopers* loopers_;
  int returns_ = 0;
  int failures_ = 0;  // in a row
};

}  // namespace stillframe::tap
