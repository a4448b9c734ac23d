// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/compare/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::compare {
namespace {

constexpr size_t kFramesOfStack = 12;  // the innermost ones

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// Cuts the beginning, because the end of a name says more.
std::string Fitted(const std::string& name, size_t columns) {
  const size_t length = index::CharacterCount(name);
  if (length <= columns) return name;
  const size_t left_out = index::FirstCharacters(name, length - columns + 3).size();
  return "..." + name.substr(left_out);
}

// Columns for names beside `others`, at least `least`.
size_t NameColumns(const TextOptions& options, size_t least, size_t others) {
  return options.width == 0 ? SIZE_MAX : std::max(options.width, least + others) - others;
}

Part PartOf(const Sums& sums, const Sums& all, bool by_total) {
  const uint64_t us = by_total ? sums.total_us : sums.self_us;
  return {Percent(us, all.total_us), static_cast<double>(us) / 1000 /
                                         static_cast<double>(std::max<uint64_t>(all.messages, 1))};
}

constexpr MethodId kUnknownYet = UINT32_MAX;

// Sorts the `count` largest ids to the front by key. Among equals, smaller ids first.
template <typename Key>
std::vector<uint32_t> Largest(size_t size, size_t count, const Key& key) {
  std::vector<uint32_t> ids(size);
  std::iota(ids.begin(), ids.end(), 0U);
  std::erase_if(ids, [&key](uint32_t id) { return key(id) == 0; });
  const size_t kept = std::min(count, ids.size());
  std::partial_sort(
      ids.begin(), ids.begin() + static_cast<ptrdiff_t>(kept), ids.end(),
      [&key](uint32_t a, uint32_t b) { return key(a) != key(b) ? key(a) > key(b) : a < b; });
  ids.resize(kept);
  return ids;
}

bool IsDispatching(const model::FrameTable& frames, model::FrameId id) {
  return frames.ClassName(id) == "android.os.Handler" &&
         (frames.MethodName(id) == "dispatchMessage" || frames.MethodName(id) == "handleCallback");
}

// By node: whether it or a node below it dispatches a message.
std::vector<bool> LoopOf(const model::FrameTable& frames, const model::TraceTree& tree) {
  std::vector<bool> is_loop(tree.nodes().size());
  for (size_t i = is_loop.size(); i-- > 1;) {
    const model::Node& node = tree.nodes()[i];
    if (is_loop[i] || IsDispatching(frames, node.frame)) {
      is_loop[i] = true;
      is_loop[node.parent] = true;
    }
  }
  return is_loop;
}

bool IsRunning(const model::Document& document, Token token) {
  if (document.running && document.running->token == token) return true;
  return std::any_of(document.loopers.begin(), document.loopers.end(),
                     [token](const model::Looper& looper) {
                       return looper.running && looper.running->token == token;
                     });
}

}  // namespace

std::vector<Change> Changes(const Ranking& before, const Ranking& after, bool by_total) {
  std::map<std::string, Change> changes;
  for (MethodId id = 0; id < before.names().size(); ++id)
    changes[before.names()[id]].before = PartOf(before.methods()[id], before.all(), by_total);
  for (MethodId id = 0; id < after.names().size(); ++id)
    changes[after.names()[id]].after = PartOf(after.methods()[id], after.all(), by_total);
  std::vector<Change> rows;
  for (auto& [name, change] : changes) {
    if (std::abs(change.percent()) >= 0.05) {
      change.name = name;
      rows.push_back(change);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Change& a, const Change& b) {
    return std::abs(a.percent()) > std::abs(b.percent());
  });
  return rows;
}

namespace {

// "" if all dumps have samples.
std::string LooksText(const Ranking& ranking) {
  return ranking.looks() == 0
             ? ""
             : fmt::format("{} with one look at the main thread: each counts as 1 ms\n\n",
                           index::Counted(ranking.looks(), "dump"));
}

}  // namespace

