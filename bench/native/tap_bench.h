// SPDX-License-Identifier: Apache-2.0
// Natives of bench.Taps: the cost of a quick message under each tap.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

void PrepareTaps(JNIEnv* env, jclass natives, jstring how);
void BlockBegins(JNIEnv* env, jclass natives);
jboolean BlockEnds(JNIEnv* env, jclass natives, jint messages);

}  // namespace bench
