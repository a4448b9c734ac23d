// SPDX-License-Identifier: Apache-2.0
// The stack that Matrix shows of a message, and the issue around it.
#include "tools/stillframe/calltree/matrix_stack.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/exports/matrix_issue.h"

namespace stillframe::calltree {
namespace {

using namespace host_test;

calltree::CallTree TreeIn(const model::Document& document) {
  return {document.frames, document.trees[0]};
}

TEST(MatrixStack, GoesInTheOrderOfTheFirstSampleAndAddsUp) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1)
      .Add({"a.A.run:1", "a.B.first:2"}, 1)
      .Add({"a.A.run:1", "a.B.second:3"}, 8)
      .Add({"a.A.run:1", "a.B.first:4"}, 2)
      .Finish();
  const calltree::CallTree tree = TreeIn(document);
  const std::vector<MatrixEntry> stack = MatrixStack(tree);
  ASSERT_EQ(stack.size(), 3U);
  EXPECT_EQ(tree.NameOf(stack[1].method), "a.B.first");
  EXPECT_EQ(stack[1].depth, 1U);
  EXPECT_EQ(stack[1].count, 3U);
  EXPECT_EQ(stack[1].ms, 30U);
  EXPECT_EQ(tree.NameOf(stack[2].method), "a.B.second");
  EXPECT_EQ(MatrixStackKey(stack, 110), std::to_string(stack[2].id) + "|");
}

TEST(MatrixStack, RoundsDropTheCheapestOnesUntilThirtyAreLeft) {
  model::Document document = QuietDocument();
  TreeMaker maker(&document, 1);
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) names.push_back("a.B.m" + std::to_string(i) + ":1");
  for (size_t i = 0; i < names.size(); ++i)
    maker.Add({"a.A.run:1", names[i]}, 1, i % 2 == 0 ? 4'000 : 9'000);
  maker.Finish();
  const calltree::CallTree tree = TreeIn(document);
  const std::vector<MatrixEntry> stack = MatrixStack(tree);
  ASSERT_EQ(stack.size(), 30U);
  EXPECT_EQ(tree.NameOf(stack[0].method), "a.A.run");
  // All of 4 ms go in the first round, and one of 9 ms, the last one, in the second.
  for (size_t i = 1; i < stack.size(); ++i) EXPECT_EQ(stack[i].ms, 9U);
  EXPECT_EQ(tree.NameOf(stack.back().method), "a.B.m57");
}

TEST(MatrixStack, StacksThatNoRoundShortensAreTruncatedToTheLimit) {
  model::Document document = QuietDocument();
  StackText deep;
  std::vector<std::string> names;
  for (int i = 0; i < 50; ++i) names.push_back("a.B.m" + std::to_string(i) + ":1");
  for (const std::string& name : names) deep.push_back(name);
  TreeMaker(&document, 1).Add(deep, 100).Finish();
  const calltree::CallTree tree = TreeIn(document);
  EXPECT_EQ(MatrixStack(tree).size(), 30U);
  EXPECT_EQ(MatrixStack(tree).back().depth, 29U);
  EXPECT_EQ(MatrixStackKey({}, 0), "");
}

TEST(MatrixStack, IdsAreTheSameInAllDumps) {
  model::Document first = QuietDocument();
  model::Document second = QuietDocument();
  TreeMaker(&first, 1).Add({"a.A.run:1", "a.B.work:2"}, 1).Finish();
  TreeMaker(&second, 9).Add({"z.Z.other:1"}, 1).Add({"a.A.run:7", "a.B.work:8"}, 30).Finish();
  const auto a = MatrixStack(TreeIn(first));
  const auto b = MatrixStack(TreeIn(second));
  EXPECT_EQ(a[1].id, b[2].id);
  EXPECT_NE(a[0].id, a[1].id);
}

TEST(MatrixIssue, HoldsWhatIsKnownAndNoMarkup) {
  const model::Document document = AnrDocument();
  const index::DumpIndex index(document);
  const auto of = [&index](uint64_t token) {
    return nlohmann::json::parse(exports::MatrixIssue(index, token));
  };
  const nlohmann::json running = of(17);
  EXPECT_EQ(running["tag"], "Trace_EvilMethod");
  EXPECT_EQ(running["detail"], "ANR");
  EXPECT_EQ(running["cost"], 2962);
  EXPECT_EQ(running["usage"], "97.57%");
  EXPECT_EQ(running["scene"], "CheckoutActivity");
  const nlohmann::json past = of(9);
  EXPECT_EQ(past["detail"], "NORMAL");
  // The key names an entry of the stack, and each entry's method has a name.
  const auto key = past["stackKey"].get<std::string>();
  EXPECT_EQ(past["methods"][key.substr(0, key.size() - 1)], "java.lang.Object.wait");
  std::istringstream lines(past["stack"].get<std::string>());
  size_t entries = 0;
  for (std::string line; std::getline(lines, line); ++entries) {
    const size_t from = line.find(',') + 1;
    EXPECT_TRUE(past["methods"].contains(line.substr(from, line.find(',', from) - from))) << line;
  }
  EXPECT_EQ(entries, 8U);
}

}  // namespace
}  // namespace stillframe::calltree
