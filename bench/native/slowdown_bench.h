// SPDX-License-Identifier: Apache-2.0
// Natives of bench.Slowdown: a main thread's work with and without samples.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

jint SlowdownRounds(JNIEnv* env, jclass natives);

// Uses the preloaded profiler's C API.
void SetSampling(JNIEnv* env, jclass natives, jboolean on);

// The bench's own timer on the calling thread, with the profiler's clock and interval and an empty
// handler: the cost of any such timer on this machine.
void SetEmptySignals(JNIEnv* env, jclass natives, jboolean on);

jlong ThreadCpuNs(JNIEnv* env, jclass natives);

// CPU time of the same work in each round, and the thread's CPU time while sampling was on.
void ReportSlowdown(JNIEnv* env, jclass natives, jlongArray quiet, jlongArray empty_signals,
                    jlongArray sampled, jlong all_sampled_ns);

}  // namespace bench
