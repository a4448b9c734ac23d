// SPDX-License-Identifier: Apache-2.0
// Natives of bench.Slowdown: the work of a main thread with and without samples.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

jint SlowdownRounds(JNIEnv* env, jclass natives);

// Through the preloaded profiler's C API.
void SetSampling(JNIEnv* env, jclass natives, jboolean on);

// A timer of the bench's own on the calling thread, of the profiler's clock and interval, with a
// signal whose handler does nothing: what the machine takes for any timer.
void SetEmptySignals(JNIEnv* env, jclass natives, jboolean on);

jlong ThreadCpuNs(JNIEnv* env, jclass natives);

// CPU time of the same work, round by round, and of the thread while sampling was on.
void ReportSlowdown(JNIEnv* env, jclass natives, jlongArray quiet, jlongArray empty_signals,
                    jlongArray sampled, jlong all_sampled_ns);

}  // namespace bench
