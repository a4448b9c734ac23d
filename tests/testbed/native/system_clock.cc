// SPDX-License-Identifier: Apache-2.0
// android.os.SystemClock over the kernel's clocks.
// Context: any thread.
#include <time.h>

#include "tests/testbed/native/android_classes.h"
#include "tests/testbed/native/register_natives.h"

namespace testbed {
namespace {

jlong ReadNs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return jlong{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

jlong ReadMs(clockid_t clock) { return ReadNs(clock) / 1'000'000; }

jlong UptimeMillis(JNIEnv*, jclass) { return ReadMs(CLOCK_MONOTONIC); }

jlong ElapsedRealtime(JNIEnv*, jclass) { return ReadMs(CLOCK_BOOTTIME); }

jlong ElapsedRealtimeNanos(JNIEnv*, jclass) { return ReadNs(CLOCK_BOOTTIME); }

jlong CurrentThreadTimeMillis(JNIEnv*, jclass) { return ReadMs(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

bool RegisterSystemClock(JNIEnv* env) {
  return RegisterNatives(env, "android/os/SystemClock",
                         {Native("uptimeMillis", "()J", UptimeMillis),
                          Native("elapsedRealtime", "()J", ElapsedRealtime),
                          Native("elapsedRealtimeNanos", "()J", ElapsedRealtimeNanos),
                          Native("currentThreadTimeMillis", "()J", CurrentThreadTimeMillis)});
}

}  // namespace testbed
