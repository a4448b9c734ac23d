// SPDX-License-Identifier: Apache-2.0
// The trace tree against naive models: exact restoration, halving, bounds.
#include "src/model/trace_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/unit/model/random_stacks.h"

namespace stillframe::model {
namespace {

// The stack of sample `index`, outermost first; empty if there is no such sample.
std::vector<FrameId> StackOf(const TraceTree& tree, uint32_t index) {
  std::vector<FrameId> found;
  tree.ForEachStack([&](uint32_t at, std::span<const FrameId> stack, const Sample&) {
    if (at == index) found.assign(stack.begin(), stack.end());
  });
  return found;
}

// The tree's content as plain lists.
struct Model {
  std::vector<Stack> stacks;
  std::vector<Sample> samples;

  void Halve() {
    const size_t half = (stacks.size() + 1) / 2;
    for (size_t i = 0; i < half; ++i) {
      stacks[i] = stacks[2 * i];
      Sample merged = samples[2 * i];
      if (2 * i + 1 < samples.size()) {
        merged.wall_us = samples[2 * i + 1].wall_us;
        merged.cpu_us = samples[2 * i + 1].cpu_us;
        merged.weight_us += samples[2 * i + 1].weight_us;
      }
      samples[i] = merged;
    }
    stacks.resize(half);
    samples.resize(half);
  }
};

// The invariants of the header, and that no two neighbours should have been one node.
void CheckInvariants(const TraceTree& tree) {
  const std::span<const Node> nodes = tree.nodes();
  ASSERT_EQ(nodes[kRootNode].count, tree.sample_count());
  std::vector<NodeId> last_child(nodes.size(), kNoNode);
  Stack path = {kRootNode};
  for (NodeId id = 1; id < nodes.size(); ++id) {
    const Node& node = nodes[id];
    ASSERT_GT(node.count, 0U);
    ASSERT_LE(node.depth, path.size());
    path.resize(node.depth);
    ASSERT_EQ(node.parent, path.back());
    const Node& parent = nodes[node.parent];
    ASSERT_GE(node.offset, parent.offset);
    ASSERT_LE(node.end(), parent.end());
    const NodeId sibling = last_child[node.parent];
    if (sibling == kNoNode) {
      ASSERT_EQ(parent.first_child, id);
    } else {
      ASSERT_EQ(nodes[sibling].next_sibling, id);
      ASSERT_GE(node.offset, nodes[sibling].end());
      ASSERT_FALSE(nodes[sibling].frame == node.frame && nodes[sibling].end() == node.offset);
    }
    last_child[node.parent] = id;
    path.push_back(id);
  }
  for (NodeId id = 0; id < nodes.size(); ++id) {
    ASSERT_EQ(nodes[id].last_child, last_child[id]);
    if (last_child[id] != kNoNode)
      ASSERT_EQ(nodes[last_child[id]].next_sibling, kNoNode);
    else
      ASSERT_EQ(nodes[id].first_child, kNoNode);
  }
}

uint64_t TotalWeight(const TraceTree& tree) { return tree.WeightUs(tree.At(kRootNode)); }

TEST(TraceTree, AnEmptyTreeHasARoot) {
  TraceTree tree(Token{17});
  EXPECT_EQ(tree.token(), Token{17});
  EXPECT_TRUE(tree.empty());
  EXPECT_EQ(tree.nodes().size(), 1U);
  EXPECT_TRUE(StackOf(tree, 0).empty());
  tree.CloseAt(100);
  EXPECT_EQ(TotalWeight(tree), 0U);
}

TEST(TraceTree, MergesConsecutiveFramesOnly) {
  TraceTree tree;
  for (const Stack& stack : {Stack{1, 2}, Stack{1, 2}, Stack{1, 3}, Stack{1, 2}})
    tree.Add(stack, {});
  ASSERT_EQ(tree.nodes().size(), 5U);
  EXPECT_EQ(tree.At(1).count, 4U);
  EXPECT_EQ(tree.At(2).count, 2U);
  EXPECT_EQ(tree.At(3).offset, 2U);
  EXPECT_EQ(tree.At(4).offset, 3U);
  EXPECT_EQ(tree.At(4).depth, 2U);
}

TEST(TraceTree, AStackThatEndsAtTheParentEndsARun) {
  TraceTree tree;
  const std::vector<Stack> stacks = {{1, 2}, {1}, {1, 2}, {}, {1, 2}};
  for (const Stack& stack : stacks) tree.Add(stack, {});
  EXPECT_EQ(AllStacks(tree), stacks);
  CheckInvariants(tree);
}

class RandomSequences : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomSequences, testing::Range(0U, 60U));

TEST_P(RandomSequences, AreRestoredExactly) {
  const uint32_t seed = GetParam();
  RandomStacks random(seed, {.frames = 1 + seed % 7, .max_depth = 1 + seed % 20});
  TraceTree tree(Token{1}, {1000, 100'000});
  Model model;
  for (int i = 0; i < 700; ++i) {
    if (random.Below(5) == 0 && i > 0) {
      model.stacks.push_back(model.stacks.back());
      model.samples.push_back(random.NextSample());
      tree.AddRepeat(model.samples.back());
    } else {
      model.stacks.push_back(random.Next());
      model.samples.push_back(random.NextSample());
      tree.Add(model.stacks.back(), model.samples.back());
    }
  }
  CheckInvariants(tree);
  EXPECT_EQ(tree.interval_scale(), 1U);
  EXPECT_EQ(AllStacks(tree), model.stacks);
  EXPECT_TRUE(std::ranges::equal(tree.samples(), model.samples));
  for (uint32_t i = 0; i < tree.sample_count(); ++i) ASSERT_EQ(StackOf(tree, i), model.stacks[i]);
}

// The model halves when the tree does; what must agree is everything else.
TEST_P(RandomSequences, HalveAsTheModelDoes) {
  const uint32_t seed = GetParam();
  RandomStacks random(seed, {.frames = 1 + seed % 5, .max_depth = 1 + seed % 15});
  const TreeLimits limits =
      seed % 2 == 0 ? TreeLimits{16 + seed, 1U << 20} : TreeLimits{4096, 90 + seed};
  TraceTree tree(Token{1}, limits);
  Model model;
  uint64_t weight = 0;
  Stack last;
  int i = 0;
  // Small trees would halve for ever, since this sampler does not slow down.
  for (; i < 1500 && tree.interval_scale() < 1U << 30; ++i) {
    const uint32_t scale = tree.interval_scale();
    const bool is_repeat = random.Below(4) == 0;
    const Sample sample = random.NextSample();
    if (is_repeat) {
      tree.AddRepeat(sample);
    } else {
      last = random.Next();
      tree.Add(last, sample);
    }
    for (uint32_t s = scale; s != tree.interval_scale(); s *= 2) model.Halve();
    model.stacks.push_back(last);
    model.samples.push_back(sample);
    weight += sample.weight_us;
    ASSERT_LE(tree.sample_count(), limits.max_samples);
    ASSERT_LE(tree.nodes().size(), limits.max_nodes);
    if (scale != tree.interval_scale() || i % 97 == 0) {
      ASSERT_EQ(AllStacks(tree), model.stacks) << "after sample " << i;
      CheckInvariants(tree);
    }
  }
  EXPECT_GT(tree.interval_scale(), 1U);
  EXPECT_EQ(AllStacks(tree), model.stacks);
  EXPECT_TRUE(std::ranges::equal(tree.samples(), model.samples));
  EXPECT_EQ(TotalWeight(tree), weight);
  EXPECT_EQ(tree.samples_added(), static_cast<uint64_t>(i));
}

// After halving, the tree is the one that the halved sequence makes from the start.
TEST_P(RandomSequences, HalvedTreesAreCanonical) {
  RandomStacks random(GetParam(), {.frames = 3, .max_depth = 9});
  TraceTree tree(Token{1}, {64, 1U << 20});
  for (int i = 0; i < 1000; ++i) tree.Add(random.Next(), random.NextSample());
  TraceTree again(Token{1}, {4096, 1U << 20});
  tree.ForEachStack([&](uint32_t, std::span<const FrameId> stack, const Sample& sample) {
    again.Add(stack, sample);
  });
  ASSERT_EQ(tree.nodes().size(), again.nodes().size());
  for (NodeId id = 0; id < tree.nodes().size(); ++id) {
    const Node& a = tree.At(id);
    const Node& b = again.At(id);
    EXPECT_EQ(std::tie(a.frame, a.parent, a.first_child, a.last_child, a.next_sibling, a.count,
                       a.offset, a.depth),
              std::tie(b.frame, b.parent, b.first_child, b.last_child, b.next_sibling, b.count,
                       b.offset, b.depth));
  }
}

class LongMessages : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Samples, LongMessages, testing::Values(5'000U, 50'000U));

// Samples a long message with a sampler that obeys interval_scale(), or with one that does not.
void SampleLongMessage(uint32_t intervals, bool slows_down) {
  RandomStacks random(3, {.frames = 500, .min_depth = 30, .max_depth = 60, .most_popped = 6});
  TraceTree tree;
  uint32_t wall_us = 40'000;
  for (uint32_t i = 0; i < intervals;) {
    const uint32_t step = slows_down ? tree.interval_scale() : 1;
    wall_us += step * 10'000;
    tree.Add(random.Next(), {wall_us, step * 10'000, wall_us, ThreadState::kRunnable});
    i += step;
  }
  EXPECT_LE(tree.sample_count(), 4096U);
  EXPECT_LE(tree.nodes().size(), 8192U);
  EXPECT_LT(tree.memory_bytes(), 400U * 1024);
  EXPECT_EQ(TotalWeight(tree), wall_us - 40'000);
  // No hole: each sample begins where the one before it ended.
  uint32_t end_us = 40'000;
  for (const Sample& sample : tree.samples()) {
    ASSERT_EQ(sample.wall_us, end_us + sample.weight_us);
    end_us = sample.wall_us;
    if (slows_down) EXPECT_LE(sample.weight_us, tree.interval_scale() * 10'000);
  }
  EXPECT_EQ(end_us, wall_us);
  if (slows_down) EXPECT_GE(tree.sample_count(), intervals / tree.interval_scale());
}

TEST_P(LongMessages, StayCoveredInBoundedMemory) { SampleLongMessage(GetParam(), true); }

TEST_P(LongMessages, StayCoveredEvenIfTheSamplerDoesNotSlowDown) {
  SampleLongMessage(GetParam(), false);
}

TEST(TraceTree, AddsAreCheapEnoughForEverySample) {
  RandomStacks random(3, {.frames = 2000, .min_depth = 100, .max_depth = 120, .most_popped = 110});
  TraceTree tree;
  for (int i = 0; i < 20'000; ++i) tree.Add(random.Next(), random.NextSample());
  CheckInvariants(tree);
  EXPECT_LE(tree.nodes().size(), 8192U);
}

TEST(TraceTree, TruncatesStacksDeeperThanItsBound) {
  TraceTree tree(Token{1}, {8, 64});
  Stack deep(10'000);
  for (uint32_t i = 0; i < deep.size(); ++i) deep[i] = i;
  for (uint32_t i = 0; i < 50; ++i) {
    deep[0] = i;
    tree.Add(deep, {i, 1, i, ThreadState::kRunnable});
    tree.AddRepeat({i, 1, i, ThreadState::kRunnable});
  }
  EXPECT_EQ(tree.max_depth(), 16U);
  EXPECT_EQ(tree.truncated_stacks(), 50U);
  EXPECT_LE(tree.nodes().size(), 64U);
  EXPECT_EQ(StackOf(tree, 0).size(), 16U);
  EXPECT_EQ(TotalWeight(tree), 100U);
  CheckInvariants(tree);
}

TEST(TraceTree, DoesNotAllocateOnceGrown) {
  RandomStacks random(5, {.frames = 100, .max_depth = 40, .most_popped = 20});
  TraceTree tree(Token{1}, {256, 2048});
  for (int i = 0; i < 3000; ++i) {
    tree.Add(random.Next(), random.NextSample());
    tree.AddRepeat(random.NextSample());
  }
  const size_t grown = tree.memory_bytes();
  const Node* nodes = tree.nodes().data();
  tree.Reset(Token{2});
  EXPECT_TRUE(tree.empty());
  EXPECT_EQ(tree.interval_scale(), 1U);
  for (int i = 0; i < 3000; ++i) {
    tree.Add(random.Next(), random.NextSample());
    tree.AddRepeat(random.NextSample());
  }
  EXPECT_EQ(tree.memory_bytes(), grown);
  EXPECT_EQ(tree.nodes().data(), nodes);
}

TEST(TraceTree, TheLastSampleKeepsItsStackWhenItIsHalvedOnDemand) {
  for (uint32_t samples = 1; samples <= 40; ++samples) {
    RandomStacks random(samples, {.frames = 6, .max_depth = 14});
    TraceTree tree(Token{9});
    uint64_t weight_us = 0;
    Stack last;
    for (uint32_t i = 0; i < samples; ++i) {
      const Sample sample = random.NextSample();
      weight_us += sample.weight_us;
      last = random.Next();
      tree.Add(last, sample);
    }
    tree.Coarsen();
    CheckInvariants(tree);
    EXPECT_EQ(tree.sample_count(), samples / 2 + 1);
    EXPECT_EQ(tree.samples_added(), samples);
    EXPECT_EQ(tree.interval_scale(), 2U);
    EXPECT_EQ(TotalWeight(tree), weight_us);
    tree.AddRepeat(random.NextSample());
    EXPECT_EQ(StackOf(tree, samples / 2), last);
    EXPECT_EQ(StackOf(tree, samples / 2 + 1), last);
  }
}

TEST(TraceTree, CloseAtCoversTheRestOfTheMessage) {
  TraceTree tree;
  tree.Add(Stack{1}, {50'000, 50'000, 50'000, ThreadState::kRunnable});
  tree.Add(Stack{1}, {60'000, 10'000, 60'000, ThreadState::kRunnable});
  tree.CloseAt(67'500);
  EXPECT_EQ(TotalWeight(tree), 67'500U);
  EXPECT_EQ(tree.samples().back().wall_us, 60'000U);
  tree.CloseAt(60'000);
  EXPECT_EQ(TotalWeight(tree), 67'500U);
}

TEST(TraceTree, FromPreorderIsTheInverse) {
  RandomStacks random(11, {.frames = 6, .max_depth = 14});
  TraceTree tree(Token{9});
  for (int i = 0; i < 500; ++i) tree.Add(random.Next(), random.NextSample());
  std::vector<PreorderNode> nodes;
  for (const Node& node : tree.nodes().subspan(1))
    nodes.push_back({node.frame, node.depth, node.offset, node.count});
  const char* why = "";
  auto again = TraceTree::FromPreorder(Token{9}, nodes, tree.samples(), 7, &why);
  ASSERT_TRUE(again) << why;
  CheckInvariants(*again);
  EXPECT_EQ(AllStacks(*again), AllStacks(tree));
  EXPECT_FALSE(TraceTree::FromPreorder(Token{9}, nodes, tree.samples(), 6, &why));
  // The copy continues where the first tree ended.
  for (int i = 0; i < 50; ++i) {
    again->Add(random.Next(), random.NextSample());
    again->AddRepeat(random.NextSample());
  }
  CheckInvariants(*again);
}

TEST(TraceTree, ATreeDeeperThanItsBoundTakesMoreSamples) {
  std::vector<PreorderNode> nodes;
  for (uint32_t depth = 1; depth <= 3000; ++depth) nodes.push_back({depth, depth, 0, 1});
  const char* why = "";
  auto tree = TraceTree::FromPreorder(Token{1}, nodes, std::vector<Sample>(1), 4000, &why);
  ASSERT_TRUE(tree) << why;
  for (uint32_t i = 0; i < 10; ++i) tree->Add(Stack{i, i + 1}, {});
  CheckInvariants(*tree);
}

TEST(TraceTree, FromPreorderRefusesWhatNoTreeIs) {
  const std::vector<Sample> samples(4);
  const std::map<std::string, std::vector<PreorderNode>> cases = {
      {"depth 0", {{1, 0, 0, 4}}},
      {"first too deep", {{1, 2, 0, 4}}},
      {"jump", {{1, 1, 0, 4}, {1, 3, 0, 4}}},
      {"count 0", {{1, 1, 0, 0}}},
      {"count beyond the root", {{1, 1, 0, 5}}},
      {"offset beyond the root", {{1, 1, 4, 1}}},
      {"overflow", {{1, 1, 0xFFFFFFFFU, 2}}},
      {"child before its parent", {{1, 1, 1, 3}, {2, 2, 0, 1}}},
      {"child beyond its parent", {{1, 1, 0, 2}, {2, 2, 1, 2}}},
      {"siblings overlap", {{1, 1, 0, 2}, {2, 1, 1, 2}}},
      {"siblings out of order", {{1, 1, 2, 1}, {2, 1, 0, 1}}},
      {"no such frame", {{10, 1, 0, 1}}},
  };
  for (const auto& [name, nodes] : cases) {
    const char* why = nullptr;
    EXPECT_FALSE(TraceTree::FromPreorder(Token{1}, nodes, samples, 10, &why)) << name;
    EXPECT_NE(why, nullptr) << name;
  }
}

}  // namespace
}  // namespace stillframe::model
