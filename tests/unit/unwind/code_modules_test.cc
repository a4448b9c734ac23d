// SPDX-License-Identifier: Apache-2.0
// Libraries that are loaded and unloaded, and a corrupt list of them.
#include "src/unwind/code_modules.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <memory>

#include "src/elf/loaded_modules.h"
#include "src/unwind/frame_description.h"

namespace stillframe::unwind {
namespace {

uintptr_t At(const void* place) { return reinterpret_cast<uintptr_t>(place); }

void Nothing() {}
uintptr_t OwnCode() { return reinterpret_cast<uintptr_t>(&Nothing); }

class Guest {
 public:
  explicit Guest(const char* path)
      : path_(path), handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)), code_(Symbol("guest_spin")) {}
  uintptr_t code() const { return code_; }
  void Unload() {
    ASSERT_EQ(dlclose(handle_), 0);
    ASSERT_EQ(dlopen(path_, RTLD_NOW | RTLD_NOLOAD), nullptr);
  }

 private:
  uintptr_t Symbol(const char* name) const {
    return handle_ != nullptr ? At(dlsym(handle_, name)) : 0;
  }

  const char* path_;
  void* handle_;
  uintptr_t code_;
};

TEST(CodeModules, ALibraryIsKnownFromItsFirstMomentToItsLast) {
  static CodeModules modules;
  elf::OpenLoadedModules(&modules);
  CodeModule module;
  FrameDescription description;
  for (uint32_t cycle = 0; cycle < 2'000; ++cycle) {
    Guest guest(cycle % 2 == 0 ? STILLFRAME_GUEST_SMALL : STILLFRAME_GUEST_LARGE);
    ASSERT_NE(guest.code(), 0U);
    for (const bool is_refreshed : {false, true}) {
      if (is_refreshed) {
        if (cycle % 5 != 0) break;
        modules.Refresh();
        ASSERT_TRUE(modules.IsInRow(guest.code()));
      }
      ASSERT_TRUE(modules.Find(guest.code(), &module)) << cycle << is_refreshed;
      ASSERT_TRUE(FindFrameDescription(module, guest.code(), &description));
      ASSERT_EQ(description.code_begin, guest.code());
    }
    guest.Unload();
    ASSERT_FALSE(modules.Find(guest.code(), &module)) << cycle;
    ASSERT_TRUE(modules.Find(OwnCode(), &module));
  }
  modules.Refresh();
  EXPECT_TRUE(modules.IsInRow(OwnCode()));
  EXPECT_TRUE(modules.IsInRow(reinterpret_cast<uintptr_t>(&dlclose)));
}

TEST(CodeModules, ARowIsNotBelievedWhenAnotherLibraryHasTakenItsPlace) {
  alignas(4) uint8_t header[12] = {1, 0x1b, 3, 0x3b, 7, 0, 0, 0, 5};
  CodeModule module = {0x1000, 0x2000, 0, 0, 0, 0};
  ASSERT_TRUE(ReadFrameIndex(At(header), &module));
  static CodeModules modules;
  CodeModule found;
  EXPECT_FALSE(modules.Find(0x1000, &found));
  modules.Add(module);
  ASSERT_TRUE(modules.Find(0x1fff, &found));
  EXPECT_EQ(found.index_count, 5U);
  EXPECT_FALSE(modules.Find(0x2000, &found));
  EXPECT_FALSE(modules.Find(0xfff, &found));
  for (const size_t changed : {4U, 8U}) {
    ++header[changed];
    EXPECT_FALSE(modules.Find(0x1fff, &found)) << changed;
    --header[changed];
    EXPECT_TRUE(modules.Find(0x1fff, &found));
  }
  modules.Add({0x1000, 0x1800, 0, 0, 0, 0});
  EXPECT_FALSE(modules.Find(0x1900, &found)) << "it is gone";
}

class LinkMapTest : public testing::Test {
 protected:
  // A list of entries, one after the other.
  LinkMapTest() {
    for (size_t i = 0; i < entries_.size(); ++i) {
      entries_[i].l_addr = 0x10000 * (i + 1);
      entries_[i].l_ld = reinterpret_cast<ElfW(Dyn)*>(0x10000 * (i + 1) + 0x800);
      entries_[i].l_next = i + 1 < entries_.size() ? &entries_[i + 1] : nullptr;
      entries_[i].l_prev = i > 0 ? &entries_[i - 1] : nullptr;
    }
    debug_.r_map = entries_.data();
  }
  LinkEntry Last() {
    LinkEntry last = {};
    EXPECT_TRUE(LoadLinkEntry(At(&entries_.back()), &last));
    return last;
  }
  // For any list: walks end, and find nothing where no library is.
  void ExpectNoLibrary() {
    static CodeModules modules;
    modules.Open(At(&debug_), 0);
    modules.Refresh();
    CodeModule found;
    EXPECT_FALSE(modules.Find(0x20800, &found));
    EXPECT_FALSE(modules.Find(At(&entries_), &found));
    EXPECT_FALSE(modules.Find(OwnCode(), &found)) << "it is not in this list";
  }

