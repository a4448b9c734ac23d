// SPDX-License-Identifier: Apache-2.0
// Natives of bench.InSitu: samples as in a real run, about 100 a second among other work.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

// Loads every library of a folder, and gives each a row in the sampler's modules.
void LoadLibraries(JNIEnv* env, jclass natives, jstring folder);

// Starts a timer on this thread's CPU clock. Its signals alternate between our sample and an empty
// handler with the same two clock reads.
void StartInSitu(JNIEnv* env, jclass natives, jint depth);

// Drains the samples, each `depth` frames deep, or one more for a method that it calls. False when
// there are enough; the rows are then written, with `tag` in their names. `walked_bytes`: bytes
// that the thread read since the start.
jboolean InSituGoesOn(JNIEnv* env, jclass natives, jlong walked_bytes, jstring tag);

}  // namespace bench
