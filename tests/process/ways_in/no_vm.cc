// SPDX-License-Identifier: Apache-2.0
// A program with the profiler inside in which no VM ever comes: it waits, says so, and ends.
#include <stdio.h>

#include <stillframe/profiler.h>

int main() {
  if (stillframe_configure("wait_vm_ms", "20") != STILLFRAME_OK) return 1;
  if (stillframe_start() != STILLFRAME_OK || stillframe_wait(60'000) != STILLFRAME_OK) return 2;
  puts(stillframe_state());
  if (stillframe_start() != STILLFRAME_NOT_STARTED) return 3;
  return stillframe_dump(nullptr, 0) == STILLFRAME_NOT_STARTED ? 0 : 4;
}
