// SPDX-License-Identifier: Apache-2.0
// Binds the natives of one android.* class each. Every function returns false with a pending Java
// exception when the class does not declare what is bound.
// Context: start-up only.
#pragma once

#include <jni.h>

namespace testbed {

bool RegisterLog(JNIEnv* env);
bool RegisterMessageQueue(JNIEnv* env);
bool RegisterProcess(JNIEnv* env);
bool RegisterSystemClock(JNIEnv* env);
bool RegisterSystemProperties(JNIEnv* env);

// The property's value, or `otherwise` if there is none. Any thread.
jstring GetProperty(JNIEnv* env, jstring key, jstring otherwise);

}  // namespace testbed
