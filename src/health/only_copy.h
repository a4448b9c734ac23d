// SPDX-License-Identifier: Apache-2.0
// One profiler in a process, however many libraries have one inside.
//
// Problem: a copy that is linked into one SDK's library knows nothing of the one that another
// brings, or that was preloaded; two would install handlers and taps over each other, and lose each
// other's POSIX locks. Rule: whatever library has a copy has an ELF note as well, which leads to a
// word of that copy. Who starts sets its own word and then looks at those of all others, under the
// dynamic linker's lock: of several at once one finds none. Surviving risk: copies that
// dl_iterate_phdr does not show, such as those of another namespace of glibc's (dlmopen).
// Context: any thread but a signal handler
#pragma once

#include <string>

namespace stillframe::os {

// "": from here on until ReleaseProcess the process is this copy's. Otherwise the file of the
// library whose copy has it.
std::string ClaimProcess();
void ReleaseProcess();

}  // namespace stillframe::os
