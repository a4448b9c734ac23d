// SPDX-License-Identifier: Apache-2.0
// Ends the process at the right moment of exit(3). Android never unloads ART: its static objects
// must not be destroyed while daemon threads still use them, which crashes now and then. The
// dynamic linker runs this library's destructor after those of preloaded libraries and before
// libart's, because this library depends on libart.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

// Written by the exiting thread only.
int exit_status = EXIT_SUCCESS;

void RememberStatus(int status, void*) { exit_status = status; }

__attribute__((destructor)) void LeaveNow() {
  std::fflush(nullptr);
  _exit(exit_status);
}

}  // namespace

// Called by the launcher once ART runs.
extern "C" __attribute__((visibility("default"))) void KeepArtAtExit() {
  on_exit(RememberStatus, nullptr);
}
