// SPDX-License-Identifier: Apache-2.0
// A call between two libraries is led through a function here, with slots that are bound lazily and
// writable, and with slots that are bound and protected at load, as on Android.
#include "src/elf/import_slot.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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
  const ImportSlot slot = FindImportSlot(name.c_str(), "stillframe_fixture_write");
  ASSERT_NE(slot.at, nullptr);
  EXPECT_EQ(call("hello", 5), 6);
  const uintptr_t original = *slot.at;
  const auto ours = reinterpret_cast<uintptr_t>(&SeeAndCall);
  g_original = reinterpret_cast<Call>(original);
  const std::string protection = ProtectionOf(slot.at);
  ASSERT_TRUE(SetImportSlot(slot, original, ours));
  EXPECT_EQ(ProtectionOf(slot.at), protection);
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

// Since Android 10 the APEX of ART has its own copies of libraries that the system has as well.
TEST(ImportSlotTest, OfSeveralCopiesTheOneInTheFolderIsFound) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::TempDir()) / ("copies-" + std::to_string(getpid()));
  const fs::path original = STILLFRAME_IMPORT_NOW;
  const std::string name = "/" + original.filename().string();
  std::vector<void*> libraries;
  for (const char* folder : {"system", "apex"}) {
    fs::create_directories(root / folder);
    fs::copy_file(original, root / folder / original.filename());
    libraries.push_back(dlopen((root / folder / original.filename()).c_str(), RTLD_NOW));
    ASSERT_NE(libraries.back(), nullptr) << dlerror();
  }
  for (size_t i = 0; i < libraries.size(); ++i) {
    const std::string folder = (root / (i == 0 ? "system" : "apex")).string() + "/";
    const ImportSlot slot = FindImportSlot(name.c_str(), "stillframe_fixture_write", folder);
    Dl_info of_slot = {};
    ASSERT_NE(slot.at, nullptr);
    ASSERT_NE(dladdr(slot.at, &of_slot), 0);
    EXPECT_EQ(std::string(of_slot.dli_fname), folder + name.substr(1));
  }
  EXPECT_EQ(FolderOfLibrary(name.c_str()), (root / "system").string() + "/") << "the first";
  EXPECT_NE(FindImportSlot(name.c_str(), "stillframe_fixture_write", "/nowhere/").at, nullptr);
  EXPECT_EQ(FolderOfLibrary("/libno-such.so"), "");
  for (void* library : libraries) dlclose(library);
  fs::remove_all(root);
}

TEST(ImportSlotTest, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(FindImportSlot("libno-such.so", "write").at, nullptr);
  EXPECT_EQ(FindImportSlot("libc.so.6", "no_such_function_at_all").at, nullptr);
}

}  // namespace
}  // namespace stillframe::elf
