// SPDX-License-Identifier: Apache-2.0
// Whether the system considers this process not responding. Known some time after the signal, it
// distinguishes an ANR from a request for traces.
// Source: AOSP 8 to 14, core/java/android/app/ActivityManager.java: getProcessesInErrorState,
// ProcessErrorStateInfo, NOT_RESPONDING 2.
// Context: a thread that may be held up; the call goes to the system's process
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>

namespace stillframe::jvm {

struct ErrorState {
  std::string absent;  // why it cannot be read; "": it was read
  bool is_not_responding = false;
  // As ProcessErrorStateRecord.appNotResponding sets shortMsg and tag:
  std::string reason;     // "ANR Input dispatching timed out (...)"
  std::string component;  // the activity concerned; "": none
};

ErrorState ReadErrorState(JNIEnv* env, int32_t pid);

}  // namespace stillframe::jvm
