// SPDX-License-Identifier: Apache-2.0
// An application that closes descriptors which are not its own, and gets their numbers for its own
// files, as by a double close. Context: natives of Descriptors.java
#include <fcntl.h>
#include <jni.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view kText = "the application's own bytes";

// The file now open under a descriptor that was ours, and its other end.
struct Taken {
  int fd;
  int other;
  std::string path;
};
std::vector<Taken> g_taken;

void TakeNumber(int from, int fd) {
  if (from == fd) return;  // the lowest that is free
  if (dup2(from, fd) != fd) _exit(95);
  close(from);
}

void WriteText(int fd) {
  if (write(fd, kText.data(), kText.size()) != static_cast<ssize_t>(kText.size())) _exit(94);
}

}  // namespace

extern "C" {

// "close", "file", "pipe" or "socket": what is under `fd` afterwards.
JNIEXPORT void JNICALL Java_Descriptors_take(JNIEnv* env, jclass, jstring as, jint fd) {
  const std::string_view what = env->GetStringUTFChars(as, nullptr);
  close(fd);
  if (what == "close") return;
  if (what == "file") {
    char path[] = "/tmp/descriptors_XXXXXX";
    TakeNumber(mkstemp(path), fd);
    WriteText(fd);
    lseek(fd, 0, SEEK_SET);
    g_taken.push_back({fd, -1, path});
    return;
  }
  int ends[2];
  if ((what == "pipe" ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) != 0) _exit(93);
  TakeNumber(ends[0], fd);
  WriteText(ends[1]);
  g_taken.push_back({fd, ends[1], ""});
}

// Leaks descriptors until the process has no more.
JNIEXPORT void JNICALL Java_Descriptors_leak(JNIEnv*, jclass) {
  while (dup(STDERR_FILENO) >= 0) {
  }
}

// How many of them are not as the application left them.
JNIEXPORT jint JNICALL Java_Descriptors_changed(JNIEnv*, jclass) {
  int changed = 0;
  for (const Taken& taken : g_taken) {
    char text[256] = "";
    const ssize_t bytes =
        taken.other < 0 ? pread(taken.fd, text, sizeof text, 0) : read(taken.fd, text, sizeof text);
    const bool is_moved = taken.other < 0 && lseek(taken.fd, 0, SEEK_CUR) != 0;
    int written = 0;  // into the socket's other end
    if (taken.other >= 0) ioctl(taken.other, FIONREAD, &written);
    if (bytes == static_cast<ssize_t>(kText.size()) && kText == text && !is_moved && written == 0)
      continue;
    printf("under %d there are %zd bytes, and %d came through\n", taken.fd, bytes, written);
    ++changed;
    if (!taken.path.empty()) unlink(taken.path.c_str());
  }
  fflush(stdout);
  return changed;
}

}  // extern "C"
