// SPDX-License-Identifier: Apache-2.0
// Files that nobody but this application may have written.
// Context: any thread but the watched one; blocks on system calls
#pragma once

#include <sys/stat.h>

#include <string>

namespace stillframe::os {

// Whether others may have written the open file, of which `*facts` tells; from now on they may not.
// Where a file system gives all files one mode, as that of shared storage does, the mode says
// nothing, and this is false.
bool WasOpenToOthers(int fd, struct stat* facts);

// Why others than this application, root and adb's shell may write the open file, for a message:
// "its mode is 0666, others may write it: chmod go-w". "" where they may not, or where the file
// system gives all files one mode (linux/magic.h; AOSP's kernel/common, fs/sdcardfs).
std::string WhyOthersMayWrite(int fd);

}  // namespace stillframe::os
