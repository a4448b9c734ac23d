// SPDX-License-Identifier: Apache-2.0
// Preorder text and collapsed stacks, out and in again.
#include <gtest/gtest.h>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/preorder_text.h"
#include "tools/stillframe/input/field_import.h"

namespace stillframe::host_test {
namespace {

using exports::CollapsedUnit;
using input::ImportOptions;

std::string Collapsed(const model::Document& document, CollapsedUnit unit) {
  return exports::CollapsedStacks(document, std::nullopt, unit);
}

TEST(Import, CollapsedStacksComeBackWithoutLoss) {
  for (const model::Document& document :
       {AnrDocument(), HostileDocument(), LargeDocument(300, 20)}) {
    const std::string samples = Collapsed(document, CollapsedUnit::kSamples);
    model::Document imported;
    std::string notes;
    std::string error;
    ASSERT_TRUE(input::ImportCollapsed(samples, {}, &imported, &notes, &error)) << error;
    EXPECT_EQ(Collapsed(imported, CollapsedUnit::kSamples), samples);
    const std::string times = Collapsed(document, CollapsedUnit::kMicroseconds);
    model::Document timed;
    ASSERT_TRUE(input::ImportCollapsed(times, {.unit = input::CountUnit::kMicroseconds}, &timed,
                                       &notes, &error))
        << error;
    EXPECT_EQ(Collapsed(timed, CollapsedUnit::kMicroseconds), times);
  }
}

TEST(Import, PreorderTextComesBackWithoutLoss) {
  const model::Document document = AnrDocument();
  for (const model::TraceTree& tree : document.trees) {
    const std::string text = index::WritePreorderText(tree, document.frames);
    model::Document imported;
    std::string notes;
    std::string error;
    ASSERT_TRUE(input::ImportPreorderText(text, {}, &imported, &error)) << error;
    EXPECT_EQ(index::WritePreorderText(imported.trees[0], imported.frames), text);
    EXPECT_EQ(imported.history[0].samples, tree.sample_count());
    EXPECT_EQ(imported.history[0].wall_ns, int64_t{tree.sample_count()} * 10'000'000);
  }
}

// Two lines of one stack are exported as one line with their sum, which must be readable too.
TEST(Import, TimesLongerThanOneSampleCanBe) {
  const ImportOptions times = {.unit = input::CountUnit::kMicroseconds};
  for (const char* text : {"a;b 4000000000\na;b 400000000\n", "a;b 4400000000\n"}) {
    model::Document imported;
    std::string notes;
    std::string error;
    ASSERT_TRUE(input::ImportCollapsed(text, times, &imported, &notes, &error)) << error;
    EXPECT_EQ(Collapsed(imported, CollapsedUnit::kMicroseconds), "a;b 4400000000\n");
  }
}

TEST(Import, ErrorsSayWhere) {
  const auto error_of = [](std::string_view text, const ImportOptions& options = {}) {
    model::Document document;
    std::string notes;
    std::string error;
    EXPECT_FALSE(input::ImportCollapsed(text, options, &document, &notes, &error)) << text;
    return error;
  };
  EXPECT_EQ(error_of("a;b 3\nnocount\na;b 1\n").rfind("offset 6: ", 0), 0U);
  EXPECT_EQ(error_of("a;b 3\na;b x\na;b 1\n").rfind("offset 6: ", 0), 0U);
  EXPECT_EQ(error_of("a;b 0\n").rfind("offset 0: ", 0), 0U);
  EXPECT_EQ(error_of("").rfind("offset 0: ", 0), 0U);
  EXPECT_NE(error_of("a 99999999999\n").find("--unit us"), std::string::npos);
  const ImportOptions times = {.unit = input::CountUnit::kMicroseconds};
  EXPECT_NE(error_of("a 9999999999999999999\n", times).find("divide the counts"),
            std::string::npos);
  model::Document document;
  std::string notes;
  std::string error;
  EXPECT_FALSE(input::ImportPreorderText("a(A.java:1);x;0;0;", {}, &document, &error));
  EXPECT_EQ(error.rfind("offset 12: ", 0), 0U) << error;
}

}  // namespace
}  // namespace stillframe::host_test
