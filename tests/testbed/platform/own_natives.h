// SPDX-License-Identifier: Apache-2.0
// Natives of android.* that the test bed answers itself.
#pragma once

#include <jni.h>

namespace android {

// False, with a pending Java exception, when a class does not declare what is bound. Start-up only.
bool RegisterOwnNatives(JNIEnv* env);

}  // namespace android