std::string TopText(const Ranking& ranking, const TextOptions& options) {
  const Sums& all = ranking.all();
  std::string out =
      fmt::format("{} in {}, {} sampled\n\n", index::Counted(all.messages, "sampled message"),
                  index::Counted(ranking.dumps(), "dump"), index::DurationUs(all.total_us));
  out += LooksText(ranking);
  if (const uint64_t us = ranking.unsampled_us(); us > 0)
    out +=
        fmt::format("{} of it ({:.1f}%) has no method: no signal came, or no stack was found\n\n",
                    index::DurationUs(us), Percent(us, all.total_us));
  out += fmt::format("{:>7} {:>12} {:>7} {:>12} {:>9}  {}\n", "self", "self time", "total",
                     "total time", "messages", "method");
  const size_t name_columns = NameColumns(options, 26, 54);
  for (const MethodId id : ranking.HottestMethods(options.rows, options.by_total)) {
    const Sums& sums = ranking.methods()[id];
    out += fmt::format("{:>6.1f}% {:>12} {:>6.1f}% {:>12} {:>9}  {}\n",
                       Percent(sums.self_us, all.total_us), index::DurationUs(sums.self_us),
                       Percent(sums.total_us, all.total_us), index::DurationUs(sums.total_us),
                       index::Grouped(sums.messages), Fitted(ranking.names()[id], name_columns));
  }
  out += "\nStacks that cost the most, innermost first\n";
  for (const StackId id : ranking.HottestStacks(kStackRows)) {
    const Stack& stack = ranking.stacks()[id];
    out += fmt::format("\n{:>6.1f}% {:>12}, {}, in {}\n", Percent(stack.sums.self_us, all.total_us),
                       index::DurationUs(stack.sums.self_us),
                       index::Counted(stack.sums.samples, "sample"),
                       index::Counted(stack.sums.messages, "message"));
    size_t shown = 0;
    for (StackId at = id; at != kEmptyStack && shown < kFramesOfStack;
         at = ranking.stacks()[at].parent, ++shown) {
      out += fmt::format("        {}\n", Fitted(ranking.names()[ranking.stacks()[at].method],
                                                NameColumns(options, 40, 8)));
    }
    if (stack.depth > shown) out += fmt::format("        and {} more\n", stack.depth - shown);
    if (id == kEmptyStack) out += "        [empty stack]\n";
  }
  return out;
}

std::string DiffText(const Ranking& before, const Ranking& after, const TextOptions& options) {
  std::vector<Change> rows = Changes(before, after, options.by_total);
  std::string out;
  for (const auto& [side, ranking] :
       {std::pair<const char*, const Ranking*>{"before", &before}, {"after", &after}}) {
    out += fmt::format("{:<7} {} in {}, {} sampled\n", side,
                       index::Counted(ranking->all().messages, "sampled message"),
                       index::Counted(ranking->dumps(), "dump"),
                       index::DurationUs(ranking->all().total_us));
    out += LooksText(*ranking);
  }
  if (rows.empty()) return out + "\nNo method's share changed.\n";
  out +=
      fmt::format("\n{:^28}  {:^31}\n",
                  options.by_total ? "share of total time" : "share of self time", "ms a message");
  out += fmt::format("{:>9} {:>8} {:>8}  {:>11} {:>9} {:>9}  {}\n", "points", "before", "after",
                     "+/-", "before", "after", "method");
  const size_t name_columns = NameColumns(options, 28, 62);
  rows.resize(std::min(rows.size(), options.rows));
  for (const Change& change : rows) {
    out += fmt::format("{:>+9.1f} {:>7.1f}% {:>7.1f}%  {:>+11.1f} {:>9.1f} {:>9.1f}  {}\n",
                       change.percent(), change.before.percent, change.after.percent,
                       change.after.ms_per_message - change.before.ms_per_message,
                       change.before.ms_per_message, change.after.ms_per_message,
                       Fitted(change.name, name_columns));
  }
  return out;
}

