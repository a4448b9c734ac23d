// SPDX-License-Identifier: Apache-2.0
#include "src/os/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "src/os/file_text.h"

namespace stillframe::os {
namespace {

// Up to `size` - 1 bytes of a file as text; false when it cannot be read.
bool ReadText(const char* path, char* text, size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t bytes = read(fd, text, size - 1);
  close(fd);
  if (bytes < 0) return false;
  text[bytes] = '\0';
  return true;
}

}  // namespace

int32_t FindThreadByName(const char* name) {
  std::vector<int32_t> tids;
  ReadFirstNumericNames("/proc/self/task", SIZE_MAX, &tids);
  for (const int32_t tid : tids)
    if (strncmp(ThreadName(tid).c_str(), name, 15) == 0) return tid;
  return 0;
}

std::string ThreadName(int32_t tid) {
  char path[64];
  char comm[32];
  snprintf(path, sizeof path, "/proc/self/task/%d/comm", tid);
  if (!ReadText(path, comm, sizeof comm)) return {};
  comm[strcspn(comm, "\n")] = '\0';
  return comm;
}

bool ThreadBlocks(int32_t tid, int signal) {
  char path[64];
  char text[2048];
  snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
  unsigned long long mask = 0;
  if (!ReadText(path, text, sizeof text)) return false;
  const char* line = strstr(text, "SigBlk:");
  return line != nullptr && sscanf(line, "SigBlk: %llx", &mask) == 1 &&
         (mask >> (signal - 1) & 1) != 0;
}

char SchedulerState(int32_t tid) {
  char path[64];
  char text[512];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
  // Without /proc, or without a free descriptor, the thread may still exist.
  if (!ReadText(path, text, sizeof text))
    return syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH ? 'X' : '?';
  // "tid (name) state ...": the name may contain any character.
  const char* name_end = strrchr(text, ')');
  return name_end != nullptr ? name_end[2] : '?';
}

bool ThreadHasEnded(int32_t tid) {
  const char state = SchedulerState(tid);
  return state == 'Z' || state == 'X';
}

AddressRange MainStack() {
  FILE* maps = fopen("/proc/self/maps", "re");
  if (maps == nullptr) return {};
  // The kernel puts these bytes above the first frame. The name [stack] is not reliable: a runtime
  // that protects stack pages splits it into several mappings, and qemu names the lowest one.
  const unsigned long top = getauxval(AT_RANDOM);
  AddressRange range;
  char line[512];
  while (fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && top >= begin && top < end)
      range = {begin, end};
  }
  fclose(maps);
  rlimit limit = {};
  if (range.end != 0 && getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < range.end) {
    const uintptr_t lowest = range.end - limit.rlim_cur;
    if (lowest < range.begin) range.begin = lowest;
  }
  return range;
}

std::string ProcessName() {
  char text[256];
  return ReadText("/proc/self/cmdline", text, sizeof text) ? text : "";
}

namespace {

bool HasMapped(pid_t pid, const char* file) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE* maps = fopen(path, "re");
  if (maps == nullptr) return false;
  char line[512];
  bool found = false;
  while (!found && fgets(line, sizeof line, maps) != nullptr) {
    const char* const name = strrchr(line, '/');
    found = name != nullptr && strncmp(name + 1, file, strlen(file)) == 0;
  }
  fclose(maps);
  return found;
}

// 0: unknown.
pid_t ParentOf(pid_t pid) {
  char path[64];
  char text[512];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  if (!ReadText(path, text, sizeof text)) return 0;
  // "pid (name) state parent ...": the name may contain any character.
  const char* const name_end = strrchr(text, ')');
  return name_end != nullptr && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

}  // namespace

bool IsBelowProcessWith(const char* file) {
  constexpr int kMostLevels = 8;
  pid_t pid = getppid();
  for (int i = 0; i < kMostLevels && pid > 1; ++i, pid = ParentOf(pid))
    if (HasMapped(pid, file)) return true;
  return false;
}

}  // namespace stillframe::os
