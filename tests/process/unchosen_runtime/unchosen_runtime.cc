// SPDX-License-Identifier: Apache-2.0
// Replaces libnativehelper of Android 11, which aborts a process that asks for the VM before it has
// chosen a runtime (libnativehelper/JniInvocation.c).
#include <stdio.h>
#include <stdlib.h>

extern "C" __attribute__((visibility("default"))) int JNI_GetCreatedJavaVMs(void**, int, int*) {
  fputs("Failed to create JniInvocation instance\n", stderr);
  abort();
}
