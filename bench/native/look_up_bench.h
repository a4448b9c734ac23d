// SPDX-License-Identifier: Apache-2.0
// Natives of bench.LookUps: instructions of one library look-up.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

// Reports 30 libraries, 400 libraries, and the ratio. Call after PrepareSampler.
void MeasureLookUps(JNIEnv* env, jclass natives);

}  // namespace bench
