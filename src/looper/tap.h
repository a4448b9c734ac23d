// Installs the taps' Java classes and connects them to a recorder.
// Context: start-up only, on a natively attached thread without managed callers: ART's hidden-API check
// trusts it, so that Looper.Observer can be reached (AOSP 10-14 runtime/hidden_api.cc)
#pragma once

#include <jni.h>

#include <string>

#include "src/looper/recorder.h"

namespace stillframe::looper {

enum class TapKind { kNone, kObserver, kPrinter };
const char* TapName(TapKind kind);

class Tap {
 public:
  // Loads the embedded dex file through an in-memory class loader. On failure returns false and one
  // line in `why`.
  bool LoadClasses(JNIEnv* env, std::string* why);

  // stillframe.SelfCheck; valid for the life of the process.
  jclass self_check() const { return self_check_; }

  // Looper.Observer: one for all loopers of the process, in force from the next message on. False
  // when the platform has none or another component holds it.
  bool InstallObserver(JNIEnv* env, Recorder* recorder, std::string* why);

  // A Printer on the main looper, which passes every line on to the one before it. False, with an
  // empty `why`, while the main looper does not exist.
  bool InstallPrinter(JNIEnv* env, Recorder* recorder, std::string* why);

 private:
  jclass LoadClass(JNIEnv* env, const char* name);
  bool RegisterNatives(JNIEnv* env);

  jobject loader_ = nullptr;  // global reference
  jclass self_check_ = nullptr;
};

}  // namespace stillframe::looper
