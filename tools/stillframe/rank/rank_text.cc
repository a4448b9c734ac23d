// SPDX-License-Identifier: Apache-2.0
// Columns for people, fields for programs.
#include "tools/stillframe/rank/rank_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rank {
namespace {

constexpr size_t kStackRows = 5;
constexpr size_t kFramesOfStack = 12;  // the innermost

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// The end of a name tells more than its beginning.
std::string Fitted(const std::string& name, size_t columns) {
  const size_t length = text::CharacterCount(name);
  if (length <= columns) return name;
  const size_t left_out = text::FirstCharacters(name, length - columns + 3).size();
  return "..." + name.substr(left_out);
}

// What is left for names of at least `least` columns beside `others`.
size_t NameColumns(const TextOptions& options, size_t least, size_t others) {
  return options.width == 0 ? SIZE_MAX : std::max(options.width, least + others) - others;
}

// A method's part of one side.
struct Part {
  double percent = 0;         // of the sampled time
  double ms_per_message = 0;  // of the sampled messages
};

struct Change {
  std::string name;
  Part before;
  Part after;

  double percent() const { return after.percent - before.percent; }
};

Part PartOf(const Sums& sums, const Sums& all, bool by_total) {
  const uint64_t us = by_total ? sums.total_us : sums.self_us;
  return {Percent(us, all.total_us), static_cast<double>(us) / 1000 /
                                         static_cast<double>(std::max<uint64_t>(all.messages, 1))};
}

// Methods whose share changed, by how much.
std::vector<Change> ChangesOf(const Ranking& before, const Ranking& after, bool by_total) {
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

}  // namespace

std::string TopText(const Ranking& ranking, const TextOptions& options) {
  const Sums& all = ranking.all();
  std::string out =
      fmt::format("{} in {}, {} sampled\n\n", calltree::Counted(all.messages, "sampled message"),
                  calltree::Counted(ranking.dumps(), "dump"), calltree::DurationUs(all.total_us));
  out += fmt::format("{:>7} {:>12} {:>7} {:>12} {:>9}  {}\n", "own", "own time", "total",
                     "total time", "messages", "method");
  const size_t name_columns = NameColumns(options, 26, 54);
  for (const MethodId id : ranking.HottestMethods(options.rows, options.by_total)) {
    const Sums& sums = ranking.methods()[id];
    out += fmt::format("{:>6.1f}% {:>12} {:>6.1f}% {:>12} {:>9}  {}\n",
                       Percent(sums.self_us, all.total_us), calltree::DurationUs(sums.self_us),
                       Percent(sums.total_us, all.total_us), calltree::DurationUs(sums.total_us),
                       calltree::Grouped(sums.messages), Fitted(ranking.names()[id], name_columns));
  }
  out += "\nStacks that cost the most, innermost first\n";
  for (const StackId id : ranking.HottestStacks(kStackRows)) {
    const Stack& stack = ranking.stacks()[id];
    out += fmt::format("\n{:>6.1f}% {:>12}, {}, in {}\n", Percent(stack.sums.self_us, all.total_us),
                       calltree::DurationUs(stack.sums.self_us),
                       calltree::Counted(stack.sums.samples, "sample"),
                       calltree::Counted(stack.sums.messages, "message"));
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
  std::vector<Change> rows = ChangesOf(before, after, options.by_total);
  std::string out;
  for (const auto& [side, ranking] :
       {std::pair<const char*, const Ranking*>{"before", &before}, {"after", &after}}) {
    out += fmt::format("{:<7} {} in {}, {} sampled\n", side,
                       calltree::Counted(ranking->all().messages, "sampled message"),
                       calltree::Counted(ranking->dumps(), "dump"),
                       calltree::DurationUs(ranking->all().total_us));
  }
  if (rows.empty()) return out + "\nNo method's share changed.\n";
  out +=
      fmt::format("\n{:^28}  {:^31}\n",
                  options.by_total ? "share of total time" : "share of own time", "ms a message");
  out += fmt::format("{:>9} {:>8} {:>8}  {:>11} {:>9} {:>9}  {}\n", "+/-", "before", "after", "+/-",
                     "before", "after", "method");
  const size_t name_columns = NameColumns(options, 28, 62);
  rows.resize(std::min(rows.size(), options.rows));
  for (const Change& change : rows) {
    out += fmt::format("{:>+8.1f}% {:>7.1f}% {:>7.1f}%  {:>+11.1f} {:>9.1f} {:>9.1f}  {}\n",
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

}  // namespace stillframe::rank
