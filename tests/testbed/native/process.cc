// SPDX-License-Identifier: Apache-2.0
// android.os.Process over the kernel's calls.
// Context: any thread.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tests/testbed/native/android_classes.h"
#include "tests/testbed/native/register_natives.h"

namespace testbed {
namespace {

void ThrowForErrno(JNIEnv* env, int error) {
  const bool refused = error == EPERM || error == EACCES;
  const jclass exception = env->FindClass(refused ? "java/lang/SecurityException"
                                                  : "java/lang/IllegalArgumentException");
  if (exception != nullptr) env->ThrowNew(exception, std::strerror(error));
}

jint MyPid(JNIEnv*, jclass) { return getpid(); }

jint MyTid(JNIEnv*, jclass) { return static_cast<jint>(syscall(SYS_gettid)); }

jint MyUid(JNIEnv*, jclass) { return static_cast<jint>(getuid()); }

void SetThreadPriority(JNIEnv* env, jclass, jint tid, jint priority) {
  if (setpriority(PRIO_PROCESS, static_cast<id_t>(tid), priority) != 0) ThrowForErrno(env, errno);
}

jint GetThreadPriority(JNIEnv* env, jclass, jint tid) {
  errno = 0;  // -1 is a priority too
  const int priority = getpriority(PRIO_PROCESS, static_cast<id_t>(tid));
  if (errno != 0) ThrowForErrno(env, errno);
  return priority;
}

}  // namespace

bool RegisterProcess(JNIEnv* env) {
  return RegisterNatives(
      env, "android/os/Process",
      {Native("myPid", "()I", MyPid), Native("myTid", "()I", MyTid), Native("myUid", "()I", MyUid),
       Native("setThreadPriority", "(II)V", SetThreadPriority),
       Native("getThreadPriority", "(I)I", GetThreadPriority)});
}

}  // namespace testbed
