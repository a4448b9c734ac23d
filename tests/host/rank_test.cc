// SPDX-License-Identifier: Apache-2.0
// Rankings over several dumps and their differences.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/render/method_ranking.h"

namespace stillframe::host_test {
namespace {

// Each from a process of its own.
model::Document Shop(uint32_t multiply, uint32_t wait) {
  static uint32_t next_pid = 5'000;
  model::Document document = QuietDocument();
  document.identity.pid = next_pid++;
  TreeMaker(&document, 1)
      .Add({"app.Main.run:1", "app.Sum.add:2", "app.Sum.add:3", "app.Decimal.multiply:9"}, multiply)
      .Add({"app.Main.run:1", "java.lang.Object.wait:native"}, wait)
      .Finish();
  TreeMaker(&document, 2).Add({"app.Main.run:1", "java.lang.Object.wait:native"}, wait).Finish();
  return document;
}

const fleet::MethodSums& SumsOf(const fleet::MethodRanking& ranking, std::string_view name) {
  for (size_t i = 0; i < ranking.names().size(); ++i)
    if (ranking.names()[i] == name) return ranking.methods()[i];
  ADD_FAILURE() << "no method " << name;
  return ranking.all();
}

TEST(Rank, AddsUpMethodsAndStacks) {
  fleet::MethodRanking ranking;
  ranking.Add(Shop(10, 5));
  ranking.Add(Shop(20, 5));
  EXPECT_EQ(ranking.dumps(), 2U);
  EXPECT_EQ(ranking.all().total_us, 500'000U);
  EXPECT_EQ(ranking.all().messages, 4U);
  EXPECT_EQ(SumsOf(ranking, "app.Decimal.multiply").self_us, 300'000U);
  EXPECT_EQ(SumsOf(ranking, "app.Decimal.multiply").messages, 2U);
  EXPECT_EQ(SumsOf(ranking, "java.lang.Object.wait").samples, 20U);
  // On the stack twice, counted once.
  EXPECT_EQ(SumsOf(ranking, "app.Sum.add").total_us, 300'000U);
  EXPECT_EQ(SumsOf(ranking, "app.Sum.add").self_us, 0U);
  EXPECT_EQ(SumsOf(ranking, "app.Main.run").total_us, 500'000U);
  ASSERT_EQ(ranking.HottestStacks(9).size(), 2U);
  const std::string text = render::TopText(ranking, {});
  EXPECT_NE(
      text.find("  60.0%       300 ms   60.0%       300 ms         2  app.Decimal.multiply\n"),
      std::string::npos)
      << text;
}

// The second dump has the message that had ended before the first, and the one that ran then and is
// longer now.
TEST(Rank, CountsAMessageOfTwoDumpsOfAProcessOnce) {
  const auto dump = [](uint32_t ran, bool is_running) {
    model::Document document = QuietDocument();
    TreeMaker(&document, 1).Add({"app.Main.run:1", "app.Sum.add:2"}, 7).Finish();
    TreeMaker(&document, 2).Add({"app.Main.run:1", "app.Pay.click:2"}, ran).Finish();
    if (is_running) document.running = RunningMessage(document, 2, ran * 10, ran * 10);
    return document;
  };
  const model::Document first = dump(10, true);
  const model::Document second = dump(30, false);
  for (const bool is_reversed : {false, true}) {
    fleet::MethodRanking ranking;
    ranking.Add(is_reversed ? second : first);
    ranking.Add(is_reversed ? first : second);
    ranking.Add(first);
    EXPECT_EQ(ranking.dumps(), 3U);
    EXPECT_EQ(ranking.all().total_us, 370'000U) << is_reversed;
    EXPECT_EQ(ranking.all().messages, 2U);
    EXPECT_EQ(SumsOf(ranking, "app.Pay.click").self_us, 300'000U);
    EXPECT_EQ(SumsOf(ranking, "app.Pay.click").samples, 30U);
    EXPECT_EQ(SumsOf(ranking, "app.Main.run").total_us, 370'000U);
    EXPECT_EQ(SumsOf(ranking, "app.Sum.add").messages, 1U);
  }
  model::Document other = dump(30, false);
  other.identity.process_start_ns += 1;
  fleet::MethodRanking ranking;
  ranking.Add(first);
  ranking.Add(other);
  EXPECT_EQ(ranking.all().messages, 4U) << "the pid was given to another process";
}

TEST(Rank, TheLoopIsNotWhatTookTheTime) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1).Add(InCallback({"app.Pay.run:3", "app.Total.sum:9"}), 100).Finish();
  fleet::MethodRanking ranking;
  ranking.Add(document);
  std::vector<std::string> names;
  for (const fleet::MethodId id : ranking.HottestMethods(9, true))
    names.push_back(ranking.names()[id]);
  EXPECT_EQ(names, (std::vector<std::string>{"app.Pay.run", "app.Total.sum"}));
}

TEST(Rank, NamesAreWholeWithoutATerminal) {
  model::Document document = QuietDocument();
  const std::string name = "app." + std::string(150, 'x') + ".Long.run";
  TreeMaker(&document, 1).Add({name + ":3"}, 100).Finish();
  fleet::MethodRanking ranking;
  ranking.Add(document);
  EXPECT_EQ(render::TopText(ranking, {.width = 100}).find(name), std::string::npos);
  EXPECT_NE(render::TopText(ranking, {.width = 0}).find(name + "\n"), std::string::npos);
  EXPECT_NE(render::DiffText(fleet::MethodRanking(), ranking, {.width = 0}).find(name + "\n"),
            std::string::npos);
}

TEST(Rank, MemoryFollowsDistinctStacks) {
  fleet::MethodRanking ranking;
  const model::Document document = LargeDocument(200, 30);
  ranking.Add(document);
  const size_t stacks = ranking.stacks().size();
  for (int i = 0; i < 20; ++i) ranking.Add(document);
  EXPECT_EQ(ranking.stacks().size(), stacks);
}

TEST(Rank, DifferencesAreOfShares) {
  fleet::MethodRanking before;
  before.Add(Shop(10, 5));
  before.Add(Shop(10, 5));
  fleet::MethodRanking after;
  after.Add(Shop(90, 5));
  const std::string text = render::DiffText(before, after, {});
  // 100 of 200 ms in two messages of each dump before, 900 of 1,000 ms after.
  EXPECT_NE(text.find("+40.0    50.0%    90.0%       +400.0      50.0     450.0  app.Decimal.mu"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("-40.0    50.0%    10.0%         +0.0      50.0      50.0  java.lang.Obj"),
            std::string::npos)
      << text;
  // The largest change comes first, whatever its sign; what did not change is left out.
  const std::string total = render::DiffText(before, after, {.by_total = true});
  EXPECT_LT(total.find("app.Decimal.multiply"), total.find("java.lang.Object.wait")) << total;
  EXPECT_EQ(total.find("app.Main.run"), std::string::npos) << total;
  EXPECT_NE(render::DiffText(before, before, {}).find("No method's share changed."),
            std::string::npos);
  EXPECT_EQ(render::DiffFolded(before, after),
            "app.Main.run;app.Sum.add;app.Sum.add;app.Decimal.multiply 200000 900000\n"
            "app.Main.run;java.lang.Object.wait 200000 100000\n");
  const std::string svg = render::DifferentialSvg(before, after, "a <b>");
  EXPECT_NE(svg.find("app.Decimal.multiply: 50.0 % before, 90.0 % after (+40.0)"),
            std::string::npos)
      << svg;
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  // Red takes more, blue less.
  const auto has_colour = [&svg](const std::string& tip, const std::string& colour) {
    const size_t at = svg.find(tip);
    return at != std::string::npos &&
           svg.substr(at, svg.find('\n', at) - at).find(colour) != std::string::npos;
  };
  EXPECT_TRUE(has_colour("app.Decimal.multiply: ", "fill=\"#eb5555\"")) << svg;
  EXPECT_TRUE(has_colour("java.lang.Object.wait: ", "fill=\"#5555eb\"")) << svg;
}

// A line of stacks has a semicolon between methods only.
TEST(Rank, NamesWithSemicolonsStayOneMethodInALine) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1).Add({"app.Main.run:1", "app.Odd.a;b:2"}, 10).Finish();
  fleet::MethodRanking ranking;
  ranking.Add(document);
  EXPECT_EQ(render::DiffFolded(ranking, ranking), "app.Main.run;app.Odd.a:b 100000 100000\n");
}

}  // namespace
}  // namespace stillframe::host_test
