// SPDX-License-Identifier: Apache-2.0
// Proves the layout in this process: walks a known stack of managed and native frames and compares
// each frame (class, method, file, line) with ART's own stack trace.
// Context: start-up only, on an attached thread
#pragma once

#include <jni.h>

#include "src/model/outcome.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

// `self_check`: the class stillframe.SelfCheck. Succeeds if every frame agrees; otherwise names the
// first difference. Also adds the runtime's code to `facts`, since that takes methods of a class of
// our own.
model::Outcome RunSelfCheck(JNIEnv* env, jclass self_check, walk::RuntimeFacts* facts);

}  // namespace stillframe::art
