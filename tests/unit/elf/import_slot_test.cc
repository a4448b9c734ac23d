// SPDX-License-Identifier: Apache-2.0
// A call between two libraries is led through a function here, with slots that are bound lazily and
// writable, and with slots that are bound and protected at load, as on Android.
#include "src/elf/import_slot.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace stillframe::elf {
namespace {

using Call = int32_t (*)(const char*, size_t);

Call g_original = nullptr;
std::string g_seen;

int32_t SeeAndCall(const char* text, size_t length) {
  g_seen.assign(text, length);
  return g_original(text, length);
}

std::string ProtectionOf(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char protection[5] = "";
    if (sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, protection) == 3 &&
        reinterpret_cast<uintptr_t>(address) >= begin && reinterpret_cast<uintptr_t>(address) < end)
      return protection;
  }
  return "";
}

class ImportSlotTest : public testing::TestWithParam<const char*> {};

TEST_P(ImportSlotTest, LeadsTheCallThroughHereAndBack) {
  void* library = dlopen(GetParam(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto call = reinterpret_cast<Call>(dlsym(library, "stillframe_fixture_call"));
  ASSERT_NE(call, nullptr);
  const std::string path = GetParam();
  const std::string name = path.substr(path.rfind('/'));
  uintptr_t* slot = FindImportSlot(name.c_str(), "stillframe_fixture_write");
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(call("hello", 5), 6);
  const uintptr_t original = *slot;
  const auto ours = reinterpret_cast<uintptr_t>(&SeeAndCall);
  g_original = reinterpret_cast<Call>(original);
  const std::string protection = ProtectionOf(slot);
  ASSERT_TRUE(SetImportSlot(slot, original, ours));
  EXPECT_EQ(ProtectionOf(slot), protection);
  EXPECT_FALSE(SetImportSlot(slot, original, 1)) << "somebody else's is not overwritten";
  g_seen.clear();
  EXPECT_EQ(call("traces", 6), 7);
  EXPECT_EQ(g_seen, "traces");
  ASSERT_TRUE(SetImportSlot(slot, ours, original));
  g_seen.clear();
  EXPECT_EQ(call("again", 5), 6);
  EXPECT_EQ(g_seen, "");
  dlclose(library);
}

INSTANTIATE_TEST_SUITE_P(Libraries, ImportSlotTest,
                         testing::Values(STILLFRAME_IMPORT_LAZY, STILLFRAME_IMPORT_NOW));

TEST(ImportSlotTest, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(FindImportSlot("libno-such.so", "write"), nullptr);
  EXPECT_EQ(FindImportSlot("libc.so.6", "no_such_function_at_all"), nullptr);
}

}  // namespace
}  // namespace stillframe::elf
