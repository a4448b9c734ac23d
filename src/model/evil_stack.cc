// SPDX-License-Identifier: Apache-2.0
#include "src/model/evil_stack.h"

#include <zlib.h>

#include <algorithm>
#include <string_view>

namespace stillframe::model {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kKeyPercent = 30;
constexpr uint32_t kLightPercent = 5;
constexpr uint32_t kRoundMs = 5;
constexpr uint32_t kRounds = 60;

// A method with its chain of callers.
struct Call {
  FrameId frame = 0;
  uint32_t parent = kNone;
  uint32_t first_child = kNone;
  uint32_t last_child = kNone;
  uint32_t next_sibling = kNone;
  uint32_t count = 0;
  uint32_t us = 0;
};

bool IsSameMethod(const Frame& a, const Frame& b) {
  return a.class_name == b.class_name && a.method_name == b.method_name &&
         a.signature == b.signature;
}

class CallMerger {
 public:
  CallMerger(const TraceTree& tree, const FrameTable& frames)
      : tree_(tree),
        frames_(frames),
        is_native_(HasOnlyNativeFrames(tree, frames)),
        calls_(tree.nodes().size()) {}

  uint32_t count() const { return count_; }

  const std::vector<Call>& Merge(uint32_t wall_us) {
    const std::vector<uint32_t> until_us = TimesUntil(wall_us);
    const auto nodes = tree_.nodes();
    std::vector<uint32_t> call_of(nodes.size());
    for (size_t i = 1; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      // Native frames count for the method that called them, so that stacks keep the same keys.
      const bool is_method = frames_.At(node.frame).kind != FrameKind::kNative ||
                             (is_native_ && IsNamedNative(frames_, node.frame));
      if (!is_method) {
        call_of[i] = call_of[node.parent];
        continue;
      }
      const uint32_t id = CallUnder(call_of[node.parent], node.frame);
      call_of[i] = id;
      calls_[id].count += node.count;
      calls_[id].us += until_us[node.end()] - until_us[node.offset];
    }
    return calls_;
  }

 private:
  // For each sample the sum of the weights before it.
  std::vector<uint32_t> TimesUntil(uint32_t wall_us) const {
    const auto samples = tree_.samples();
    std::vector<uint32_t> until_us(samples.size() + 1);
    for (size_t i = 0; i < samples.size(); ++i)
      until_us[i + 1] = until_us[i] + samples[i].weight_us;
    if (!samples.empty() && wall_us > samples.back().wall_us)
      until_us.back() += wall_us - samples.back().wall_us;
    return until_us;
  }

  uint32_t CallUnder(uint32_t parent, FrameId frame) {
    const Frame& method = frames_.At(frame);
    for (uint32_t id = calls_[parent].first_child; id != kNone; id = calls_[id].next_sibling)
      if (IsSameMethod(frames_.At(calls_[id].frame), method)) return id;
    const uint32_t id = count_++;
    calls_[id].frame = frame;
    calls_[id].parent = parent;
    Call& above = calls_[parent];
    (above.last_child == kNone ? above.first_child : calls_[above.last_child].next_sibling) = id;
    above.last_child = id;
    return id;
  }

  const TraceTree& tree_;
  const FrameTable& frames_;
  const bool is_native_;     // native frames stand for methods
  std::vector<Call> calls_;  // [0]: root; at most the tree's number of nodes
  uint32_t count_ = 1;       // entries in use
};

// The host tool's method numbers. 31 bits: Matrix reads ids into a Java int.
uint32_t IdOf(const FrameTable& frames, FrameId frame) {
  std::string text(frames.ClassName(frame));
  text += '.';
  text += frames.MethodName(frame);
  return static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(text.data()),
                                     static_cast<uInt>(text.size()))) &
         uint32_t{INT32_MAX};
}

// The next in preorder, which must exist.
uint32_t Next(const std::vector<Call>& calls, uint32_t id, uint32_t* depth) {
  if (calls[id].first_child != kNone) {
    ++*depth;
    return calls[id].first_child;
  }
  for (; calls[id].next_sibling == kNone; --*depth) id = calls[id].parent;
  return calls[id].next_sibling;
}

bool IsMoreThan(uint32_t percent, uint32_t part, uint32_t whole) {
  return uint64_t{part} * 100 > uint64_t{whole} * percent;
}

// For each entry: whether it has a single callee that took nearly all of its time.
std::vector<bool> OnlyForwards(const std::vector<EvilEntry>& stack) {
  std::vector<bool> only_forwards(stack.size());
  std::vector<size_t> way;  // from the root to the current entry
  for (size_t i = 0; i < stack.size(); ++i) {
    way.resize(stack[i].depth);
    if (!way.empty())
      only_forwards[way.back()] =
          way.back() + 1 == i && IsMoreThan(100 - kLightPercent, stack[i].ms, stack[way.back()].ms);
    way.push_back(i);
  }
  return only_forwards;
}

