// SPDX-License-Identifier: Apache-2.0
// Call trees: what is merged, how time adds up, and that they agree with counting stack by stack.
#include "tools/stillframe/index/call_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/render/text_report.h"

namespace stillframe::index {
namespace {

using host_test::QuietDocument;
using host_test::TreeMaker;

const Method* Find(const CallTree& tree, std::string_view name) {
  for (MethodId id = 0; id < tree.methods().size(); ++id)
    if (tree.NameOf(id) == name) return &tree.methods()[id];
  return nullptr;
}

TEST(CallTree, MergesByMethodAndKeepsTime) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1)
      .Add({"a.A.f:1", "a.B.g:5"}, 3)
      .Add({"a.A.f:2"}, 1)
      .Add({"a.A.f:1", "a.B.g:6"}, 5)
      .Finish();
  const CallTree tree(document.frames, document.trees[0]);
  EXPECT_EQ(tree.root().total_us, 90'000U);
  ASSERT_EQ(tree.nodes().size(), 3U);  // root, f, g
  ASSERT_EQ(tree.methods().size(), 2U);
  const Method* f = Find(tree, "a.A.f");
  const Method* g = Find(tree, "a.B.g");
  ASSERT_TRUE(f != nullptr && g != nullptr);
  EXPECT_EQ(f->total_us, 90'000U);
  EXPECT_EQ(f->self_us, 10'000U);
  EXPECT_EQ(f->hottest_line, 1);
  EXPECT_EQ(f->hottest_line_us, 80'000U);
  EXPECT_EQ(g->self_us, 80'000U);
  EXPECT_EQ(g->hottest_line, 6);
}

TEST(CallTree, ARecursiveMethodCountsOnceForAStack) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1).Add({"a.A.f:1", "a.A.f:1", "a.B.g:9", "a.A.f:3"}, 4).Finish();
  const CallTree tree(document.frames, document.trees[0]);
  const Method* f = Find(tree, "a.A.f");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->total_us, 40'000U);
  EXPECT_EQ(f->self_us, 40'000U);
  EXPECT_EQ(f->hottest_line, 3);  // of the innermost frame
  EXPECT_EQ(f->hottest_line_us, 40'000U);
}

TEST(CallTree, AMethodCountsTheTimeThatMayBeThatOfInlinedOnes) {
  for (const uint32_t guesses : {3U, 1U}) {
    model::Document document = QuietDocument();
    const auto frame = [&](model::FrameKind kind) {
      return document.frames.InternFrame("a.A", "f", "()V", "A.java", 1, kind);
    };
    model::TraceTree tree;
    tree.Reset(Token{1});
    for (uint32_t i = 0; i < 4; ++i) {
      const model::FrameId stack[] = {
          frame(i < guesses ? model::FrameKind::kCompiledOrInlined : model::FrameKind::kCompiled)};
      tree.Add(stack, {10'000 * (i + 1), 10'000, 0, model::ThreadState::kRunnable});
    }
    const CallTree calls(document.frames, tree);
    ASSERT_EQ(calls.methods().size(), 1U) << "merged";
    EXPECT_EQ(calls.methods()[0].guess_us, guesses * 10'000U);
    EXPECT_EQ(calls.NameOf(0), "a.A.f");
  }
}

TEST(CallTree, TheTextMarksOwnTimeThatIsMostlyAGuess) {
  model::Document document = QuietDocument();
  const auto frame = [&](const char* method, model::FrameKind kind) {
    return document.frames.InternFrame("a.A", method, "()V", "A.java", 1, kind);
  };
  const model::FrameId outer[] = {frame("f", model::FrameKind::kCompiled),
                                  frame("g", model::FrameKind::kCompiled)};
  const model::FrameId guess[] = {frame("f", model::FrameKind::kCompiledOrInlined)};
  model::TraceTree tree(Token{1});
  for (uint32_t i = 0; i < 100; ++i)
    tree.Add(i < 60 ? std::span<const model::FrameId>(outer) : guess,
             {10'000 * (i + 1), 10'000, 0, model::ThreadState::kRunnable});
  document.trees.push_back(std::move(tree));
  document.history = {host_test::PastMessage(document, 1, 5'000, 1'000, 1'000)};
  const index::DumpIndex index(document);
  const std::string text = render::TextReport(index, judge::Judge(index));
  const std::string own = text.substr(text.find("Most self time:"));
  EXPECT_NE(own.find("a.A.f or inlined into it (A.java:1)"), std::string::npos) << text;
  EXPECT_NE(own.find("a.A.g (A.java:1)"), std::string::npos) << text;
}

TEST(CallTree, SplitsStates) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1)
      .Add({"a.A.f:1"}, 2)
      .Add({"a.A.f:1"}, 3, 10'000, model::ThreadState::kBlocked)
      .Finish();
  const CallTree tree(document.frames, document.trees[0]);
  EXPECT_EQ(tree.root().state_us[1], 20'000U);
  EXPECT_EQ(DominantState(tree.root().state_us), model::ThreadState::kBlocked);
}

TEST(CallTree, AgreesWithCountingStackByStack) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    model::Document document = QuietDocument();
    model::TraceTree trace(Token{1});
    std::map<std::string, uint64_t> total_us;
    std::map<std::string, uint64_t> self_us;
    for (uint32_t i = 0; i < 60; ++i) {
      std::vector<model::FrameId> stack;
      std::set<std::string> seen;
      const auto weight_us = static_cast<uint32_t>(random() % 100);
      std::string name;
      for (uint64_t depth = random() % 7; depth > 0; --depth) {
        name = "a.C" + std::to_string(random() % 4) + ".m";
        stack.push_back(host_test::AddFrame(&document, name + ":" + std::to_string(random() % 3)));
        total_us[name] += seen.insert(name).second ? weight_us : 0;
      }
      if (!stack.empty()) self_us[name] += weight_us;
      trace.Add(stack, {.wall_us = i,
                        .weight_us = weight_us,
                        .cpu_us = 0,
                        .state = static_cast<model::ThreadState>(random() % 9)});
    }
    const CallTree tree(document.frames, trace);
    for (MethodId id = 0; id < tree.methods().size(); ++id) {
      EXPECT_EQ(tree.methods()[id].total_us, total_us[tree.NameOf(id)]);
      EXPECT_EQ(tree.methods()[id].self_us, self_us[tree.NameOf(id)]);
      EXPECT_LE(tree.methods()[id].hottest_line_us, tree.methods()[id].total_us);
    }
    for (const CallNode& node : tree.nodes()) {
      uint64_t below_us = node.self_us;
      for (uint32_t child = node.first_child; child != kNone;
           child = tree.nodes()[child].next_sibling)
        below_us += tree.nodes()[child].total_us;
      uint64_t states_us = 0;
      for (const uint64_t state_us : node.state_us) states_us += state_us;
      EXPECT_EQ(below_us, node.total_us);
      EXPECT_EQ(states_us, node.total_us);
    }
  }
}

}  // namespace
}  // namespace stillframe::index
