// SPDX-License-Identifier: Apache-2.0
#include "src/os/private_file.h"

#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <initializer_list>

namespace stillframe::os {

bool WasOpenToOthers(int fd, struct stat* facts) {
  constexpr mode_t kOthers = 077;
  return (facts->st_mode & kOthers) != 0 && fchmod(fd, 0600) == 0 && fstat(fd, facts) == 0 &&
         (facts->st_mode & kOthers) == 0;
}

std::string WhyOthersMayWrite(int fd) {
  constexpr uid_t kShell = 2000;  // AID_SHELL of Android
  constexpr mode_t kOthersWrite = 022;
  struct stat facts = {};
  struct statfs system = {};
  if (fstat(fd, &facts) != 0 || fstatfs(fd, &system) != 0) return "fstat";
  // FUSE, sdcardfs, FAT, exFAT.
  for (const uint32_t one_mode : {0x65735546U, 0x5dca2df5U, 0x4d44U, 0x2011bab0U})
    if (static_cast<uint32_t>(system.f_type) == one_mode) return "";
  if (facts.st_uid != getuid() && facts.st_uid != 0 && facts.st_uid != kShell)
    return "it belongs to another user";
  if ((facts.st_mode & kOthersWrite) == 0) return "";
  char why[64];
  snprintf(why, sizeof why, "its mode is %04o, others may write it: chmod go-w",
           static_cast<unsigned>(facts.st_mode & 07777U));
  return why;
}

}  // namespace stillframe::os
