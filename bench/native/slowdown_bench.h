// SPDX-License-Identifier: Apache-2.0
// Natives of bench.Slowdown: the work of a main thread with and without samples.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

jint SlowdownPairs(JNIEnv* env, jclass natives);

// Through the preloaded profiler's C API.
void SetSampling(JNIEnv* env, jclass natives, jboolean on);

jlong ThreadCpuNs(JNIEnv* env, jclass natives);

// CPU time of the same work, pair by pair, and of the thread while sampling was on.
void ReportSlowdown(JNIEnv* env, jclass natives, jlongArray without, jlongArray with,
                    jlong sampled_ns);

}  // namespace bench
