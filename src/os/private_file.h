// SPDX-License-Identifier: Apache-2.0
// Files that nobody but this application may have written.
// Context: any thread but the watched one; blocks on system calls
#pragma once

#include <sys/stat.h>

namespace stillframe::os {

// Whether others may have written the open file, of which `*facts` tells; from now on they may not.
// Where a file system gives all files one mode, as that of shared storage does, the mode says
// nothing, and this is false.
bool WasOpenToOthers(int fd, struct stat* facts);

}  // namespace stillframe::os
