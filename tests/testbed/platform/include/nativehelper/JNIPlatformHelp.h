// SPDX-License-Identifier: Apache-2.0
// Stands before libnativehelper's header of this name, which frameworks-base 14 includes: it needs
// the NDK's android/file_descriptor_jni.h. The natives that we compile call nothing of it.
#pragma once

#include <nativehelper/JNIHelp.h>