std::string DiffFolded(const Ranking& before, const Ranking& after) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> lines;
  const auto add = [&lines](const Ranking& ranking, bool is_after) {
    std::vector<std::string> texts(ranking.stacks().size());
    for (StackId id = 0; id < ranking.stacks().size(); ++id) {
      const Stack& stack = ranking.stacks()[id];
      if (id != kEmptyStack) {
        std::string name = ranking.names()[stack.method];
        std::replace(name.begin(), name.end(), ';', ':');
        texts[id] = stack.parent == kEmptyStack ? name : texts[stack.parent] + ";" + name;
      }
      if (stack.sums.self_us > 0) {
        auto& line = lines[id == kEmptyStack ? "[empty stack]" : texts[id]];
        (is_after ? line.second : line.first) += stack.sums.self_us;
      }
    }
  };
  add(before, false);
  add(after, true);
  std::string out;
  for (const auto& [stack, values] : lines)
    out += fmt::format("{} {} {}\n", stack, values.first, values.second);
  return out;
}

Sums& Sums::operator+=(const Sums& other) {
  samples += other.samples;
  self_us += other.self_us;
  total_us += other.total_us;
  messages += other.messages;
  return *this;
}

Sums& Sums::operator-=(const Sums& other) {
  samples -= other.samples;
  self_us -= other.self_us;
  total_us -= other.total_us;
  messages -= other.messages;
  return *this;
}

MethodId Ranking::Method(const model::FrameTable& frames, model::FrameId id) {
  MethodId& method = method_of_frame_[id];
  if (method != kUnknownYet) return method;
  std::string name =
      index::MethodName(frames.ClassName(id), frames.MethodName(id), frames.At(id).kind);
  const auto [entry, is_new] =
      method_ids_.try_emplace(std::move(name), static_cast<MethodId>(names_.size()));
  if (is_new) {
    names_.push_back(entry->first);
    methods_.emplace_back();
    method_seen_.push_back(0);
    is_cut_.push_back(frames.At(id).kind == model::FrameKind::kTruncated);
    is_beyond_loop_.push_back(false);
    open_.push_back(0);
  }
  method = entry->second;
  return method;
}

void Ranking::Add(const model::Document& document) {
  ++dumps_;
  method_of_frame_.assign(document.frames.size(), kUnknownYet);
  const model::Identity& identity = document.identity;
  // Imports do not identify their process, so none of their messages counts as known.
  Process unknown;
  Process& process =
      identity.process_start_ns == 0
          ? unknown
          : processes_[{identity.process_name, identity.pid, identity.process_start_ns}];
  AddLook(document);
  for (const model::TraceTree& tree : document.trees) {
    uint64_t tree_us = 0;
    for (const model::Sample& sample : tree.samples()) tree_us += sample.weight_us;
    const auto [counted, is_new] = process.counted_us.try_emplace(tree.token(), tree_us);
    if (!is_new) {
      const auto shorter = process.unfinished.find(tree.token());
      if (tree_us <= counted->second || shorter == process.unfinished.end()) continue;
      Subtract(shorter->second);
      process.unfinished.erase(shorter);
      counted->second = tree_us;
    }
    Shares shares = index::HasNativeFrames(document.frames, tree)
                        ? AddTree(document, index::WithoutNativeFrames(document.frames, tree))
                        : AddTree(document, tree);
    if (IsRunning(document, tree.token())) process.unfinished[tree.token()] = std::move(shares);
  }
}

// Traces of an ANR show the main thread once.
void Ranking::AddLook(const model::Document& document) {
  if (!document.trees.empty() || !document.thread_stacks ||
      document.thread_stacks->stacks.empty() || !index::IsImported(document))
    return;
  const model::ThreadStack& main = document.thread_stacks->stacks.front();
  if (main.frames.empty()) return;
  model::TraceTree tree(Token{1});
  const std::vector<model::FrameId> stack(main.frames.rbegin(), main.frames.rend());
  tree.Add(stack, {kLookUs, kLookUs, 0, main.state});
  AddTree(document, tree);
  ++looks_;
}

void Ranking::Subtract(const Shares& shares) {
  for (const auto& [stack, sums] : shares.stacks) stacks_[stack].sums -= sums;
  for (const auto& [method, sums] : shares.methods) methods_[method] -= sums;
}

