// SPDX-License-Identifier: Apache-2.0
// Names and lines from a small dex file, whole and with every bit of it flipped.
#include "src/names/dex_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "tests/unit/names/small_dex.h"

namespace stillframe::names {
namespace {

constexpr size_t kLongestText = 4096;

TEST(DexFile, GivesTheNamesOfAMethod) {
  const SmallDex dex;
  ASSERT_TRUE(dex.Reader().IsDex());
  DexMethodNames names;
  ASSERT_TRUE(dex.Reader().MethodNames(SmallDex::kDrawMethod, &names));
  EXPECT_EQ(names.class_descriptor, "Lcom/example/Row;");
  EXPECT_EQ(names.method_name, "draw");
  EXPECT_EQ(names.signature, "(I[Ljava/lang/Object;)V");
  EXPECT_EQ(names.source_file, "Row.java");
  EXPECT_FALSE(dex.Reader().MethodNames(1, &names));
  EXPECT_FALSE(dex.Reader().MethodNames(UINT32_MAX, &names));
}

TEST(DexFile, DescriptorsBecomeClassNames) {
  EXPECT_EQ(ClassNameOf("Lcom/example/Row$Cell;"), "com.example.Row$Cell");
  EXPECT_EQ(ClassNameOf("LRow;"), "Row");
  EXPECT_EQ(ClassNameOf("[I"), "[I");
  EXPECT_EQ(ClassNameOf("I"), "I");
  EXPECT_EQ(ClassNameOf(""), "");
  EXPECT_EQ(ClassNameOf("L"), "L");
}

TEST(DexFile, GivesTheLineOfEachDexPc) {
  const SmallDex dex;
  const DexFileReader reader = dex.Reader();
  const int32_t expected[] = {10, 10, 10, 12, 11, 111, 111, 111};
  for (uint32_t dex_pc = 0; dex_pc < 8; ++dex_pc)
    EXPECT_EQ(reader.Line(0, dex.code_item(), dex_pc), expected[dex_pc]) << "dex pc " << dex_pc;
  EXPECT_EQ(reader.Line(0, 0, 0), -1) << "a method without code";
  EXPECT_EQ(reader.Line(0, 0x7fff'fff0, 0), -1) << "a code item outside of memory";
}

TEST(DexLineProgram, TakesNegativeAndLongSteps) {
  // Line 300 in two bytes; minus 129 in two bytes; an address step of five bytes goes past the pc.
  const uint8_t program[] = {0xac, 0x02, 0,    0x0e, 0x02, 0xff, 0x7e, 0x1d,
                             0x01, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x0e, 0};
  const auto at = reinterpret_cast<uintptr_t>(program);
  EXPECT_EQ(LineFromProgram(at, 0), 300);
  EXPECT_EQ(LineFromProgram(at, 1), 171);
  EXPECT_EQ(LineFromProgram(at, 100'000), 171);
}

TEST(DexLineProgram, OneWithoutAnEndIsBounded) {
  // 64 KiB of "+0, +0" that run into an unreadable page, and more than the bound of the same.
  constexpr size_t kBytes = 4U << 20;
  auto* pages = static_cast<uint8_t*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  memset(pages, 0x0e, kBytes);
  EXPECT_EQ(LineFromProgram(reinterpret_cast<uintptr_t>(pages), 1), -1);
  ASSERT_EQ(mprotect(pages + 65'536, 4096, PROT_NONE), 0);
  EXPECT_EQ(LineFromProgram(reinterpret_cast<uintptr_t>(pages), 1), -1);
  munmap(pages, kBytes);
}

// The second file of a container (dex format 41): its header is inside, all offsets count from the
// container's begin.
TEST(DexFile, IsReadInsideAContainer) {
  SmallDex dex;
  constexpr size_t kHeaderBytes = 112;
  std::vector<uint8_t> container = dex.bytes();
  const size_t header_at = (container.size() + 15) / 16 * 16;
  container.resize(header_at);
  container.insert(container.end(), dex.bytes().begin(), dex.bytes().begin() + kHeaderBytes);
  memset(container.data(), 0xee, kHeaderBytes);  // another file's header
  const auto begin = reinterpret_cast<uintptr_t>(container.data());
  const DexFileReader reader(begin + header_at, container.size(), begin);
  ASSERT_TRUE(reader.IsDex());
  DexMethodNames names;
  ASSERT_TRUE(reader.MethodNames(SmallDex::kDrawMethod, &names));
  EXPECT_EQ(names.class_descriptor, "Lcom/example/Row;");
  EXPECT_EQ(names.source_file, "Row.java");
  EXPECT_EQ(reader.Line(0, dex.code_item(), 4), 11);
  EXPECT_FALSE(DexFileReader(begin, container.size(), begin).IsDex());
}

// A compact dex file has its strings in the shared data behind it, and code items of another form.
TEST(DexFile, ACompactFileGivesNamesAndNoLines) {
  SmallDex dex;
  memcpy(dex.bytes().data(), "cdex001", 8);
  // Tables counted from the file, data from the same place: a data section at offset 0.
  const DexFileReader reader = dex.Reader();
  ASSERT_TRUE(reader.IsDex());
  DexMethodNames names;
  ASSERT_TRUE(reader.MethodNames(SmallDex::kDrawMethod, &names));
  EXPECT_EQ(names.signature, "(I[Ljava/lang/Object;)V");
  EXPECT_EQ(reader.Line(0, dex.code_item(), 4), -1);
}

TEST(DexFile, RefusesWhatIsNoDexFile) {
  const uint8_t zeros[256] = {};
  const auto at = reinterpret_cast<uintptr_t>(zeros);
  EXPECT_FALSE(DexFileReader(at, sizeof zeros, at).IsDex());
  EXPECT_FALSE(DexFileReader(0, 4096, 0).IsDex());
  EXPECT_FALSE(DexFileReader(0x10, 4096, 0x10).IsDex()) << "unmapped";
  const SmallDex dex;
  EXPECT_FALSE(DexFileReader(dex.begin(), 111, dex.begin()).IsDex()) << "shorter than its header";
}

void AskEverything(const SmallDex& dex) {
  const DexFileReader reader = dex.Reader();
  static_cast<void>(reader.IsDex());
  DexMethodNames names;
  if (reader.MethodNames(SmallDex::kDrawMethod, &names)) {
    EXPECT_LE(names.method_name.size(), kLongestText);
    EXPECT_LE(names.class_descriptor.size(), kLongestText);
    EXPECT_LE(names.source_file.size(), kLongestText);
    EXPECT_LE(names.signature.size(), 257 * kLongestText);
  }
  for (const uint32_t dex_pc : {0U, 4U, UINT32_MAX})
    static_cast<void>(reader.Line(0, dex.code_item(), dex_pc));
}

TEST(DexFile, AnyDamagedByteIsReadWithoutAFault) {
  SmallDex dex;
  for (size_t at = 0; at < dex.bytes().size(); ++at) {
    const uint8_t good = dex.bytes()[at];
    for (int bit = 0; bit < 8; ++bit) {
      dex.bytes()[at] = static_cast<uint8_t>(good ^ (1U << bit));
      AskEverything(dex);
    }
    dex.bytes()[at] = 0xff;
    AskEverything(dex);
    dex.bytes()[at] = good;
  }
  DexMethodNames names;
  EXPECT_TRUE(dex.Reader().MethodNames(SmallDex::kDrawMethod, &names)) << "nothing was written to";
}

TEST(DexFile, AnyLengthIsReadWithoutAFault) {
  const SmallDex dex;
  for (uint64_t size = 0; size < dex.size(); ++size) {
    const DexFileReader reader(dex.begin(), size, dex.begin());
    static_cast<void>(reader.IsDex());
    DexMethodNames names;
    static_cast<void>(reader.MethodNames(SmallDex::kDrawMethod, &names));
  }
}

}  // namespace
}  // namespace stillframe::names
