// SPDX-License-Identifier: Apache-2.0
// Dumps of every version must always open. Written once by this test with
// STILLFRAME_UPDATE_GOLDEN=1, and never again for the same version.
#include <gtest/gtest.h>

#include <cstdlib>

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

}  // namespace
}  // namespace stillframe::dump
