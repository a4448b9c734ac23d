// SPDX-License-Identifier: Apache-2.0
// Ensures one profiler per process, even if several libraries contain one.
//
// Problem: copies in different libraries, or a preloaded one, do not know each other. Two would
// replace each other's handlers and taps, and lose each other's POSIX locks.
// Rule: each copy has an ELF note that leads to its word. A starting copy sets its own word, then
// checks all others under the dynamic linker's lock, so at most one of several wins.
// Remaining risk: copies that dl_iterate_phdr does not show, e.g. in another glibc namespace
// (dlmopen).
// Context: any thread but a signal handler
#pragma once

#include <string>

namespace stillframe::os {

// "": this copy owns the process until ReleaseProcess. Otherwise the path of the library whose copy
// does.
std::string ClaimProcess();
void ReleaseProcess();

}  // namespace stillframe::os
