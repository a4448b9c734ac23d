#include "tools/rank/rank_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "tools/calltree/clean_text.h"
#include "tools/calltree/figures.h"

namespace stillframe::rank {
namespace {

using Output = std::back_insert_iterator<std::string>;

constexpr size_t kStackRows = 5;
constexpr size_t kFramesOfStack = 12;  // the innermost

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// The end of a name tells more than its beginning.
std::string Fitted(const std::string& name, size_t columns) {
  const size_t length = calltree::CharacterCount(name);
  if (length <= columns) {
    return name;
  }
  const size_t cut = calltree::FirstCharacters(name, length - columns + 3).size();
  return "..." + name.substr(cut);
}

struct Change {
  std::string name;
  double before = 0;  // percent of own time
  double after = 0;
  double total_before = 0;
  double total_after = 0;
};

}  // namespace

std::string TopText(const Ranking& ranking, const TextOptions& options) {
  const Sums& all = ranking.all();
  std::string out =
      fmt::format("{} in {}, {} sampled\n\n", calltree::Counted(all.messages, "sampled message"),
                  calltree::Counted(ranking.dumps(), "dump"), calltree::DurationUs(all.total_us));
  fmt::format_to(Output(out), "{:>7} {:>12} {:>7} {:>12} {:>9}  {}\n", "own", "own time", "total",
                 "total time", "messages", "method");
  const size_t name_columns = std::max<size_t>(options.width, 80) - 54;
  for (const MethodId id : ranking.HottestMethods(options.rows, options.by_total)) {
    const Sums& sums = ranking.methods()[id];
    fmt::format_to(Output(out), "{:>6.1f}% {:>12} {:>6.1f}% {:>12} {:>9}  {}\n",
                   Percent(sums.self_us, all.total_us), calltree::DurationUs(sums.self_us),
                   Percent(sums.total_us, all.total_us), calltree::DurationUs(sums.total_us),
                   calltree::Grouped(sums.messages), Fitted(ranking.names()[id], name_columns));
  }
  out += "\nStacks that cost the most, innermost first\n";
  for (const StackId id : ranking.HottestStacks(kStackRows)) {
    const Stack& stack = ranking.stacks()[id];
    fmt::format_to(
        Output(out), "\n{:>6.1f}% {:>12}, {}, in {}\n", Percent(stack.sums.self_us, all.total_us),
        calltree::DurationUs(stack.sums.self_us), calltree::Counted(stack.sums.samples, "sample"),
        calltree::Counted(stack.sums.messages, "message"));
    size_t shown = 0;
    for (StackId at = id; at != kEmptyStack && shown < kFramesOfStack;
         at = ranking.stacks()[at].parent, ++shown) {
      fmt::format_to(Output(out), "        {}\n",
                     Fitted(ranking.names()[ranking.stacks()[at].method], options.width - 8));
    }
    if (stack.depth > shown) {
      fmt::format_to(Output(out), "        and {} more\n", stack.depth - shown);
    }
    if (id == kEmptyStack) {
      out += "        [empty stack]\n";
    }
  }
  return out;
}

std::string DiffText(const Ranking& before, const Ranking& after, const TextOptions& options) {
  std::map<std::string, Change> changes;
  for (MethodId id = 0; id < before.names().size(); ++id) {
    Change& change = changes[before.names()[id]];
    change.before = Percent(before.methods()[id].self_us, before.all().total_us);
    change.total_before = Percent(before.methods()[id].total_us, before.all().total_us);
  }
  for (MethodId id = 0; id < after.names().size(); ++id) {
    Change& change = changes[after.names()[id]];
    change.after = Percent(after.methods()[id].self_us, after.all().total_us);
    change.total_after = Percent(after.methods()[id].total_us, after.all().total_us);
  }
  std::vector<Change> rows;
  for (auto& [name, change] : changes) {
    change.name = name;
    rows.push_back(change);
  }
  const auto moved = [&options](const Change& change) {
    return options.by_total ? change.total_after - change.total_before
                            : change.after - change.before;
  };
  std::erase_if(rows, [&moved](const Change& change) { return std::abs(moved(change)) < 0.05; });
  std::stable_sort(rows.begin(), rows.end(), [&moved](const Change& a, const Change& b) {
    return std::abs(moved(a)) > std::abs(moved(b));
  });
  std::string out;
  for (const auto& [side, ranking] :
       {std::pair<const char*, const Ranking*>{"before", &before}, {"after", &after}}) {
    fmt::format_to(Output(out), "{:<7} {} in {}, {} sampled\n", side,
                   calltree::Counted(ranking->all().messages, "sampled message"),
                   calltree::Counted(ranking->dumps(), "dump"),
                   calltree::DurationUs(ranking->all().total_us));
  }
  if (rows.empty()) {
    return out + "\nNo method's share changed.\n";
  }
  fmt::format_to(Output(out), "\n{:>9} {:>8} {:>8} {:>9} {:>8} {:>8}  {}\n", "own +/-", "before",
                 "after", "total +/-", "before", "after", "method");
  const size_t name_columns = std::max<size_t>(options.width, 90) - 57;
  rows.resize(std::min(rows.size(), options.rows));
  for (const Change& change : rows) {
    fmt::format_to(Output(out),
                   "{:>+8.1f}% {:>7.1f}% {:>7.1f}% {:>+8.1f}% {:>7.1f}% {:>7.1f}%  {}\n",
                   change.after - change.before, change.before, change.after,
                   change.total_after - change.total_before, change.total_before,
                   change.total_after, Fitted(change.name, name_columns));
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
  for (const auto& [stack, values] : lines) {
    fmt::format_to(Output(out), "{} {} {}\n", stack, values.first, values.second);
  }
  return out;
}

}  // namespace stillframe::rank
