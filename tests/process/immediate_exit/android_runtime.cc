// SPDX-License-Identifier: Apache-2.0
// Ends the process as System.exit of an application does: AndroidRuntime::exit, "cleanup skipped".
// Context: the Java thread that calls
#include <jni.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {

JNIEXPORT void JNICALL Java_EndsAtOnce_exit(JNIEnv*, jclass, jint status) { _exit(status); }

// A child that shares this process's memory ends so, and nothing of this process with it.
JNIEXPORT jint JNICALL Java_EndsAtOnce_exitOfChild(JNIEnv*, jclass, jint status) {
  const pid_t child = vfork();
  if (child == 0) _exit(status);
  int ended = 0;
  waitpid(child, &ended, 0);
  return WEXITSTATUS(ended);
}

}  // extern "C"
