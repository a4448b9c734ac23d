// SPDX-License-Identifier: Apache-2.0
// Dumps of every released version must always open. Written once by this test with
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

TEST(Golden, Format17StillOpens) { ExpectOpens("dump-v1.7-all.sfdump", SampleDocument(2024)); }

TEST(Golden, Format16StillOpens) {
  model::Document expected = SampleDocument(2024);
  expected.other_threads.clear();
  expected.thread_trees.clear();
  ExpectOpens("dump-v1.6-all.sfdump", expected);
}

// The dump's own intervals win over those in the list of settings.
TEST(Golden, IntervalsOfFormat16StillOpen) {
  model::Document expected = BasicSampleDocument(2024);
  expected.configuration.push_back({"interval_us", "2000"});
  expected.slow_ns = 40'000'001;
  expected.interval_ns = UINT64_MAX;
  ExpectOpens("dump-v1.6-intervals.sfdump", expected);
}

}  // namespace
}  // namespace stillframe::dump
