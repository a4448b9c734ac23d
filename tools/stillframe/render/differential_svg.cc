// SPDX-License-Identifier: Apache-2.0
// Merges two call trees; colours show how shares differ.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/render/markup.h"

namespace stillframe::render {
namespace {

constexpr double kWidth = 1200;
constexpr double kRow = 18;
constexpr double kHead = 60;
constexpr double kCharacter = 6.63;  // width in 11 px monospaced text
constexpr double kSmallestWidth = 0.5;
constexpr uint32_t kDeepest = 2000;
constexpr double kStrongestChange = 0.1;  // share of all time with the full colour

// A call in either set. Shares are of that set's whole time.
struct Call {
  std::string name;
  double before = 0;
  double after = 0;
  uint32_t parent = 0;
  uint32_t depth = 0;
  std::vector<uint32_t> children;
};

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Calls {
 public:
  Calls() : calls_(1) { calls_[0].name = "all"; }

  void Add(const fleet::MethodRanking& ranking, bool is_after) {
    std::vector<uint32_t> call_of(ranking.stacks().size(), 0);
    for (fleet::StackId id = 0; id < ranking.stacks().size(); ++id) {
      const fleet::Stack& stack = ranking.stacks()[id];
      if (id != fleet::kEmptyStack)
        call_of[id] = Child(call_of[stack.parent], ranking.names()[stack.method]);
      Call& call = calls_[call_of[id]];
      (is_after ? call.after : call.before) += Share(stack.sums.total_us, ranking.all().total_us);
    }
  }

  std::vector<Call>& calls() { return calls_; }

 private:
  uint32_t Child(uint32_t parent, const std::string& name) {
    const auto [name_entry, is_new_name] =
        names_.try_emplace(name, static_cast<uint32_t>(names_.size()));
    const uint64_t key = (uint64_t{parent} << 32U) | name_entry->second;
    const auto [entry, is_new] = children_.try_emplace(key, static_cast<uint32_t>(calls_.size()));
    if (is_new) {
      calls_[parent].children.push_back(entry->second);
      Call& call = calls_.emplace_back();
      call.name = name;
      call.parent = parent;
      call.depth = calls_[parent].depth + 1;
    }
    return entry->second;
  }

  std::vector<Call> calls_;
  std::unordered_map<std::string, uint32_t> names_;
  std::unordered_map<uint64_t, uint32_t> children_;
};

// Between white and red or blue, by the change.
std::string Colour(const Call& call) {
  const double change = std::clamp((call.after - call.before) / kStrongestChange, -1.0, 1.0);
  const int faded = 235 - static_cast<int>(std::lround(std::abs(change) * 150));
  return change >= 0 ? fmt::format("#eb{:02x}{:02x}", faded, faded)
                     : fmt::format("#{:02x}{:02x}eb", faded, faded);
}

struct Placed {
  uint32_t call;
  double x;
  double width;
};

// A removed call keeps its old width, so children may need more width than their parent has. Then
// they are scaled down.
std::vector<Placed> Place(std::vector<Call>* calls, uint32_t* deepest) {
  const auto extent = [](const Call& call) { return call.after > 0 ? call.after : call.before; };
  std::vector<Placed> placed;
  std::vector<Placed> open = {{0, 0, kWidth}};
  while (!open.empty()) {
    const Placed here = open.back();
    open.pop_back();
    placed.push_back(here);
    Call& call = (*calls)[here.call];
    *deepest = std::max(*deepest, call.depth);
    double needed = 0;
    for (const uint32_t child : call.children) needed += extent((*calls)[child]);
    const double scale =
        needed <= 0 || call.depth >= kDeepest ? 0 : here.width / std::max(extent(call), needed);
    std::sort(call.children.begin(), call.children.end(), [&](uint32_t a, uint32_t b) {
      return extent((*calls)[a]) != extent((*calls)[b]) ? extent((*calls)[a]) > extent((*calls)[b])
                                                        : a < b;
    });
    double x = here.x;
    for (const uint32_t child : call.children) {
      const double width = extent((*calls)[child]) * scale;
      if (width >= kSmallestWidth) open.push_back({child, x, width});
      x += width;
    }
  }
  return placed;
}

}  // namespace

std::string DifferentialSvg(const fleet::MethodRanking& before, const fleet::MethodRanking& after,
                            const std::string& title) {
  Calls merged;
  merged.Add(before, false);
  merged.Add(after, true);
  uint32_t deepest = 0;
  const std::vector<Placed> placed = Place(&merged.calls(), &deepest);
  const double height = kHead + kRow * (deepest + 1) + 12;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n"
      "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<g font-family=\"sans-serif\" fill=\"#222\"><text x=\"12\" y=\"26\" "
      "font-size=\"16\">{2}</text>\n<text x=\"12\" y=\"46\" font-size=\"12\">red: takes more of "
      "the "
      "time than before; blue: less</text></g>\n<g font-family=\"monospace\" font-size=\"11\">\n",
      kWidth, height, Escape(title));
  for (const Placed& here : placed) {
    const Call& call = merged.calls()[here.call];
    const double y = kHead + kRow * call.depth;
    out += fmt::format(
        "<g><title>{}: {:.1f} % before, {:.1f} % after ({:+.1f})</title><rect "
        "x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" rx=\"1.5\" "
        "fill=\"{}\"/>",
        Escape(index::Truncated(call.name, 400)), call.before * 100, call.after * 100,
        (call.after - call.before) * 100, here.x, y, std::max(0.2, here.width - 0.6), kRow - 1,
        Colour(call));
    const auto room = static_cast<size_t>(std::max(0.0, (here.width - 6) / kCharacter));
    if (room >= 3) {
      const bool fits = index::CharacterCount(call.name) <= room;
      const std::string label =
          fits ? call.name : std::string(index::FirstCharacters(call.name, room - 1)) + "…";
      out += fmt::format("<text x=\"{:.2f}\" y=\"{:.1f}\">{}</text>", here.x + 3, y + 12.5,
                         Escape(label));
    }
    out += "</g>\n";
  }
  return out + "</g>\n</svg>\n";
}

}  // namespace stillframe::render
