// SPDX-License-Identifier: Apache-2.0
// Sleeps of native code and the run-queue clock, for Sleepers.java. Each makes its system call once
// and says how it ended.
// Context: any Java thread
#include <jni.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace {

constexpr jlong kNsPerMs = 1'000'000;

timespec ToTimespec(jlong ms) { return {ms / 1'000, ms % 1'000 * kNsPerMs}; }

}  // namespace

extern "C" {

// How long the calling thread, ready to run, has waited for a CPU; 0 where the kernel does not
// tell.
JNIEXPORT jlong JNICALL Java_Sleepers_runQueueWaitNs(JNIEnv*, jclass) {
  FILE* file = fopen("/proc/thread-self/schedstat", "r");
  if (file == nullptr) return 0;
  long long ran_ns = 0;
  long long waited_ns = 0;
  const int found = fscanf(file, "%lld %lld", &ran_ns, &waited_ns);
  fclose(file);
  return found == 2 ? waited_ns : 0;
}

// 0, or errno.
JNIEXPORT jint JNICALL Java_Sleepers_nanosleep(JNIEnv*, jclass, jlong ms) {
  const timespec time = ToTimespec(ms);
  return nanosleep(&time, nullptr) == 0 ? 0 : errno;
}

// From a socket on which nothing arrives: 0 when the time-out ended it, else errno.
JNIEXPORT jint JNICALL Java_Sleepers_read(JNIEnv*, jclass, jlong ms) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  const timeval time = {ms / 1'000, ms % 1'000 * 1'000};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  char byte;
  const ssize_t bytes = read(ends[0], &byte, 1);
  const int error = bytes < 0 ? errno : EPROTO;
  close(ends[0]);
  close(ends[1]);
  return error == EAGAIN ? 0 : error;
}

JNIEXPORT jint JNICALL Java_Sleepers_poll(JNIEnv*, jclass, jlong ms) {
  return poll(nullptr, 0, static_cast<int>(ms)) == 0 ? 0 : errno;
}

}  // extern "C"
