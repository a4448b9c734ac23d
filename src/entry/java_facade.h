// SPDX-License-Identifier: Apache-2.0
// The natives of dev.stillframe.Stillframe.
// Context: a Java thread
#pragma once

#include <jni.h>

namespace stillframe::entry {

// Registers them with the class that the calling thread's class loader has by that name, so that no
// name of a function and no name of the library counts. False, without an exception, where there is
// no such class, or it is of another version; the log tells the latter.
bool BindFacade(JNIEnv* env);

}  // namespace stillframe::entry
