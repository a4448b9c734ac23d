// SPDX-License-Identifier: Apache-2.0
// Preloaded before the profiler: makes files below STALL_FOLDER slow, and hides /proc. STALL_OPEN
// and STALL_WRITE are delays in seconds before a file is opened for writing, or written to. With
// HIDE_PROC nothing below /proc can be opened. glibc only.
// Context: any thread
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

std::atomic<int> g_stalled_fd{-1};

bool IsBelow(const char* path, const char* folder) {
  return folder != nullptr && path != nullptr && strncmp(path, folder, strlen(folder)) == 0;
}

bool IsHidden(const char* path) {
  return getenv("HIDE_PROC") != nullptr && IsBelow(path, "/proc/");
}

void Stall(const char* variable) {
  const char* seconds = getenv(variable);
  if (seconds == nullptr) return;
  timespec left = {atoi(seconds), 0};
  while (nanosleep(&left, &left) != 0) {
  }
}

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

template <typename Open>
int OpenWith(const char* name, const char* path, int flags, mode_t mode, const Open& next) {
  if (IsHidden(path)) {
    errno = EACCES;
    return -1;
  }
  const bool is_stalled = IsBelow(path, getenv("STALL_FOLDER")) && (flags & O_ACCMODE) != O_RDONLY;
  if (is_stalled) Stall("STALL_OPEN");
  const int fd = next(name, path, flags, mode);
  if (is_stalled) g_stalled_fd = fd;
  return fd;
}

int NextOpen(const char* name, const char* path, int flags, mode_t mode) {
  return Next<int (*)(const char*, int, ...)>(name)(path, flags, mode);
}

mode_t ModeOf(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenWith("open", path, flags, mode, NextOpen);
}

__attribute__((visibility("default"))) int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenWith("open64", path, flags, mode, NextOpen);
}

__attribute__((visibility("default"))) DIR* opendir(const char* path) {
  if (IsHidden(path)) {
    errno = EACCES;
    return nullptr;
  }
  return Next<DIR* (*)(const char*)>("opendir")(path);
}

__attribute__((visibility("default"))) FILE* fopen(const char* path, const char* mode) {
  if (IsHidden(path)) {
    errno = EACCES;
    return nullptr;
  }
  return Next<FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void* bytes, size_t count) {
  if (fd >= 0 && fd == g_stalled_fd) Stall("STALL_WRITE");
  return Next<ssize_t (*)(int, const void*, size_t)>("write")(fd, bytes, count);
}

}  // extern "C"
