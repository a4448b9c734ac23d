// SPDX-License-Identifier: Apache-2.0
// The trees that the report page gets.
#include "tools/stillframe/render/page_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/judge/judge.h"

namespace stillframe::host_test {
namespace {

using Row = render::PageRow;

nlohmann::json TreeOfPage(const model::Document& document) {
  render::PageData data("test");
  const index::DumpIndex index(document);
  data.Add("a.sfdump", index, judge::Judge(index));
  return nlohmann::json::parse(data.Json()).at("trees").at(0).at(0);
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
  model::TraceTree tree(Token{1});
  const std::vector<model::FrameId> stack = {AddFrame(&document, "app.Main.run:1")};
  const auto add = [&](uint32_t wall_us, uint32_t weight_us, uint32_t cpu_us,
                       model::ThreadState state) {
    tree.Add(stack, {wall_us, weight_us, cpu_us, state});
  };
  add(10'000, 10'000, 9'000, model::ThreadState::kRunnable);
  add(110'000, 100'000, 10'000, model::ThreadState::kRunnable);
  add(120'000, 10'000, 15'000, model::ThreadState::kRunnable);
  add(220'000, 100'000, 15'000, model::ThreadState::kSleeping);
  document.trees.push_back(std::move(tree));
  document.history = {PastMessage(document, 1, 5'000, 220, 15)};
  EXPECT_EQ(TreeOfPage(document).at("state"), "606a");
}

TEST(PageData, TellsWhatTheThreadWaitedForInTheOrderOfItsSamples) {
  model::Document document = QuietDocument();
  using model::ThreadState;
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
  EXPECT_EQ(TreeOfPage(document).at("state"), "6127db6");
}

render::PageRow RowOf(const model::Document& document, std::string_view name = "a.sfdump") {
  const index::DumpIndex index(document);
  return render::PageRowOf(name, index, judge::Judge(index), "");
}

// Another version has other lines and other numbers of lambdas; another bug is in another method.
TEST(PageData, KeysADumpByWhatIsToBlameInAllVersions) {
  const auto cluster = [](std::string_view outer, std::string_view inner) {
    return RowOf(RunningIn({outer, inner})).texts;
  };
  const auto key = cluster("app.Feed$$ExternalSyntheticLambda3.run:1", "app.Feed.lambda$load$0:20");
  EXPECT_EQ(key[Row::kKind], "method");
  EXPECT_EQ(key[Row::kFrame], "app.Feed.lambda$load$");
  EXPECT_NE(key[Row::kMessage].find("app.Feed$$Lambda"), std::string::npos);
  auto later = cluster("app.Feed$$ExternalSyntheticLambda12.run:9", "app.Feed.lambda$load$4:31");
  EXPECT_EQ(later[Row::kFrame], key[Row::kFrame]);
  EXPECT_EQ(later[Row::kMessage], key[Row::kMessage]);
  EXPECT_NE(cluster("app.Feed$$ExternalSyntheticLambda3.run:1", "app.Feed.parse:20")[Row::kFrame],
            key[Row::kFrame]);
}

TEST(PageData, SaysWhichMessageOfWhichProcessIsToBlame) {
  model::Document document = RunningIn({"app.Pay.run:3"});
  const auto key = [&document] { return RowOf(document).texts[Row::kMessageKey]; };
  const std::string first = key();
  EXPECT_EQ(first,
            fmt::format("{}.{}.1", document.identity.pid, document.identity.process_start_ns));
  document.identity.pid += 1;
  EXPECT_NE(key(), first);
  document.identity.process_start_ns = 0;
  EXPECT_EQ(key(), RowOf(document).texts[0]) << "then the dump stands for itself";
}

TEST(PageData, KnowsADumpByItsContent) {
  model::Document document = RunningIn({"app.Pay.run:3"});
  const std::string id = RowOf(document).texts[0];
  EXPECT_EQ(RowOf(document, "renamed.sfdump").texts[0], id);
  document.taken_realtime_ns += 1;
  EXPECT_NE(RowOf(document).texts[0], id);
}

// Each cause's costliest examples are whole and not copied. The page and the tool's memory do not
// grow with the others.
TEST(PageData, HasThousandsOfDumps) {
  constexpr uint32_t kDumps = 2'000;
  const model::Document pay = RunningIn({"app.Pay.run:3"});
  model::Document feed = RunningIn({"app.Feed.run:3"});
  render::PageData data("test", 2);
  const size_t before = mallinfo2().uordblks;
  for (uint32_t i = 0; i < kDumps; ++i) {
    if (i % 2 == 0) ++feed.identity.pid;
    const index::DumpIndex index(i % 2 == 0 ? feed : pay);
    data.Add(fmt::format("{}.sfdump", i), index, judge::Judge(index));
  }
  EXPECT_LT(mallinfo2().uordblks - before, 5U << 20U);
  const std::string json = data.Json();
  const nlohmann::json page = nlohmann::json::parse(json);
  EXPECT_EQ(page.at("list").at("id").size(), kDumps);
  const auto whole = page.at("list").at("whole").get<std::vector<uint32_t>>();
  EXPECT_EQ(whole, (std::vector<uint32_t>{0, 1, 2})) << "the first of equal costs";
  EXPECT_EQ(page.at("dumps").size(), whole.size());
  EXPECT_EQ(data.Causes().size(), 2U);
  EXPECT_LT(json.size(), kDumps * 600U);
}

TEST(PageData, HasAThousandWholeDumpsOfMoreCauses) {
  render::PageData data("test");
  for (uint32_t i = 0; i < 1'500; ++i) {
    model::Document document = RunningIn({fmt::format("app.Feed{}.run:3", i)});
    document.running->wall_ns += i == 7 ? -1'000'000 : 0;
    const index::DumpIndex index(document);
    data.Add("a.sfdump", index, judge::Judge(index));
  }
  const nlohmann::json page = nlohmann::json::parse(data.Json());
  EXPECT_EQ(page.at("dumps").size(), render::PageData::kMostWhole);
  EXPECT_EQ(page.at("list").at("whole").at(7), 8) << "the cheapest has gone";
}

// Page, text and verdict take the limit of slow messages from the process's settings.
TEST(PageData, SaysFromWhenOnAMessageIsSlow) {
  model::Document document = QuietDocument();
  const auto slow_ns = [&document] {
    render::PageData data("test");
    const index::DumpIndex index(document);
    data.Add("a.sfdump", index, judge::Judge(index));
    return nlohmann::json::parse(data.Json()).at("dumps").at(0).at("page").at("slow_ns");
  };
  EXPECT_EQ(slow_ns(), index::kSlowNs);
  document.slow_ns = 200'000'000;
  EXPECT_EQ(slow_ns(), 200'000'000);
}

// A long list is columns, of which the newest rows are there.
TEST(PageData, TakesTheNewestMessagesOfALongHistory) {
  constexpr uint32_t kMessages = 20'007;
  model::Document document = QuietDocument();
  for (uint32_t i = 1; i <= kMessages; ++i)
    document.history.push_back(PastMessage(document, i, 60'000, 50, 15));
  render::PageData data("test");
  const index::DumpIndex index(document);
  data.Add("a.sfdump", index, judge::Judge(index));
  const nlohmann::json dump = nlohmann::json::parse(data.Json()).at("dumps").at(0);
  EXPECT_EQ(dump.at("page").at("left_out").at("history"), 7);
  EXPECT_EQ(dump.at("history").at("#"), 20'000);
  EXPECT_EQ(dump.at("history").at("token").at(0), 8);
  EXPECT_EQ(dump.at("history").at("token").back(), kMessages);
}

}  // namespace
}  // namespace stillframe::host_test