  std::array<link_map, 5> entries_ = {};
  r_debug debug_ = {};
};

// An ELF header, its segments, and memory for pages of any size.
class LibraryImage {
 public:
  static constexpr uintptr_t kBytes = 64 << 10;

  LibraryImage() {
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    begin_ = reinterpret_cast<uintptr_t>(memory);
    ElfW(Ehdr) header = {};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_phoff = sizeof header;
    header.e_phnum = 1;
    ElfW(Phdr) segment = {};
    segment.p_type = PT_LOAD;
    segment.p_flags = PF_R | PF_X;
    segment.p_memsz = kBytes;
    memcpy(memory, &header, sizeof header);
    memcpy(static_cast<char*>(memory) + sizeof header, &segment, sizeof segment);
  }
  ~LibraryImage() { munmap(reinterpret_cast<void*>(begin_), kBytes); }
  LibraryImage(const LibraryImage&) = delete;
  LibraryImage& operator=(const LibraryImage&) = delete;

  void Put(uintptr_t offset, const char* text) const {
    memcpy(reinterpret_cast<void*>(begin_ + offset), text, strlen(text));
  }
  bool IsLibrary() const {
    const auto modules = std::make_unique<CodeModules>();
    modules->AddLibrary(begin_);
    return modules->IsInRow(begin_ + kBytes - 1);
  }

 private:
  uintptr_t begin_ = 0;
};

// Its data begins at its second page (ART 16 libelffile/elf/elf_builder.h), of 4 or of 16 KiB.
TEST(CodeModules, AnOatFileIsNoLibraryWhateverThePagesSize) {
  EXPECT_TRUE(LibraryImage().IsLibrary());
  for (const uintptr_t page : {uintptr_t{4} << 10, uintptr_t{16} << 10}) {
    const LibraryImage image;
    image.Put(page, "oat\n");
    EXPECT_FALSE(image.IsLibrary()) << page;
  }
  const LibraryImage other;
  other.Put(8 << 10, "oat\n");
  EXPECT_TRUE(other.IsLibrary());
}

// Each is known to be unreadable after one trial, also where libraries begin at every 16 KiB and
// more of them are unreadable than share a row of the table by chance.
TEST(CodeModules, UnreadableLibrariesAreToldApart) {
  const auto modules = std::make_unique<CodeModules>();
  constexpr uintptr_t kFirst = 0x7000'0000;
  constexpr uintptr_t kStep = 64 << 10;
  constexpr uintptr_t kLibraries = 32;
  const auto library = [](uintptr_t i) {
    CodeModule module = {kFirst + i * kStep, kFirst + (i + 1) * kStep, 0, 0, 0, 0};
    module.code_end = kStep;
    return module;
  };
  for (uintptr_t i = 0; i < kLibraries; ++i) modules->NoteUnreadable(library(i));
  uintptr_t known = 0;
  for (uintptr_t i = 0; i < kLibraries; ++i) known += modules->CanReadCode(library(i)) ? 0U : 1U;
  EXPECT_GE(known, kLibraries * 3 / 4);
}

TEST_F(LinkMapTest, WhatIsLoadedLaterComesLast) {
  const LinkEntry last = Last();
  EXPECT_TRUE(IsLastLinkEntry(last));
  link_map more = {};
  entries_.back().l_next = &more;
  EXPECT_FALSE(IsLastLinkEntry(last));
  entries_.back().l_next = nullptr;
  EXPECT_TRUE(IsLastLinkEntry(last));
  entries_[3].l_next = &more;  // the last was unloaded, and its memory says what it said
  EXPECT_FALSE(IsLastLinkEntry(last));
  entries_[3].l_next = &entries_.back();
  entries_.back().l_ld = nullptr;  // or holds another library's entry
  EXPECT_FALSE(IsLastLinkEntry(last));
}

TEST_F(LinkMapTest, AListThatIsNoneEnds) {
  ExpectNoLibrary();
  entries_.back().l_next = entries_.data();
  ExpectNoLibrary();
  entries_.back().l_next = &entries_.back();
  ExpectNoLibrary();
  for (const uintptr_t nowhere : {uintptr_t{0x10}, uintptr_t{0x1001}, UINTPTR_MAX - 7}) {
    entries_[2].l_next = reinterpret_cast<link_map*>(nowhere);
    ExpectNoLibrary();
    debug_.r_map = entries_[2].l_next;
    ExpectNoLibrary();
    debug_.r_map = entries_.data();
  }
}

}  // namespace
}  // namespace stillframe::unwind
