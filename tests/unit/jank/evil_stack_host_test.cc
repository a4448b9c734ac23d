// SPDX-License-Identifier: Apache-2.0
// The device's stacks against the host tool's of the same trees.
#include <gtest/gtest.h>

#include <random>

#include "src/jank/evil_stack.h"
#include "tools/stillframe/calltree/matrix_stack.h"

namespace stillframe::jank {
namespace {

// Small trees, which neither trims; the host's ids and keys are those of its Matrix export.
TEST(EvilStack, IsWhatTheHostToolMakesOfTheTree) {
  trace::FrameTable frames;
  trace::TraceTree tree(1);
  const auto frame = [&frames](uint32_t method, int32_t line) {
    return frames.InternFrame("a.B", "m" + std::to_string(method), "()V", "B.java", line,
                              trace::FrameKind::kInterpreted);
  };
  std::mt19937 random(17);
  for (int round = 0; round < 300; ++round) {
    tree.Reset(1);
    uint32_t wall_us = 0;
    for (uint32_t i = 0; i < 40; ++i) {
      std::vector<trace::FrameId> stack;
      for (auto depth = random() % 4; depth-- > 0;)
        stack.push_back(
            frame(static_cast<uint32_t>(random() % 3), 1 + static_cast<int32_t>(random() % 2)));
      const uint32_t us = 1'000 + static_cast<uint32_t>(random() % 40'000);
      wall_us += us;
      tree.Add(stack, {wall_us, us, 0, trace::ThreadState::kRunnable});
    }
    const std::vector<EvilEntry> stack = EvilStackOf(tree, frames, wall_us);
    const calltree::CallTree host_tree(frames, tree);
    const auto host = calltree::MatrixStack(host_tree, 1'000);
    ASSERT_EQ(stack.size(), host.size());
    for (size_t i = 0; i < stack.size(); ++i) {
      ASSERT_EQ(stack[i].depth, host[i].depth) << i;
      ASSERT_EQ(stack[i].id, host[i].id) << i;
      ASSERT_EQ(stack[i].count, host[i].count) << i;
      ASSERT_EQ(stack[i].ms, host[i].ms) << i;
    }
    const std::string key = stack.empty() ? "" : std::to_string(KeyOf(stack, wall_us / 1000)) + "|";
    ASSERT_EQ(key, calltree::MatrixStackKey(host, wall_us / 1000));
  }
}

}  // namespace
}  // namespace stillframe::jank
