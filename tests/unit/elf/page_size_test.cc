// SPDX-License-Identifier: Apache-2.0
// Gives the code under test pages of 16 KiB, as Android 15 devices may have: sysconf tells the
// size, and mprotect refuses other places. qemu-user keeps the pages of the machine.
#include <dlfcn.h>
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "src/elf/import_slot.h"

namespace {

constexpr uintptr_t kLargePage = 16 << 10;
bool g_pages_are_large = false;

template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// The program's definitions go before those of the C library.
extern "C" {

[[gnu::visibility("default")]] long sysconf(int name) noexcept {
  if (g_pages_are_large && name == _SC_PAGESIZE) return kLargePage;
  return Real<long (*)(int)>("sysconf")(name);
}

[[gnu::visibility("default")]] int mprotect(void* address, size_t bytes, int protection) noexcept {
  if (g_pages_are_large && reinterpret_cast<uintptr_t>(address) % kLargePage != 0) {
    errno = EINVAL;
    return -1;
  }
  return Real<int (*)(void*, size_t, int)>("mprotect")(address, bytes, protection);
}

}  // extern "C"

namespace stillframe::elf {
namespace {

TEST(PageSize, AnImportSlotIsSetInTheMiddleOfALargePage) {
  constexpr size_t kBytes = 4 * kLargePage;
  void* const memory =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const uintptr_t page = (reinterpret_cast<uintptr_t>(memory) + kLargePage - 1) & ~(kLargePage - 1);
  auto* const slot = reinterpret_cast<uintptr_t*>(page + kLargePage + 4096 + 8 * sizeof(uintptr_t));
  *slot = 7;
  ASSERT_EQ(mprotect(memory, kBytes, PROT_READ), 0);
  g_pages_are_large = true;
  EXPECT_EQ(mprotect(reinterpret_cast<void*>(page + 4096), 4096, PROT_READ), -1);
  EXPECT_TRUE(SetImportSlot(slot, 7, 9));
  g_pages_are_large = false;
  EXPECT_EQ(*slot, 9U);
  munmap(memory, kBytes);
}

}  // namespace
}  // namespace stillframe::elf
