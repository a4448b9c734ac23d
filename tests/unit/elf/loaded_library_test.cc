// SPDX-License-Identifier: Apache-2.0
// Symbols of libraries that dlsym(RTLD_DEFAULT) does not see.
#include "src/elf/loaded_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace stillframe::elf {
namespace {

// Lines in the form that Android 14's kernel prints.
constexpr std::string_view kMaps =
    "12c00000-2ac00000 rw-p 00000000 00:00 0                                  [anon:dalvik-main]\n"
    "70000000-70200000 r--p 00000000 07:40 31             "
    "/apex/com.android.art/lib64/libart.so\n"
    "70200000-70800000 r-xp 00200000 07:40 31             "
    "/apex/com.android.art/lib64/libart.so\n"
    "70800000-70810000 r--p 00800000 07:40 31             "
    "/apex/com.android.art/lib64/libart.so\n"
    "70810000-70811000 rw-p 00000000 00:00 0                                  [anon:.bss]\n"
    "70900000-70a00000 r--p 00000000 07:40 40             "
    "/apex/com.android.art/lib64/libartbase.so\n"
    "7ffc0000-7ffc1000 rw-p 00000000 00:00 0                                  [stack]\n";

TEST(LibraryInMaps, GivesAllMappingsOfTheFile) {
  const LoadedLibrary library = FindLibraryInMaps(kMaps, "/libart.so");
  EXPECT_EQ(library.path, "/apex/com.android.art/lib64/libart.so");
  ASSERT_EQ(library.mappings.size(), 3U);
  EXPECT_EQ(library.mappings[0].begin, uintptr_t{0x70000000});
  EXPECT_EQ(library.mappings[1].file_offset, 0x200000U);
  EXPECT_TRUE(library.mappings[1].is_executable);
  EXPECT_FALSE(library.mappings[0].is_executable);
  EXPECT_TRUE(library.mappings[2].is_readable);
  EXPECT_EQ(library.mappings[2].end, uintptr_t{0x70810000});
}

TEST(LibraryInMaps, TakesWholeFileNamesAndImagesWithCodeOnly) {
  for (const char* name : {"/art.so", "/libartbase.so", "/libother.so", ".dex"})
    EXPECT_TRUE(FindLibraryInMaps(kMaps, name).mappings.empty()) << name;
}

TEST(LibraryInMaps, AFileThatSomebodyReadsIsNotTheImage) {
  const std::string maps =
      "60000000-60900000 r--p 00000000 07:40 31             "
      "/apex/com.android.art/lib64/libart.so\n" +
      std::string(kMaps) +
      "7f000000-7f900000 r--p 00000000 07:40 31             "
      "/apex/com.android.art/lib64/libart.so\n";
  const LoadedLibrary library = FindLibraryInMaps(maps, "/libart.so");
  ASSERT_EQ(library.mappings.size(), 3U);
  EXPECT_EQ(library.mappings[0].begin, uintptr_t{0x70000000});
}

// As lld lays it out: each segment begins in the first page of the file.
TEST(LibraryInMaps, ATinyImageMapsTheBeginningOfItsFileSeveralTimes) {
  const std::string_view tiny =
      "70000000-70001000 r--p 00000000 07:40 31             /system/lib64/libtiny.so\n"
      "70001000-70002000 r-xp 00000000 07:40 31             /system/lib64/libtiny.so\n"
      "70002000-70003000 r--p 00000000 07:40 31             /system/lib64/libtiny.so\n"
      "70003000-70004000 rw-p 00000000 07:40 31             /system/lib64/libtiny.so\n";
  // The file is also mapped for reading, below and above the image, and the image is mapped twice.
  const std::string below =
      "6ffff000-70000000 r--p 00000000 07:40 31             /system/lib64/libtiny.so\n";
  const std::string above =
      "70010000-70011000 r--p 00000000 07:40 31             /system/lib64/libtiny.so\n"
      "70011000-70012000 r-xp 00000000 07:40 31             /system/lib64/libtiny.so\n";
  for (const std::string& maps :
       {std::string(tiny), below + std::string(tiny), below + std::string(tiny) + above}) {
    const LoadedLibrary library = FindLibraryInMaps(maps, "/libtiny.so");
    ASSERT_EQ(library.mappings.size(), 4U) << maps;
    EXPECT_EQ(library.mappings[0].begin, uintptr_t{0x70000000});
    EXPECT_TRUE(library.mappings[1].is_executable);
    EXPECT_EQ(library.mappings[3].end, uintptr_t{0x70004000});
  }
}

// A library of GNU ld without a segment for its headers, after a mapping of its file for reading.
TEST(LibraryInMaps, CodeThatBeginsAtOffsetZeroBehindAReaderBeginsTheImage) {
  const LoadedLibrary library = FindLibraryInMaps(
      "60000000-60900000 r--p 00000000 07:40 31             /lib/libold.so\n"
      "60900000-61000000 r-xp 00000000 07:40 31             /lib/libold.so\n"
      "61000000-61001000 rw-p 00700000 07:40 31             /lib/libold.so\n",
      "/libold.so");
  ASSERT_EQ(library.mappings.size(), 2U);
  EXPECT_EQ(library.mappings[0].begin, uintptr_t{0x60900000});
}

TEST(LibraryInMaps, FindsNothingInTextThatIsNoMaps) {
  for (const char* text :
       {"", "\n\n", "libart.so", "1-", "1-2", "1-2 r-xp", "2-1 r-xp 0 0 0 /libart.so\n",
        "zz-2 r-xp 0 0 0 /libart.so\n", "11111111111111111111-2 r-xp 0 0 0 /libart.so\n"})
    EXPECT_TRUE(FindLibraryInMaps(text, "/libart.so").mappings.empty()) << text;
}

class LoadedSymbol : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    handle_ = dlopen(GetParam(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr) << dlerror();
    const std::string path = GetParam();
    name_ = path.substr(path.rfind('/'));
  }
  void TearDown() override {
    if (handle_ != nullptr) dlclose(handle_);
  }

