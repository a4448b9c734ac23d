// SPDX-License-Identifier: Apache-2.0
// Large and deep trees.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <functional>

#include "tests/host/sample_documents.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/naming/mapping_reader.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/method_ranking.h"
#include "tools/stillframe/render/text_report.h"

namespace stillframe::host_test {
namespace {

// Sanitizers make everything many times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr double kSlowness = 30;
#else
constexpr double kSlowness = 1;
#endif

// CPU seconds, so that other work on the machine counts little.
double SecondsFor(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Limits, FiveThousandSamplesOfDepthSixtyAreDrawnInTime) {
  const model::Document document = LargeDocument(5'000, 60);
  ASSERT_EQ(document.trees[0].sample_count(), 5'000U);
  std::string page;
  const double page_seconds =
      SecondsFor([&document, &page] { page = PageOf(index::DumpIndex(document)); });
  std::string picture;
  const double picture_seconds = SecondsFor([&document, &picture] {
    picture = render::FlameSvg(*index::DumpIndex(document).TreeOf(Token{1}), {.title = "large"});
  });
  std::printf("page: %.3f s, %zu bytes; picture: %.3f s, %zu bytes\n", page_seconds, page.size(),
              picture_seconds, picture.size());
  EXPECT_LT(page_seconds, 1.0 * kSlowness);
  EXPECT_LT(picture_seconds, 1.0 * kSlowness);
  EXPECT_LT(page.size(), 12U << 20U);
  const double text_seconds = SecondsFor([&document] {
    const index::DumpIndex index(document);
    EXPECT_FALSE(render::TextReport(index, judge::Judge(index)).empty());
    EXPECT_FALSE(exports::CollapsedStacks(document, Token{1}, exports::CollapsedUnit::kMicroseconds)
                     .empty());
  });
  EXPECT_LT(text_seconds, 1.0 * kSlowness);
}

TEST(Limits, AStackOfTwoThousandFramesIsShown) {
  model::Document document = QuietDocument();
  StackText stack;
  for (int i = 0; i < 1'000; ++i) {
    stack.push_back("app.Deep.even:1");
    stack.push_back("app.Deep.odd:2");
  }
  TreeMaker(&document, 1).Add(stack, 110).Finish();
  ASSERT_EQ(document.trees[0].nodes().size(), 2'001U);
  document.history = {PastMessage(document, 1, 5'000, 1'100, 1'100)};
  const index::DumpIndex index(document);
  const judge::Verdict verdict = judge::Judge(index);
  EXPECT_EQ(index.TreeOf(Token{1})->nodes().size(), 2'001U);
  EXPECT_NE(PageOf(index).find("app.Deep.odd"), std::string::npos);
  EXPECT_NE(render::TextReport(index, verdict).find("1,998 recursive frames folded"),
            std::string::npos);
  EXPECT_FALSE(render::Listing(index, verdict).empty());
  EXPECT_FALSE(render::Json(index, verdict).empty());
  EXPECT_EQ(verdict.culprit->method, "app.Deep.odd");
}

TEST(Limits, LargeTreesGoThroughEveryExport) {
  const model::Document document =
      kSlowness > 1 ? LargeDocument(1'000, 52) : LargeDocument(10'000, 52);
  // Half of each stack is new in each sample.
  ASSERT_GT(document.trees[0].nodes().size(), kSlowness > 1 ? 20'000U : 200'000U);
  const index::DumpIndex index(document);
  const judge::Verdict verdict = judge::Judge(index);
  const auto check = [&](const char* name, const auto& write) {
    size_t bytes = 0;
    const double seconds = SecondsFor([&] { bytes = write().size(); });
    std::printf("%s: %.2f s of CPU time, %zu bytes\n", name, seconds, bytes);
    EXPECT_LT(seconds, 20 * kSlowness);
    EXPECT_GT(bytes, 10'000U);
    EXPECT_LT(bytes, 500U << 20U);
  };
  check(
      "speedscope", [&] { return exports::Speedscope(index, verdict, std::nullopt, false); });
  check(
      "pprof", [&] { return exports::Pprof(index, verdict, std::nullopt); });
  check(
      "perfetto", [&] { return exports::Perfetto(index, std::nullopt); });
  check("firefox", [&] { return exports::Firefox(index, verdict, std::nullopt); });
}

TEST(Limits, AMappingOfAHundredMegabytesIsReadInTime) {
  std::string block;
  for (int i = 0; block.size() < 1'000'000; ++i) {
    block += "com.example.Class" + std::to_string(i) + " -> a" + std::to_string(i) +
             ":\n# {\"id\":\"sourceFile\",\"fileName\":\"Class.kt\"}\n";
    for (int j = 0; j < 12; ++j) block += "    1:3:void method(int,java.lang.String):10:12 -> a\n";
  }
  const naming::TextSet wanted = {"a7"};
  naming::Mapping mapping;
  naming::MappingReader reader(&wanted, &mapping);
  const double seconds = SecondsFor([&] {
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(reader.Feed(block)) << reader.error();
    ASSERT_TRUE(reader.Finish());
  });
  std::printf("mapping of %zu MB: %.2f s of CPU time\n", block.size() * 100 / 1'000'000, seconds);
  EXPECT_LT(seconds, 5 * kSlowness);
  EXPECT_EQ(mapping.classes.size(), 1U);
}

TEST(Limits, ThousandsOfDumpsAreRankedInSeconds) {
  const std::string path = testing::TempDir() + "many-" + std::to_string(getpid()) + ".sfdump";
  ASSERT_NO_FATAL_FAILURE(WriteSample(AnrDocument(), path));
  const int count = kSlowness > 1 ? 50 : 1'000;
  fleet::MethodRanking ranking;
  const double seconds = SecondsFor([&] {
    for (int i = 0; i < count; ++i) ranking.Add(dump::ReadDumpFile(path.c_str()).document);
  });
  std::remove(path.c_str());
  std::printf("%.0f dumps a second of CPU time\n", count / seconds);
  EXPECT_LT(seconds, count / 2'000.0 * kSlowness);
  EXPECT_EQ(ranking.dumps(), static_cast<uint64_t>(count));
}

TEST(Limits, ATreeWithoutSamplesOrFramesIsShown) {
  model::Document document = QuietDocument();
  document.trees.emplace_back(Token{5});
  model::TraceTree empty_stacks(Token{6});
  empty_stacks.Add(
      {}, {.wall_us = 1, .weight_us = 1, .cpu_us = 0, .state = model::ThreadState::kNative});
  document.trees.push_back(std::move(empty_stacks));
  document.running = RunningMessage(document, 5, 2'000, 1);
  const index::DumpIndex index(document);
  const judge::Verdict verdict = judge::Judge(index);
  EXPECT_EQ(verdict.kind, judge::Kind::kNoSamples);
  EXPECT_FALSE(PageOf(index).empty());
  EXPECT_FALSE(render::TextReport(index, verdict).empty());
  EXPECT_FALSE(render::Json(index, verdict).empty());
}

}  // namespace
}  // namespace stillframe::host_test
