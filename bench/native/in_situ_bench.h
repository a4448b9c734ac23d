// SPDX-License-Identifier: Apache-2.0
// Natives of bench.InSitu: samples as they come in a real run, some 100 a second among other work.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

// Loads every library of a folder; each has a row in the sampler's modules from here on.
void LoadLibraries(JNIEnv* env, jclass natives, jstring folder);

// Starts a timer on the CPU clock of this thread. Its signals are in turns a sample of ours and an
// empty handler with the same two readings of the clock.
void StartInSitu(JNIEnv* env, jclass natives, jint depth);

// Takes the samples out of the ring, each `depth` frames deep or one of what it calls more. False
// when there are enough: then the rows are written, whose names have `tag`. `walked_bytes`: what
// the thread has read since the start.
jboolean InSituGoesOn(JNIEnv* env, jclass natives, jlong walked_bytes, jstring tag);

}  // namespace bench
