// Format 1 must always open. Written once by this test with STILLFRAME_UPDATE_GOLDEN=1, and never
// again for the same version.
#include <gtest/gtest.h>

#include <cstdlib>

#include "src/dump/reader.h"
#include "src/dump/writer.h"
#include "tests/unit/dump/sample_document.h"

namespace stillframe::dump {
namespace {

TEST(Golden, Format1StillOpens) {
  const std::string path = std::string(STILLFRAME_GOLDEN_FOLDER) + "/dump-v1.sfdump";
  const Document expected = SampleDocument(2024);
  if (std::getenv("STILLFRAME_UPDATE_GOLDEN") != nullptr && !std::filesystem::exists(path)) {
    ASSERT_TRUE(Writer().WriteDocument(expected, path.c_str()).ok());
  }
  const ReadResult read = ReadDumpFile(path.c_str());
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(Pieces(read.document), Pieces(expected));
}

}  // namespace
}  // namespace stillframe::dump
