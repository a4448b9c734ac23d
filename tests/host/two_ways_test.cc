// SPDX-License-Identifier: Apache-2.0
// One message with two causes: both are told.
#include <gtest/gtest.h>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/rules/judge.h"

namespace stillframe::rules {
namespace {

using namespace host_test;
using index::DumpIndex;
using verdict::Verdict;

// A message of 2 s with two ways through it.
model::Document TwoWaysOf(const StackText& more, const StackText& less) {
  model::Document document = QuietDocument();
  document.running = RunningMessage(document, 9, 2'000, 2'000);
  TreeMaker(&document, 9).Add(InCallback(more), 120).Add(InCallback(less), 80).Finish();
  return document;
}

Verdict VerdictOnWays(const model::Document& document) { return Judge(DumpIndex(document)); }

TEST(TwoWays, TwoMethodsOfOneMessageAreToldAsTwo) {
  const Verdict verdict = VerdictOnWays(
      TwoWaysOf({"app.Feed.run:1", "app.Feed.parse:2"}, {"app.Feed.run:1", "app.Feed.sort:3"}));
  ASSERT_TRUE(verdict.culprit);
  EXPECT_EQ(verdict.culprit->method, "app.Feed.parse");
  EXPECT_NE(verdict.sentence.find("held the main thread for 1,200 ms of 2,000 ms (60 %) and "
                                  "app.Feed.sort for 800 ms (40 %) while"),
            std::string::npos)
      << verdict.sentence;
  const std::vector<verdict::MethodTime>& methods = verdict.contributors.at(0).methods;
  ASSERT_EQ(methods.size(), 2U);
  EXPECT_EQ(methods[1].us, 800'000U);
}

TEST(TwoWays, AHelperOfTwoIsWhatTheyWereInside) {
  const Verdict verdict =
      VerdictOnWays(TwoWaysOf({"app.Feed.run:1", "app.Feed.decode:2", "app.Math.spin:9"},
                              {"app.Feed.run:1", "app.Feed.layout:3", "app.Math.spin:9"}));
  EXPECT_NE(verdict.sentence.find("app.Feed.decode (Feed.java:2) held the main thread for 1,200 ms "
                                  "of 2,000 ms (60 %), inside app.Math.spin (Math.java:9), and "
                                  "app.Feed.layout for 800 ms (40 %) while"),
            std::string::npos)
      << verdict.sentence;
}

TEST(TwoWays, TimeInThePlatformIsTheApplicationsThatCalledIt) {
  const Verdict verdict = VerdictOnWays(
      TwoWaysOf({"app.Feed.run:1", "app.Feed.parse:2", "java.lang.System.nanoTime:native"},
                {"app.Feed.run:1", "app.Feed.sort:3", "java.lang.System.nanoTime:native"}));
  const std::vector<verdict::MethodTime>& methods = verdict.contributors.at(0).methods;
  ASSERT_EQ(methods.size(), 2U);
  EXPECT_EQ(methods[0].method, "app.Feed.parse");
  EXPECT_EQ(methods[0].us, 1'200'000U);
  EXPECT_NE(verdict.sentence.find("app.Feed.sort for 800 ms (40 %)"), std::string::npos)
      << verdict.sentence;
}

}  // namespace
}  // namespace stillframe::rules
