// SPDX-License-Identifier: Apache-2.0
// Trims and ranks as Matrix does it (Tencent/matrix, matrix-trace-canary).
#include "tools/stillframe/calltree/matrix_stack.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

namespace stillframe::calltree {
namespace {

constexpr uint64_t kRoundMs = 5;
constexpr uint64_t kRounds = 60;
constexpr uint64_t kKeyPercent = 30;

// Drops entries, the last ones first, until `most` are left or no round drops any more.
void Trim(size_t most, std::vector<MatrixEntry>* stack) {
  for (uint64_t round = 1; round <= kRounds && stack->size() > most; ++round) {
    size_t surplus = stack->size() - most;
    const auto kept = std::remove_if(stack->rbegin(), stack->rend(), [&](const MatrixEntry& entry) {
      const bool drops = surplus > 0 && entry.ms < round * kRoundMs;
      surplus -= drops ? 1 : 0;
      return drops;
    });
    stack->erase(stack->begin(), kept.base());
  }
  stack->resize(std::min(stack->size(), most), MatrixEntry{});
}

}  // namespace

uint32_t MatrixMethodId(const CallTree& tree, MethodId method) {
  const Method& names = tree.methods()[method];
  std::string text(tree.frames().String(names.class_name));
  text.append(".").append(tree.frames().String(names.method_name));
  constexpr uint32_t kLargestJavaInt = 0x7FFF'FFFF;  // Matrix reads ids into one
  return static_cast<uint32_t>(
             crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size())) &
         kLargestJavaInt;
}

std::vector<MatrixEntry> MatrixStack(const CallTree& tree, size_t most) {
  std::vector<MatrixEntry> stack;
  std::vector<uint32_t> open = {0};  // nodes to visit, the next one last
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    const CallNode& node = tree.nodes()[id];
    if (id != 0) {
      stack.push_back({node.depth - 1, MatrixMethodId(tree, node.method), node.samples,
                       node.total_us / 1000, node.method});
    }
    const auto first_child = static_cast<std::ptrdiff_t>(open.size());
    for (uint32_t child = node.first_child; child != kNone;
         child = tree.nodes()[child].next_sibling)
      open.push_back(child);
    std::sort(open.begin() + first_child, open.end(), [&tree](uint32_t a, uint32_t b) {
      return std::pair(tree.nodes()[a].first_sample, a) >
             std::pair(tree.nodes()[b].first_sample, b);
    });
  }
  Trim(most, &stack);
  return stack;
}

const MatrixEntry* MatrixKeyEntry(const std::vector<MatrixEntry>& stack, uint64_t whole_ms) {
  const MatrixEntry* key = stack.empty() ? nullptr : stack.data();
  uint64_t best = 0;
  for (const MatrixEntry& entry : stack) {
    const uint64_t rank = (uint64_t{entry.depth} + 1) * entry.ms;
    if (entry.ms * 100 > whole_ms * kKeyPercent && rank > best) {
      best = rank;
      key = &entry;
    }
  }
  return key;
}

std::string MatrixStackKey(const std::vector<MatrixEntry>& stack, uint64_t whole_ms) {
  const MatrixEntry* key = MatrixKeyEntry(stack, whole_ms);
  return key == nullptr ? "" : fmt::format("{}|", key->id);
}

}  // namespace stillframe::calltree
