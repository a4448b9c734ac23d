// SPDX-License-Identifier: Apache-2.0
// The trees that the report page gets.
#include "tools/stillframe/render/page_data.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/rules/judge.h"

namespace stillframe::host_test {
namespace {

nlohmann::json TreeOfPage(const model::Document& document) {
  render::PageData data("test");
  const index::DumpIndex index(document);
  data.Add("a.sfdump", index, rules::Judge(index));
  return nlohmann::json::parse(data.Json()).at("trees").at(0);
}

// Without a frame that lacks its caller.
TEST(PageData, TakesTheHeaviestNodesOfATreeThatIsTooLarge) {
  model::Document document = LargeDocument(4'500, 100);
  ASSERT_GT(document.trees[0].nodes().size(), 220'000U);
  const nlohmann::json tree = TreeOfPage(document);
  const auto depths = tree.at("depth").get<std::vector<uint32_t>>();
  const auto counts = tree.at("count").get<std::vector<uint32_t>>();
  EXPECT_EQ(depths.size(), 200'000U);
  EXPECT_EQ(tree.at("left").get<size_t>(), document.trees[0].nodes().size() - 200'001);
  for (size_t i = 1; i < depths.size(); ++i) ASSERT_LE(depths[i], depths[i - 1] + 1) << i;
  EXPECT_EQ(counts[49], 4'500U) << "the frames that all samples have";
}

TEST(PageData, TellsTimeWithoutACpuFromComputing) {
  model::Document document = QuietDocument();
  trace::TraceTree tree(1);
  const std::vector<trace::FrameId> stack = {AddFrame(&document, "app.Main.run:1")};
  const auto add = [&](uint32_t wall_us, uint32_t weight_us, uint32_t cpu_us,
                       trace::ThreadState state) {
    tree.Add(stack, {wall_us, weight_us, cpu_us, state});
  };
  add(10'000, 10'000, 9'000, trace::ThreadState::kRunnable);
  add(110'000, 100'000, 10'000, trace::ThreadState::kRunnable);
  add(120'000, 10'000, 15'000, trace::ThreadState::kRunnable);
  add(220'000, 100'000, 15'000, trace::ThreadState::kSleeping);
  document.trees.push_back(std::move(tree));
  document.history = {PastMessage(document, 1, 5'000, 220, 15)};
  EXPECT_EQ(TreeOfPage(document).at("state"), "1915");
}

// A message is slow from where the process was set to sample it, in page, text and verdict.
TEST(PageData, CallsAMessageSlowByTheSettingOfItsDump) {
  model::Document document = QuietDocument();
  document.history = {PastMessage(document, 1, 5'000, 120, 15)};
  const auto class_of = [&document] {
    render::PageData data("test");
    const index::DumpIndex index(document);
    data.Add("a.sfdump", index, rules::Judge(index));
    return nlohmann::json::parse(data.Json()).at("dumps").at(0).at("messages").at(0).at("class");
  };
  EXPECT_EQ(class_of(), "slow");
  document.configuration = {{"slow_ms", "200"}};
  EXPECT_EQ(class_of(), "normal");
  document.history.clear();
  EXPECT_NE(rules::Judge(index::DumpIndex(document)).sentence.find("for 200 ms or more"),
            std::string::npos);
}

}  // namespace
}  // namespace stillframe::host_test
