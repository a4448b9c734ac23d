// SPDX-License-Identifier: Apache-2.0
// The libraries of this very process, and names that the dynamic linker has for their code too.
#include "src/native/library_list.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <string>

#include "src/elf/loaded_modules.h"

namespace stillframe::native {

// Among the dynamic symbols of this program.
extern "C" int sf_native_test_function(int value);
extern "C" [[gnu::noinline, gnu::visibility("default")]] int sf_native_test_function(int value) {
  volatile int sink = value;
  return sink + 1;
}

namespace {

[[gnu::noinline, maybe_unused]] int NotExported(int value) {
  volatile int sink = value;
  return sink + 2;
}

const model::Module* Holding(const LibraryList& list, uintptr_t address) {
  for (const model::Module& module : list.libraries())
    if (address >= module.begin && address < module.end) return &module;
  return nullptr;
}

class LibraryListTest : public testing::Test {
 protected:
  void SetUp() override {
    elf::OpenLoadedModules(&modules_);
    list_.Read(modules_);
  }
  std::string NameOf(uintptr_t pc) const {
    model::NativeFrame frame = list_.Place(pc);
    list_.Name({&frame, 1});
    return frame.symbol;
  }

  unwind::CodeModules modules_;
  LibraryList list_;
};

TEST_F(LibraryListTest, LibrariesHaveTheirPathsAndBuildIds) {
  const auto code = reinterpret_cast<uintptr_t>(&random);
  const model::Module* const libc = Holding(list_, code);
  ASSERT_NE(libc, nullptr);
  EXPECT_NE(libc->path.find("libc"), std::string::npos) << libc->path;
  EXPECT_GE(libc->build_id.size(), 16U);
  EXPECT_EQ(libc->build_id.find_first_not_of("0123456789abcdef"), std::string::npos);
  Dl_info info = {};
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(code), &info), 0);
  EXPECT_EQ(libc->bias, reinterpret_cast<uintptr_t>(info.dli_fbase));
  EXPECT_TRUE(std::is_sorted(list_.libraries().begin(), list_.libraries().end(),
                             [](const auto& a, const auto& b) { return a.end <= b.begin; }));
}

#if STILLFRAME_NATIVE_NAMES
TEST_F(LibraryListTest, CodeHasTheNameThatItsLibraryHasForIt) {
  EXPECT_EQ(NameOf(reinterpret_cast<uintptr_t>(&random) + 1), "random");
  EXPECT_EQ(NameOf(reinterpret_cast<uintptr_t>(&sf_native_test_function)),
            "sf_native_test_function");
  EXPECT_EQ(sf_native_test_function(1), 2);
}

// The program's own symbols, which are not among the dynamic ones.
TEST_F(LibraryListTest, FilesNameWhatMemoryDoesNot) {
  const auto hidden = reinterpret_cast<uintptr_t>(&NotExported);
  EXPECT_EQ(NotExported(1), 3);
  EXPECT_EQ(NameOf(hidden), "");
  FileSymbols files;
  list_.UseFiles(&files);
  EXPECT_EQ(NameOf(hidden), "");  // not open
  EXPECT_FALSE(files.Open("libstillframe-has-none.so"));
#if !defined(STILLFRAME_LIBELF)
  GTEST_SKIP() << "a build without libelf";
#endif
  ASSERT_TRUE(files.Open());
  EXPECT_NE(NameOf(hidden).find("NotExported"), std::string::npos) << NameOf(hidden);
  EXPECT_EQ(NameOf(reinterpret_cast<uintptr_t>(&sf_native_test_function)),
            "sf_native_test_function");
  // A build id of another build, or none.
  std::string name;
  const FileSymbols::Place place = {list_.Place(hidden).address, &name};
  for (const char* build_id : {"0123456789abcdef", ""})
    files.Name("/proc/self/exe", build_id, {&place, 1});
  files.Name("/proc/self/status", "0123456789abcdef", {&place, 1});
  files.Name("/none", "0123456789abcdef", {&place, 1});
  EXPECT_EQ(name, "");
}

TEST_F(LibraryListTest, FramesAreNamedWhateverTheirOrder) {
  const auto function = reinterpret_cast<uintptr_t>(&sf_native_test_function);
  const auto other = reinterpret_cast<uintptr_t>(&random);
  std::vector<model::NativeFrame> frames;
  for (const uintptr_t pc : {other + 2, function, other, uintptr_t{16}, function + 1})
    frames.push_back(list_.Place(pc));
  list_.Name(frames);
  EXPECT_EQ(frames[0].symbol, "random");
  EXPECT_EQ(frames[1].symbol, "sf_native_test_function");
  EXPECT_EQ(frames[2].symbol, "random");
  EXPECT_EQ(frames[3].symbol, "");
  EXPECT_EQ(frames[4].symbol, "sf_native_test_function");
}
#endif

TEST_F(LibraryListTest, WhatIsInNoLibraryHasItsAddressOnly) {
  int local = 0;
  const auto address = reinterpret_cast<uintptr_t>(&local);
  const model::NativeFrame frame = list_.Place(address);
  EXPECT_EQ(frame.module, 0U);
  EXPECT_EQ(frame.address, address);
  EXPECT_EQ(NameOf(address), "");
  EXPECT_EQ(list_.Place(0).module, 0U);
  EXPECT_EQ(list_.Place(UINTPTR_MAX).module, 0U);
}

// Bytes of a library that no function of its dynamic symbols covers: its ELF header.
TEST_F(LibraryListTest, NoNameIsInvented) {
  const model::Module* const libc = Holding(list_, reinterpret_cast<uintptr_t>(&random));
  ASSERT_NE(libc, nullptr);
  EXPECT_EQ(NameOf(static_cast<uintptr_t>(libc->begin) + 4), "");
}

TEST_F(LibraryListTest, TheKernelsLibraryIsOneOfThem) {
  const bool has_vdso =
      std::any_of(list_.libraries().begin(), list_.libraries().end(),
                  [](const model::Module& module) { return module.path == "[vdso]"; });
#if defined(__x86_64__)
  EXPECT_TRUE(has_vdso);
#else
  static_cast<void>(has_vdso);
#endif
}

}  // namespace
}  // namespace stillframe::native