// The outermost entry that can go without loss: it has a single callee, and is the only root or
// itself a single callee. Both ends of such a chain stay. Returns the stack's size if there is
// none.
size_t OutermostForwarder(const std::vector<EvilEntry>& stack, bool is_one_root, uint32_t key) {
  const std::vector<bool> only_forwards = OnlyForwards(stack);
  size_t outermost = stack.size();
  for (size_t i = 0; i < stack.size(); ++i) {
    // In a chain the caller is the entry before.
    const bool is_called_so = stack[i].depth == 0 ? is_one_root : only_forwards[i - 1];
    const bool is_below = stack[i].depth == 0 || stack[i - 1].depth + 1 == stack[i].depth;
    if (only_forwards[i] && is_called_so && is_below && stack[i].id != key &&
        (outermost == stack.size() || stack[i].depth < stack[outermost].depth))
      outermost = i;
  }
  return outermost;
}

}  // namespace

bool HasOnlyNativeFrames(const TraceTree& tree, const FrameTable& frames) {
  return std::ranges::all_of(
      tree.nodes().subspan(1),
      [&frames](const Node& node) { return frames.At(node.frame).kind == FrameKind::kNative; });
}

bool IsNamedNative(const FrameTable& frames, FrameId frame) {
  const std::string_view library = frames.ClassName(frame);
  return !library.empty() && library != kKernel && library[0] != '[' &&
         !library.starts_with("libc.so") && !frames.MethodName(frame).starts_with("0x");
}

std::vector<EvilEntry> EvilStackOf(const TraceTree& tree, const FrameTable& frames,
                                   uint32_t wall_us) {
  CallMerger merger(tree, frames);
  const std::vector<Call>& calls = merger.Merge(wall_us);
  std::vector<EvilEntry> stack(merger.count() - 1);
  uint32_t depth = 0;
  uint32_t id = 0;
  for (EvilEntry& entry : stack) {
    id = Next(calls, id, &depth);
    const Call& call = calls[id];
    entry = {depth - 1, IdOf(frames, call.frame), call.count, call.us / 1000, call.frame};
  }
  return stack;
}

uint32_t KeyOf(const std::vector<EvilEntry>& stack, uint32_t whole_ms) {
  uint32_t key = stack.empty() ? 0 : stack[0].id;
  uint64_t best = 0;
  for (const EvilEntry& entry : stack) {
    const uint64_t rank = (uint64_t{entry.depth} + 1) * entry.ms;
    if (!IsMoreThan(kKeyPercent, entry.ms, whole_ms) || rank <= best) continue;
    best = rank;
    key = entry.id;
  }
  return key;
}

bool HasShare(const std::vector<EvilEntry>& stack, uint32_t id, uint32_t whole_ms) {
  return std::any_of(
      stack.begin(), stack.end(),
      [&](const EvilEntry& entry) {
        return entry.id == id && IsMoreThan(kKeyPercent / 2, entry.ms, whole_ms);
      });
}

void DropOne(uint32_t whole_ms, uint32_t key, std::vector<EvilEntry>* stack) {
  size_t lightest = 0;
  bool is_one_root = true;
  for (size_t i = 1; i < stack->size(); ++i) {
    if ((*stack)[i].ms <= (*stack)[lightest].ms) lightest = i;
    is_one_root &= (*stack)[i].depth > 0;
  }
  const bool is_light = uint64_t{(*stack)[lightest].ms} * 100 < uint64_t{whole_ms} * kLightPercent;
  size_t dropped = lightest;
  if (!is_light) dropped = OutermostForwarder(*stack, is_one_root, key);
  if (dropped == stack->size()) dropped = is_one_root && stack->front().id != key ? 0 : lightest;
  const uint32_t depth = (*stack)[dropped].depth;
  for (size_t below = dropped + 1; below < stack->size() && (*stack)[below].depth > depth; ++below)
    --(*stack)[below].depth;
  stack->erase(stack->begin() + static_cast<ptrdiff_t>(dropped));
}

void Trim(uint32_t whole_ms, size_t most, uint32_t key, std::vector<EvilEntry>* stack) {
  for (uint32_t round = 1; round <= kRounds && stack->size() > most; ++round) {
    size_t surplus = stack->size() - most;
    size_t kept = stack->size();
    for (size_t i = stack->size(); i-- > 0;)
      if (surplus > 0 && (*stack)[i].ms < round * kRoundMs)
        --surplus;
      else
        (*stack)[--kept] = (*stack)[i];
    stack->erase(stack->begin(), stack->begin() + static_cast<ptrdiff_t>(kept));
  }
  while (stack->size() > most) DropOne(whole_ms, key, stack);
}

std::string NameOf(const EvilEntry& entry, const FrameTable& frames) {
  const bool is_missing = frames.At(entry.frame).kind == FrameKind::kTruncated;
  std::string name(is_missing ? "[cut: " : frames.ClassName(entry.frame));
  if (!is_missing && !name.empty()) name += '.';
  name += frames.MethodName(entry.frame);
  if (is_missing) name += ']';
  return name;
}

}  // namespace stillframe::model
