// SPDX-License-Identifier: Apache-2.0
// Files that only this application may have written.
// Context: any thread but the watched one; blocks on system calls
#pragma once

#include <sys/stat.h>

#include <string>

namespace stillframe::os {

// Whether others may have written the open file described by `*facts`; removes their write
// permission. False on file systems that give all files one mode, such as shared storage: there the
// mode says nothing.
bool WasOpenToOthers(int fd, struct stat* facts);

// Message on why users other than this application, root and adb's shell may write the open file.
// Example: "its mode is 0666, others may write it: chmod go-w". "" if they may not, or if the file
// system gives all files one mode (linux/magic.h; AOSP's kernel/common, fs/sdcardfs).
std::string WhyOthersMayWrite(int fd);

}  // namespace stillframe::os
