// SPDX-License-Identifier: Apache-2.0
// Registrations of libcore's natives that are left out, by name.
#include <jni.h>

// For tests of ART itself; its source is not in the package.
void register_org_apache_harmony_dalvik_NativeTestTarget(JNIEnv*) {}
