// SPDX-License-Identifier: Apache-2.0
// The Signal Catcher's text comes late, into a dump that is already there.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "src/dump/writer.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/dump/sample_document.h"

namespace stillframe::dump {
namespace {

class LateSignalCatcher : public testing::Test {
 protected:
  LateSignalCatcher() {
    char folder[] = "/tmp/stillframe-late-XXXXXX";
    folder_ = mkdtemp(folder);
    path_ = folder_ / "a.sfdump";
  }
  ~LateSignalCatcher() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  std::string path_;
  Writer writer_;
  const model::SignalCatcherText captured_ = {"here", "", 9'000, "DALVIK THREADS (2)\n"};
};

TEST_F(LateSignalCatcher, TakesThePlaceOfTheOneBeforeAndNothingElse) {
  const model::Document document = SampleDocument(1);
  ASSERT_TRUE(writer_.WriteDocument(document, path_.c_str()).ok());
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(writer_.Amend({.signal_catcher = &captured_}, path_.c_str()).ok());
    const ReadResult read = ReadDumpFile(path_.c_str());
    ASSERT_EQ(read.document.damage, std::vector<std::string>{});
    ASSERT_TRUE(read.document.signal_catcher.has_value());
    EXPECT_EQ(read.document.signal_catcher->text, captured_.text);
    EXPECT_EQ(read.document.signal_catcher->full_bytes, 9'000U);
    EXPECT_EQ(read.document.history.size(), document.history.size());
    EXPECT_EQ(read.document.trees.size(), document.trees.size());
    EXPECT_EQ(read.document.identity.process_name, document.identity.process_name);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(LateSignalCatcher, TheTriggerIsReplacedAlone) {
  const model::Document document = SampleDocument(1);
  ASSERT_TRUE(writer_.WriteDocument(document, path_.c_str()).ok());
  model::Occasion occasion;
  occasion.trigger = model::Trigger::kSigquit;
  occasion.sequence = 3;
  occasion.taken_monotonic_ns = 5;
  occasion.trigger_detail = "SIGQUIT";
  occasion.trigger_confirmed = "the system says so";
  ASSERT_TRUE(writer_.Amend({.occasion = &occasion}, path_.c_str()).ok());
  const ReadResult read = ReadDumpFile(path_.c_str());
  EXPECT_EQ(read.document.damage, std::vector<std::string>{});
  EXPECT_EQ(read.document.trigger_confirmed, "the system says so");
  EXPECT_EQ(read.document.sequence, 3U);
  EXPECT_EQ(read.document.signal_catcher->text, document.signal_catcher->text);
  EXPECT_EQ(read.document.context.size(), document.context.size());
}

TEST_F(LateSignalCatcher, LeavesAloneWhatIsNoWholeDump) {
  EXPECT_FALSE(writer_.Amend({.signal_catcher = &captured_}, path_.c_str()).ok());
  ASSERT_TRUE(writer_.WriteDocument(SampleDocument(1), path_.c_str()).ok());
  const auto size = std::filesystem::file_size(path_);
  for (const uintmax_t length : {size - 1, size / 2, uintmax_t{20}, uintmax_t{3}, uintmax_t{0}}) {
    std::filesystem::resize_file(path_, length);
    EXPECT_FALSE(writer_.Amend({.signal_catcher = &captured_}, path_.c_str()).ok()) << length;
    EXPECT_EQ(std::filesystem::file_size(path_), length);
  }
}

}  // namespace
}  // namespace stillframe::dump
