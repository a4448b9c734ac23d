// SPDX-License-Identifier: Apache-2.0
// The natives of dev.stillframe.Stillframe.
// Context: a Java thread
#pragma once

#include <jni.h>

namespace stillframe::entry {

// Registers the natives with the class that the calling thread's class loader finds. So neither
// function names nor the library's name matter. False, without an exception, if the class is
// missing or of another version; the latter is logged.
bool BindFacade(JNIEnv* env);

}  // namespace stillframe::entry
