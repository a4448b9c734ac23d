// SPDX-License-Identifier: Apache-2.0
// Replaces the part of a device's libart that calls libartpalette through its table of calls. At
// process start, the real libart's function of that name is redirected here. x86-64 only.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern "C" int32_t PaletteWriteCrashThreadStacks(const char* stacks, size_t length);

namespace {

int32_t CallPalette(const char* stacks, size_t length) {
  const int32_t result = PaletteWriteCrashThreadStacks(stacks, length);
  return result == 0 ? 0 : 1;  // keeps this from being a jump
}

// mov $CallPalette, %rax; jmp *%rax
struct [[gnu::packed]] Jump {
  uint8_t mov[2] = {0x48, 0xB8};
  uint64_t target = 0;
  uint8_t jmp[2] = {0xFF, 0xE0};
};

[[gnu::constructor]] void LeadHere() {
  // Behind libartpalette and this library the real libart is the next to have it.
  void* real = dlsym(RTLD_NEXT, "PaletteWriteCrashThreadStacks");
  if (real == nullptr) return;
  constexpr uintptr_t kPageBytes = 4096;
  const uintptr_t page = reinterpret_cast<uintptr_t>(real) & ~(kPageBytes - 1);
  if (mprotect(reinterpret_cast<void*>(page), 2 * kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC) !=
      0)
    abort();
  Jump jump;
  jump.target = reinterpret_cast<uintptr_t>(&CallPalette);
  memcpy(real, &jump, sizeof jump);
}

}  // namespace
