// Large and deep trees.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <functional>

#include "tests/host/sample_documents.h"
#include "tools/render/exports.h"
#include "tools/render/flame_svg.h"
#include "tools/render/json.h"
#include "tools/render/listing.h"
#include "tools/render/text_report.h"

namespace stillframe::host_test {
namespace {

// Sanitizers make everything many times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr double kSlowness = 30;
#else
constexpr double kSlowness = 1;
#endif

double SecondsFor(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Limits, FiveThousandSamplesOfDepthSixty) {
  const dump::Document document = LargeDocument(5'000, 60);
  ASSERT_EQ(document.trees[0].sample_count(), 5'000U);
  std::string page;
  const double page_seconds =
      SecondsFor([&document, &page] { page = PageOf(verdict::Case(document)); });
  std::string picture;
  const double picture_seconds = SecondsFor([&document, &picture] {
    picture = render::FlameSvg(*verdict::Case(document).TreeOf(1), {.title = "large"});
  });
  std::printf("page: %.3f s, %zu bytes; picture: %.3f s, %zu bytes\n", page_seconds, page.size(),
              picture_seconds, picture.size());
  EXPECT_LT(page_seconds, 1.0 * kSlowness);
  EXPECT_LT(picture_seconds, 1.0 * kSlowness);
  EXPECT_LT(page.size(), 12U << 20U);
  const double text_seconds = SecondsFor([&document] {
    const verdict::Case evidence(document);
    EXPECT_FALSE(render::TextReport(evidence).empty());
    EXPECT_FALSE(
        render::CollapsedStacks(document, 1, render::CollapsedUnit::kMicroseconds).empty());
  });
  EXPECT_LT(text_seconds, 1.0 * kSlowness);
}

TEST(Limits, TwoThousandFramesDeep) {
  dump::Document document = QuietDocument();
  StackText stack;
  for (int i = 0; i < 1'000; ++i) {
    stack.push_back("app.Deep.even:1");
    stack.push_back("app.Deep.odd:2");
  }
  TreeMaker(&document, 1).Add(stack, 110).Finish();
  ASSERT_EQ(document.trees[0].nodes().size(), 2'001U);
  document.history = {PastMessage(document, 1, 5'000, 1'100, 1'100)};
  const verdict::Case evidence(document);
  EXPECT_EQ(evidence.TreeOf(1)->nodes().size(), 2'001U);
  EXPECT_NE(PageOf(evidence).find("app.Deep.odd"), std::string::npos);
  EXPECT_NE(render::TextReport(evidence).find("1,976 more frames"), std::string::npos);
  EXPECT_FALSE(render::Listing(evidence).empty());
  EXPECT_FALSE(render::Json(evidence).empty());
  EXPECT_EQ(evidence.verdict().culprit->method, "app.Deep.odd");
}

TEST(Limits, ATreeWithoutSamplesOrFrames) {
  dump::Document document = QuietDocument();
  document.trees.emplace_back(5);
  trace::TraceTree empty_stacks(6);
  empty_stacks.Add(
      {}, {.wall_us = 1, .weight_us = 1, .cpu_us = 0, .state = trace::ThreadState::kNative});
  document.trees.push_back(std::move(empty_stacks));
  document.running = RunningMessage(document, 5, 2'000, 1);
  const verdict::Case evidence(document);
  EXPECT_EQ(evidence.verdict().kind, verdict::Kind::kNoSamples);
  EXPECT_FALSE(PageOf(evidence).empty());
  EXPECT_FALSE(render::TextReport(evidence).empty());
  EXPECT_FALSE(render::Json(evidence).empty());
}

}  // namespace
}  // namespace stillframe::host_test
