// SPDX-License-Identifier: Apache-2.0
// Finds the dex files of the boot class path, by whose numbers code that was compiled ahead of time
// names the methods of the platform that are inlined into it (ART 13 and later).
#pragma once

#include <jni.h>

#include "src/walk/runtime_facts.h"

namespace stillframe::art {

// `runtime`: the art::Runtime*. Where they are not found, or no method is named by such a number,
// nothing changes.
// Context: start-up, a thread that is attached to the VM
void ProbeBootClassPath(JNIEnv* env, uintptr_t runtime, walk::RuntimeFacts* facts);

}  // namespace stillframe::art
