// SPDX-License-Identifier: Apache-2.0
// The taps on a Looper's messages, behind one interface: Observer, Printer and probe.
//
// The Observer sees all Loopers of the process, with each message's identity. The Printer sees the
// main one, as text. Each forwards to the component that held its place before. If the Printer's
// place cannot be read, ours is set only where public API shows that there is none. The probe has
// no place in the Looper: messages of its own show when the message before them ended.
// Context: collector, a natively attached thread without managed callers: ART's hidden-API check
// trusts it, so that Looper.Observer can be reached (AOSP 10-14 runtime/hidden_api.cc)
#pragma once

#include <jni.h>

#include "src/model/outcome.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::tap {

enum class TapKind { kNone, kObserver, kPrinter, kProbe };
const char* TapName(TapKind kind);
// Text on the losses of this kind: the facts that it does not see; "": none.
const char* TapLosses(TapKind kind);

class Tap {
 public:
  // Loads the embedded dex file through an in-memory class loader.
  model::Outcome LoadClasses(JNIEnv* env);

  // stillframe.SelfCheck; valid until the process ends.
  jclass self_check() const { return self_check_; }

  // Installs a tap of this kind around the component in its place; calls of the previous tap no
  // longer count. kTooEarly: no main Looper yet; kUnavailable: the platform has no such place.
  model::Outcome Install(JNIEnv* env, TapKind kind, WatchedLoopers* loopers);

  // Whether the last installed tap still holds its place on the main Looper. For a place that
  // cannot be read: whether it did by the last answer; a new question is on its way.
  bool IsInForce(JNIEnv* env);
  // Its last question has no answer yet.
  bool lacks_answer() const { return lacks_answer_; }

  // Only with a kProbe: sends a message to the main Looper's queue, unless one waits there.
  void SendProbe(JNIEnv* env) { Send(env, number_, false); }

  // `poll_ns`: when the main thread was last seen in its poll. A message that waited then is lost.
  void KnowPoll(uint64_t poll_ns) { poll_ns_ = poll_ns; }

  TapKind kind() const { return kind_; }
  // The last probe was taken from the queue and never ran.
  bool has_lost_probe() const;
  // The first tap waits for the answer of a probe.
  bool is_waiting() const { return kind_ == TapKind::kNone && sent_ns_ != 0; }
  // A Printer whose place cannot be read.
  bool is_blind() const { return kind_ == TapKind::kPrinter && place_ == nullptr; }

 private:
  model::Outcome InstallKind(JNIEnv* env, TapKind kind);
  model::Outcome InstallObserver(JNIEnv* env);
  model::Outcome InstallPrinter(JNIEnv* env);
  model::Outcome InstallPrinterByProbe(JNIEnv* env);
  model::Outcome InstallProbe(JNIEnv* env);
  jint Send(JNIEnv* env, uint32_t number, bool with_printer);
  model::Outcome FindMainLooper(JNIEnv* env, jobject* main) const;
  jobject PutPrinterOn(JNIEnv* env, jobject looper);
  jclass LoadClass(JNIEnv* env, const char* name) const;
  bool RegisterNatives(JNIEnv* env);
  void SetFrameClass(JNIEnv* env, jclass tap) const;

  jobject loader_ = nullptr;  // global reference, like those below
  jclass self_check_ = nullptr;
  uint32_t number_ = 0;  // of the last installed tap
  TapKind kind_ = TapKind::kNone;
  jclass looper_class_ = nullptr;
  jclass probe_class_ = nullptr;
  jfieldID place_ = nullptr;  // Looper.sObserver or Looper.mLogging; null: there is none
  jobject main_looper_ = nullptr;
  jobject installed_ = nullptr;
  uint64_t sent_ns_ = 0;  // when the last probe was sent that may wait
  uint64_t poll_ns_ = 0;
  bool lacks_answer_ = false;
};

}  // namespace stillframe::tap
