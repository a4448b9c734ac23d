// SPDX-License-Identifier: Apache-2.0
// Proves the layout in this process: walks a known stack of managed and native frames and compares
// each frame (class, method, file, line) with what ART's own stack trace says.
// Context: start-up only, on an attached thread
#pragma once

#include <jni.h>

#include "src/model/outcome.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

// `self_check` is the class stillframe.SelfCheck. Fine when every frame agrees; else names the
// first frame that differs. Adds to `facts` where the runtime's code is, which takes methods of a
// class of our own.
model::Outcome RunSelfCheck(JNIEnv* env, jclass self_check, walk::RuntimeFacts* facts);

}  // namespace stillframe::art