// Walks the nodes in preorder with a stack of open nodes. A node's own time is what its children do
// not cover.
Shares Ranking::AddTree(const model::Document& document, const model::TraceTree& tree) {
  ++trees_;
  std::map<StackId, Sums> of_stacks;
  std::map<MethodId, Sums> of_methods;
  std::vector<uint64_t> before_us = {0};
  before_us.reserve(tree.sample_count() + 1);
  for (const model::Sample& sample : tree.samples())
    before_us.push_back(before_us.back() + sample.weight_us);
  struct Open {
    StackId stack;
    MethodId method;
    uint64_t own_us;
    uint64_t own_samples;
  };
  std::vector<Open> path;
  const auto begin = [&](StackId stack, MethodId method, const model::Node& node) {
    const uint64_t weight_us = before_us[node.end()] - before_us[node.offset];
    Sums& of_stack = of_stacks[stack];
    of_stack.total_us += weight_us;
    of_stack.messages += stack_seen_[stack] == trees_ ? 0U : 1U;
    stack_seen_[stack] = trees_;
    if (!path.empty()) {
      path.back().own_us -= weight_us;
      path.back().own_samples -= node.count;
      Sums& of_method = of_methods[method];
      of_method.total_us += open_[method] == 0 ? weight_us : 0U;
      of_method.messages += method_seen_[method] == trees_ ? 0U : 1U;
      method_seen_[method] = trees_;
      ++open_[method];
    }
    path.push_back({stack, method, weight_us, node.count});
  };
  const auto end = [&] {
    const Open& node = path.back();
    of_stacks[node.stack].self_us += node.own_us;
    of_stacks[node.stack].samples += node.own_samples;
    if (path.size() > 1) {
      of_methods[node.method].self_us += node.own_us;
      of_methods[node.method].samples += node.own_samples;
      --open_[node.method];
    }
    path.pop_back();
  };
  begin(kEmptyStack, 0, tree.nodes()[0]);
  const std::vector<bool> is_loop = LoopOf(document.frames, tree);
  for (size_t i = 1; i < tree.nodes().size(); ++i) {
    const model::Node& node = tree.nodes()[i];
    while (path.size() > node.depth) end();
    const MethodId method = Method(document.frames, node.frame);
    if (!is_loop[i]) is_beyond_loop_[method] = true;
    const StackId parent = path.back().stack;
    const auto [entry, is_new] = children_.try_emplace((uint64_t{parent} << 32U) | method,
                                                       static_cast<StackId>(stacks_.size()));
    if (is_new) {
      stacks_.push_back({parent, method, stacks_[parent].depth + 1, {}});
      stack_seen_.push_back(0);
    }
    begin(entry->second, method, node);
  }
  while (!path.empty()) end();
  for (const auto& [stack, sums] : of_stacks) stacks_[stack].sums += sums;
  for (const auto& [method, sums] : of_methods) methods_[method] += sums;
  return {{of_stacks.begin(), of_stacks.end()}, {of_methods.begin(), of_methods.end()}};
}

std::vector<MethodId> Ranking::HottestMethods(size_t count, bool by_total) const {
  return Largest(
      methods_.size(), count,
      [&](MethodId id) {
        if (is_cut_[id]) return uint64_t{0};
        if (!by_total) return methods_[id].self_us;
        return is_beyond_loop_[id] ? methods_[id].total_us : uint64_t{0};
      });
}

std::vector<StackId> Ranking::HottestStacks(size_t count) const {
  return Largest(
      stacks_.size(), count,
      [&](StackId id) { return IsUnsampled(stacks_[id]) ? 0 : stacks_[id].sums.self_us; });
}

bool Ranking::IsUnsampled(const Stack& stack) const {
  return stack.depth == 1 && is_cut_[stack.method];
}

uint64_t Ranking::unsampled_us() const {
  uint64_t us = 0;
  for (const Stack& stack : stacks_) us += IsUnsampled(stack) ? stack.sums.self_us : 0;
  return us;
}

}  // namespace stillframe::compare
