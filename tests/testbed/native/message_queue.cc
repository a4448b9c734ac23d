// SPDX-License-Identifier: Apache-2.0
// android.os.MessageQueue: its mPtr is a Poller that Java owns through nativeInit/nativeDestroy.
// Context: nativePollOnce on the looper's thread, the rest on any thread.
#include <cstdint>

#include "tests/testbed/native/android_classes.h"
#include "tests/testbed/native/poller.h"
#include "tests/testbed/native/register_natives.h"

namespace testbed {
namespace {

Poller* FromPtr(jlong ptr) { return reinterpret_cast<Poller*>(static_cast<std::intptr_t>(ptr)); }

jlong NativeInit(JNIEnv*, jclass) { return reinterpret_cast<std::intptr_t>(new Poller); }

void NativeDestroy(JNIEnv*, jclass, jlong ptr) { delete FromPtr(ptr); }

void Call(JNIEnv* env, jobject callback) {
  jclass type = env->GetObjectClass(callback);
  const jmethodID run = env->GetMethodID(type, "run", "()V");
  env->CallVoidMethod(callback, run);
  env->DeleteLocalRef(type);
  env->DeleteGlobalRef(callback);
}

void NativePollOnce(JNIEnv* env, jobject, jlong ptr, jint timeout_ms) {
  FromPtr(ptr)->PollOnce(timeout_ms);
  if (void* callback = FromPtr(ptr)->TakeCallback()) Call(env, static_cast<jobject>(callback));
}

void NativeCallFromPoll(JNIEnv* env, jclass, jlong ptr, jobject callback) {
  FromPtr(ptr)->SetCallback(env->NewGlobalRef(callback));
  FromPtr(ptr)->Wake();
}

void NativeWake(JNIEnv*, jclass, jlong ptr) { FromPtr(ptr)->Wake(); }

jboolean NativeIsPolling(JNIEnv*, jclass, jlong ptr) {
  return FromPtr(ptr)->IsPolling() ? JNI_TRUE : JNI_FALSE;
}

}  // namespace

bool RegisterMessageQueue(JNIEnv* env) {
  return RegisterNatives(
      env, "android/os/MessageQueue",
      {Native("nativeInit", "()J", NativeInit), Native("nativeDestroy", "(J)V", NativeDestroy),
       Native("nativePollOnce", "(JI)V", NativePollOnce), Native("nativeWake", "(J)V", NativeWake),
       Native("nativeIsPolling", "(J)Z", NativeIsPolling),
       Native("nativeCallFromPoll", "(JLjava/lang/Runnable;)V", NativeCallFromPoll)});
}

}  // namespace testbed
