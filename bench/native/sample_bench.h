// SPDX-License-Identifier: Apache-2.0
// Natives of bench.Samples: the cost of one sample of the main thread's stack, by each method.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

void PrepareSampler(JNIEnv* env, jclass natives);
void MeasureSamples(JNIEnv* env, jclass natives, jint depth, jboolean ours_only);
// Measures a stack deeper than a sample can hold. `tag` becomes part of the rows' names.
void MeasureDeep(JNIEnv* env, jclass natives, jint depth, jstring tag);
void StartCallers(JNIEnv* env, jclass natives);
void ReportGaps(JNIEnv* env, jclass natives, jint depth, jlongArray gaps, jint count);

}  // namespace bench
