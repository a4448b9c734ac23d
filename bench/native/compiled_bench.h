// SPDX-License-Identifier: Apache-2.0
// Natives of bench.Samples: compiled methods to sample.
// Context: main thread
#pragma once

#include <jni.h>

namespace bench {

// `compiled` is bench.Compiled. Call after PrepareSampler.
void InstallCompiled(JNIEnv* env, jclass natives, jclass compiled);

}  // namespace bench
