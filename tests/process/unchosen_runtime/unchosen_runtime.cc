// SPDX-License-Identifier: Apache-2.0
// Stands where libnativehelper does on Android 11: who asks it for the VM in a process that has not
// chosen a runtime yet is ended (libnativehelper/JniInvocation.c).
#include <stdio.h>
#include <stdlib.h>

extern "C" __attribute__((visibility("default"))) int JNI_GetCreatedJavaVMs(void**, int, int*) {
  fputs("Failed to create JniInvocation instance\n", stderr);
  abort();
}
