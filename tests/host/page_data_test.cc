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

TEST(PageData, TellsWhatTheThreadWaitedForInTheOrderOfItsSamples) {
  model::Document document = QuietDocument();
  using trace::ThreadState;
  TreeMaker(&document, 1)
      .Add({"app.Main.run:1"}, 1)
      .Add({"app.Main.run:1", "android.os.BinderProxy.transact:2"}, 1, 10'000, ThreadState::kNative)
      .Add({"app.Main.run:1", "java.io.FileInputStream.read:3"}, 1, 10'000, ThreadState::kNative)
      .Add({"app.Main.run:1"}, 1, 10'000, ThreadState::kNative)
      .Add({"app.Main.run:1"}, 1, 10'000, ThreadState::kOther)
      .Add({"app.Main.run:1", "java.io.FileInputStream.read:3"}, 1, 10'000, ThreadState::kBlocked)
      .Add({"app.Main.run:1"}, 1)
      .Finish();
  document.history = {PastMessage(document, 1, 5'000, 70, 20)};
  EXPECT_EQ(TreeOfPage(document).at("state"), "1ab2861");
}

nlohmann::json DumpOfPage(const model::Document& document) {
  render::PageData data("test");
  const index::DumpIndex index(document);
  data.Add("a.sfdump", index, rules::Judge(index));
  return nlohmann::json::parse(data.Json()).at("dumps").at(0);
}

// Another version has other lines and other numbers of lambdas; another bug is in another method.
TEST(PageData, KeysADumpByWhatIsToBlameInAllVersions) {
  const auto cluster = [](std::string_view outer, std::string_view inner) {
    const model::Document document = RunningIn({outer, inner});
    return DumpOfPage(document).at("cluster");
  };
  const auto key = cluster("app.Feed$$ExternalSyntheticLambda3.run:1", "app.Feed.lambda$load$0:20");
  EXPECT_EQ(key.at("kind"), "method");
  EXPECT_EQ(key.at("frame"), "app.Feed.lambda$load$");
  EXPECT_NE(key.at("message").get<std::string>().find("app.Feed$$ExternalSyntheticLambda"),
            std::string::npos);
  auto later = cluster("app.Feed$$ExternalSyntheticLambda12.run:9", "app.Feed.lambda$load$4:31");
  EXPECT_EQ(later.at("frame"), key.at("frame"));
  EXPECT_EQ(later.at("message"), key.at("message"));
  EXPECT_NE(cluster("app.Feed$$ExternalSyntheticLambda3.run:1", "app.Feed.parse:20").at("frame"),
            key.at("frame"));
}

TEST(PageData, SaysWhichMessageOfWhichProcessIsToBlame) {
  model::Document document = RunningIn({"app.Pay.run:3"});
  const auto key = DumpOfPage(document).at("messageKey").get<std::string>();
  EXPECT_NE(key, "");
  EXPECT_EQ(DumpOfPage(document).at("messageKey"), key);
  document.identity.pid += 1;
  EXPECT_NE(DumpOfPage(document).at("messageKey"), key);
  document.identity.process_start_ns = 0;
  EXPECT_EQ(DumpOfPage(document).at("messageKey"), "");
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
  document.history[0].target = model::kSystemTarget;
  EXPECT_EQ(class_of(), "system");
  document.configuration.clear();
  EXPECT_EQ(class_of(), "slow") << "whoever sent it";
  document.configuration = {{"slow_ms", "200"}};
  document.history.clear();
  EXPECT_EQ(index::DumpIndex(document).slow_ns(), 200'000'000);
}

}  // namespace
}  // namespace stillframe::host_test
