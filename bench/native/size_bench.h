// SPDX-License-Identifier: Apache-2.0
// Natives of bench.Sizes: samples of a changing stack, on their path from the ring through a tree
// into a dump. Context: main thread
#pragma once

#include <jni.h>

namespace bench {

void TakeSample(JNIEnv* env, jclass natives);
void EndTree(JNIEnv* env, jclass natives);
void ReportSizes(JNIEnv* env, jclass natives);

}  // namespace bench
