// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/method_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"

namespace stillframe::render {
namespace {

using fleet::Change;
using fleet::kEmptyStack;
using fleet::MethodId;
using fleet::MethodSums;
using fleet::Stack;
using fleet::StackId;
using nlohmann::ordered_json;

ordered_json SideJson(const MethodRanking& ranking) {
  return {{"dumps", ranking.dumps()},
          {"looks", ranking.looks()},
          {"messages", ranking.all().messages},
          {"total_us", ranking.all().total_us}};
}

constexpr size_t kStackRows = 5;
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

// "" if all dumps have samples.
std::string LooksText(const MethodRanking& ranking) {
  return ranking.looks() == 0
             ? ""
             : fmt::format("{} with one look at the main thread: each counts as 1 ms\n\n",
                           index::Counted(ranking.looks(), "dump"));
}

}  // namespace

std::string TopText(const MethodRanking& ranking, const TextOptions& options) {
  const MethodSums& all = ranking.all();
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
    const MethodSums& sums = ranking.methods()[id];
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

std::string DiffText(const MethodRanking& before, const MethodRanking& after,
                     const TextOptions& options) {
  std::vector<Change> rows = Changes(before, after, options.by_total);
  std::string out;
  for (const auto& [side, ranking] :
       {std::pair<const char*, const MethodRanking*>{"before", &before}, {"after", &after}}) {
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

std::string DiffFolded(const MethodRanking& before, const MethodRanking& after) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> lines;
  const auto add = [&lines](const MethodRanking& ranking, bool is_after) {
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

std::string TopJson(const MethodRanking& ranking, const TextOptions& options) {
  ordered_json methods = ordered_json::array();
  for (const MethodId id : ranking.HottestMethods(options.rows, options.by_total)) {
    const MethodSums& sums = ranking.methods()[id];
    methods.push_back({{"method", ranking.names()[id]},
                       {"self_us", sums.self_us},
                       {"total_us", sums.total_us},
                       {"messages", sums.messages}});
  }
  ordered_json stacks = ordered_json::array();
  for (const StackId id : ranking.HottestStacks(kStackRows)) {
    const MethodSums& sums = ranking.stacks()[id].sums;
    ordered_json frames = ordered_json::array();
    for (StackId at = id; at != kEmptyStack; at = ranking.stacks()[at].parent)
      frames.push_back(ranking.names()[ranking.stacks()[at].method]);
    stacks.push_back({{"self_us", sums.self_us},
                      {"samples", sums.samples},
                      {"messages", sums.messages},
                      {"frames", frames}});
  }
  ordered_json json = SideJson(ranking);
  json["methods"] = methods;
  json["stacks"] = stacks;
  return json.dump(1) + "\n";
}

std::string DiffJson(const MethodRanking& before, const MethodRanking& after,
                     const TextOptions& options) {
  std::vector<Change> changes = Changes(before, after, options.by_total);
  changes.resize(std::min(changes.size(), options.rows));
  ordered_json methods = ordered_json::array();
  for (const Change& change : changes) {
    methods.push_back({{"method", change.name},
                       {"before_percent", change.before.percent},
                       {"after_percent", change.after.percent},
                       {"before_ms_per_message", change.before.ms_per_message},
                       {"after_ms_per_message", change.after.ms_per_message}});
  }
  const ordered_json json = {{"by", options.by_total ? "total" : "self"},
                             {"before", SideJson(before)},
                             {"after", SideJson(after)},
                             {"methods", methods}};
  return json.dump(1) + "\n";
}

}  // namespace stillframe::render
