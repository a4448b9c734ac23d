// SPDX-License-Identifier: Apache-2.0
// Writes the sample documents as dumps: write_samples FOLDER
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/host/sample_documents.h"

namespace stillframe::host_test {
namespace {

std::filesystem::path folder;

TEST(WriteSamples, WritesAllDumps) {
  std::filesystem::create_directories(folder);
  WriteSample(AnrDocument(), folder / "anr.sfdump");
  WriteSample(QuietDocument(), folder / "quiet.sfdump");
  WriteSample(HostileDocument(), folder / "hostile.sfdump");
  WriteSample(LargeDocument(200, 30), folder / "many.sfdump");
}

}  // namespace
}  // namespace stillframe::host_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  stillframe::host_test::folder = argv[1];
  return RUN_ALL_TESTS();
}