  void* handle_ = nullptr;
  std::string name_;
};

TEST_P(LoadedSymbol, IsWhatDlsymFindsWithTheHandle) {
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "SfFixtureAnswer"), nullptr);
  for (const char* symbol : {"SfFixtureAnswer", "SfFixtureOther"}) {
    EXPECT_EQ(FindLoadedSymbol(name_, symbol, SymbolKind::kCode),
              reinterpret_cast<uintptr_t>(dlsym(handle_, symbol)));
  }
}

TEST_P(LoadedSymbol, HiddenOnesAreFoundBySymtab) {
  using Getter = const void* (*)();
  const auto address = reinterpret_cast<Getter>(dlsym(handle_, "SfFixtureHiddenAddress"))();
  EXPECT_EQ(FindLoadedSymbol(name_, "SfFixtureHidden", SymbolKind::kCode),
            reinterpret_cast<uintptr_t>(address));
}

TEST_P(LoadedSymbol, DataIsNoCodeAndUnknownNamesAreNotFound) {
  EXPECT_EQ(FindLoadedSymbol(name_, "sf_fixture_value", SymbolKind::kData),
            reinterpret_cast<uintptr_t>(dlsym(handle_, "sf_fixture_value")));
  EXPECT_EQ(FindLoadedSymbol(name_, "sf_fixture_value", SymbolKind::kCode), 0U);
  EXPECT_EQ(FindLoadedSymbol(name_, "SfFixtureNone", SymbolKind::kCode), 0U);
  EXPECT_EQ(FindLoadedSymbol("/libnone.so", "SfFixtureAnswer", SymbolKind::kCode), 0U);
}

TEST_P(LoadedSymbol, IsFoundWhileTheFileIsMappedForReading) {
  const int fd = open(GetParam(), O_RDONLY);
  ASSERT_GE(fd, 0);
  void* const low = mmap(reinterpret_cast<void*>(0x10000000), 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  void* const high = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  EXPECT_EQ(FindLoadedSymbol(name_, "SfFixtureOther", SymbolKind::kCode),
            reinterpret_cast<uintptr_t>(dlsym(handle_, "SfFixtureOther")));
  munmap(low, 4096);
  munmap(high, 4096);
  close(fd);
}

INSTANTIATE_TEST_SUITE_P(HashStyles, LoadedSymbol,
                         testing::Values(STILLFRAME_FIXTURE_GNU, STILLFRAME_FIXTURE_SYSV),
                         [](const testing::TestParamInfo<const char*>& style) {
                           return std::string(style.index == 0 ? "Gnu" : "Sysv");
                         });

}  // namespace
}  // namespace stillframe::elf
