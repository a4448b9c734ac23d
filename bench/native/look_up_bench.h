// SPDX-License-Identifier: Apache-2.0
// Natives of bench.LookUps: instructions of one look-up of a library.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

// Among 30 libraries and among 400, and the ratio. Call after PrepareSampler.
void MeasureLookUps(JNIEnv* env, jclass natives);

}  // namespace bench
