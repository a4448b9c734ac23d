// SPDX-License-Identifier: Apache-2.0
// libartpalette of a device: takes the traces. Context: Signal Catcher
#include <stdint.h>
#include <stdio.h>

extern "C" [[gnu::visibility("default")]] int32_t PaletteWriteCrashThreadStacks(const char* stacks,
                                                                                size_t length) {
  fprintf(stderr, "palette: %zu bytes\n", length);
  fwrite(stacks, 1, length, stderr);
  return 0;
}
