// SPDX-License-Identifier: Apache-2.0
// Dumps of every version must always open. Written once by this test with
// STILLFRAME_UPDATE_GOLDEN=1, and never again for the same version.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "src/dump/section_stream.h"
#include "src/dump/writer.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/dump/sample_document.h"

namespace stillframe::dump {
namespace {

void ExpectOpens(const std::string& name, const model::Document& expected) {
  const std::string path = std::string(STILLFRAME_GOLDEN_FOLDER) + "/" + name;
  if (std::getenv("STILLFRAME_UPDATE_GOLDEN") != nullptr && !std::filesystem::exists(path))
    ASSERT_TRUE(Writer().WriteDocument(expected, path.c_str()).ok());
  const ReadResult read = ReadDumpFile(path.c_str());
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(Pieces(read.document), Pieces(expected));
}

TEST(Golden, Format10StillOpens) { ExpectOpens("dump-v1.sfdump", FirstSampleDocument(2024)); }

TEST(Golden, Format11StillOpens) { ExpectOpens("dump-v1.1.sfdump", SampleDocument11(2024)); }

TEST(Golden, StacksOfFormat12StillOpen) {
  model::Document expected = SampleDocument11(2024);
  AddSampleStacks(&expected);
  ExpectOpens("dump-v1.2-stacks.sfdump", expected);
}

TEST(Golden, NativeFramesOfFormat13StillOpen) {
  model::Document expected = SampleDocument11(2024);
  AddSampleStacks(&expected);
  AddSampleNative(&expected);
  ExpectOpens("dump-v1.3-native.sfdump", expected);
}

TEST(Golden, LocksOfFormat14StillOpen) {
  model::Document expected = SampleDocument11(2024);
  AddSampleStacks(&expected);
  AddSampleLocks(&expected);
  ExpectOpens("dump-v1.4-locks.sfdump", expected);
}

TEST(Golden, SectionsOfFormat15StillOpen) {
  model::Document expected = SampleDocument11(2024);
  AddSampleSections(&expected);
  ExpectOpens("dump-v1.5-sections.sfdump", expected);
}

// The dump's own intervals win over those in the list of settings.
TEST(Golden, IntervalsOfFormat16StillOpen) {
  model::Document expected = SampleDocument11(2024);
  expected.configuration.push_back({"interval_us", "2000"});
  expected.slow_ns = 40'000'001;
  expected.interval_ns = UINT64_MAX;
  ExpectOpens("dump-v1.6-intervals.sfdump", expected);
}

// The same file in the form of an older version, which has only the list.
TEST(Golden, BeforeFormat16IntervalsAreInTheList) {
  model::Document document;
  document.configuration = {{"slow_ms", "soon"}, {"slow_ms", "40"}, {"interval_us", "2000"}};
  ScratchFolder folder;
  const std::string path = folder.File("a.sfdump");
  ASSERT_TRUE(Writer().WriteDocument(document, path.c_str()).ok());
  std::vector<uint8_t> bytes = FileBytes(path);
  EXPECT_EQ(ReadDump(bytes).document.interval_ns, 0U);
  const FileHeader header = MakeFileHeader(5);
  std::memcpy(bytes.data(), &header, sizeof header);
  const ReadResult read = ReadDump(bytes);
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(read.document.slow_ns, 40'000'000U);
  EXPECT_EQ(read.document.interval_ns, 2'000'000U);
}

}  // namespace
}  // namespace stillframe::dump
