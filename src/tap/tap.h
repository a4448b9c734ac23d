// SPDX-License-Identifier: Apache-2.0
// The ways to learn of a Looper's messages, behind one interface: Observer, Printer.
//
// The Observer sees all Loopers of the process and gives each message's identity; the Printer the
// main one, as text. Each passes on to whatever held its place before.
// Context: collector, a natively attached thread without managed callers: ART's hidden-API check
// trusts it, so that Looper.Observer can be reached (AOSP 10-14 runtime/hidden_api.cc)
#pragma once

#include <jni.h>

#include "src/model/outcome.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::tap {

enum class TapKind { kNone, kObserver, kPrinter };
const char* TapName(TapKind kind);

class Tap {
 public:
  // Loads the embedded dex file through an in-memory class loader.
  model::Outcome LoadClasses(JNIEnv* env);

  // stillframe.SelfCheck; valid for the life of the process.
  jclass self_check() const { return self_check_; }

  // Puts a tap of this kind in force, around the component that holds the place; the one before it
  // counts no more. kTooEarly: the main Looper does not exist yet; kUnavailable: the platform has
  // no such place.
  model::Outcome Install(JNIEnv* env, TapKind kind, WatchedLoopers* loopers);

  // Whether the tap installed last still holds its place on the main looper.
  bool IsInForce(JNIEnv* env) const;

  TapKind kind() const { return kind_; }

 private:
  model::Outcome InstallKind(JNIEnv* env, TapKind kind);
  model::Outcome InstallObserver(JNIEnv* env);
  model::Outcome InstallPrinter(JNIEnv* env);
  model::Outcome FindMainLooper(JNIEnv* env, jobject* main) const;
  jobject PutPrinterOn(JNIEnv* env, jobject looper);
  jclass LoadClass(JNIEnv* env, const char* name) const;
  bool RegisterNatives(JNIEnv* env);
  void SetFrameClass(JNIEnv* env, jclass tap) const;

  jobject loader_ = nullptr;  // global references, as all below
  jclass self_check_ = nullptr;
  uint32_t number_ = 0;  // of the tap installed last
  TapKind kind_ = TapKind::kNone;
  jclass looper_class_ = nullptr;
  jfieldID place_ = nullptr;  // Looper.sObserver or Looper.mLogging
  jobject main_looper_ = nullptr;
  jobject installed_ = nullptr;
};

}  // namespace stillframe::tap
