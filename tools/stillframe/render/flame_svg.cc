// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/flame_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/render/assets.h"
#include "tools/stillframe/render/markup.h"

namespace stillframe::render {
namespace {

using index::CallNode;
using index::CallTree;
using index::kNone;

constexpr double kWidth = 1200;
constexpr double kRow = 18;
constexpr double kHead = 68;  // height of title and subtitle
constexpr double kFoot = 52;  // height of details and legend
constexpr double kSmallestWidth = 0.3;
constexpr double kCharacter = 6.63;  // width in 11 px monospaced text
constexpr size_t kLongestTip = 1000;

struct Colour {
  std::string_view style;
  std::string_view meaning;
};

// The styles are in assets/flame.css.
constexpr std::array<Colour, 8> kColours = {{{"fa", "application"},
                                             {"fp", "platform"},
                                             {"fn", "native code"},
                                             {"fw", "waiting"},
                                             {"fs", "sleeping"},
                                             {"fb", "blocked on a lock"},
                                             {"fo", "garbage collector or runtime"},
                                             {"fc", "stack was truncated"}}};

std::string_view StyleOf(const CallTree& tree, const CallNode& node) {
  if (tree.methods()[node.method].is_truncation) return "fc";
  switch (model::ActivityOf(index::DominantState(node.state_us))) {
    case model::Activity::kNative: return "fn";
    case model::Activity::kWaiting: return "fw";
    case model::Activity::kSleeping: return "fs";
    case model::Activity::kBlocked: return "fb";
    case model::Activity::kRuntime: return "fo";
    case model::Activity::kComputing:
    case model::Activity::kUnknown: break;
  }
  return index::IsPlatformClass(tree.ClassName(node.method)) ? "fp" : "fa";
}

// "Decimal.multiply" if "fixture.Decimal.multiply" does not fit, and so on.
std::string LabelFor(const std::string& name, double width) {
  const auto room = static_cast<size_t>(std::max(0.0, (width - 6) / kCharacter));
  if (room < 3) return {};
  if (index::CharacterCount(name) <= room) return name;
  std::string_view shorter = name;
  const size_t method_dot = shorter.rfind('.');
  if (method_dot != std::string_view::npos && method_dot > 0) {
    const size_t class_dot = shorter.rfind('.', method_dot - 1);
    if (class_dot != std::string_view::npos) shorter.remove_prefix(class_dot + 1);
  }
  if (index::CharacterCount(shorter) <= room) return std::string(shorter);
  return std::string(index::FirstCharacters(shorter, room - 1)) + "…";
}

struct Placed {
  uint32_t node;
  double x;
  double width;
};

class Picture {
 public:
  Picture(const CallTree& tree, const FlameOptions& options) : tree_(tree), options_(options) {
    Place();
  }

  std::string Draw() {
    const double height = kHead + kRow * (deepest_ + 1) + kFoot;
    Add("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"{:.0f}\" "
        "height=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"Flame graph: "
        "{}\">\n",
        kWidth, height, kWidth, height, Escape(options_.title));
    DrawHead(height);
    Add("<g class=\"frames\" transform=\"translate(0 {:.0f})\">\n", kHead);
    for (const Placed& placed : placed_) DrawFrame(placed);
    Add("</g>\n");
    const double below = kHead + kRow * (deepest_ + 1) + 15;
    Add("<text class=\"hover\" x=\"4\" y=\"{:.0f}\">{}</text>\n", below, Escape(FootNote()));
    DrawLegend(below + 22);
    Add("<script><![CDATA[\n{}]]></script>\n</svg>\n", assets::kFlameJs);
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void Add(fmt::format_string<Values...> format, Values&&... values) {
    out_ += fmt::format(format, std::forward<Values>(values)...);
  }

  // Parents precede children, so that keyboard and drawing order follow the stack.
  void Place() {
    const auto whole = static_cast<double>(std::max<uint64_t>(tree_.root().total_us, 1));
    std::vector<Placed> open = {{.node = 0, .x = 0, .width = kWidth}};
    while (!open.empty()) {
      const Placed here = open.back();
      open.pop_back();
      placed_.push_back(here);
      const CallNode& node = tree_.nodes()[here.node];
      deepest_ = std::max(deepest_, node.depth);
      double x = here.x;
      const size_t first = open.size();
      for (uint32_t child = node.first_child; child != kNone;
           child = tree_.nodes()[child].next_sibling) {
        const double width = kWidth * static_cast<double>(tree_.nodes()[child].total_us) / whole;
        if (width >= kSmallestWidth)
          open.push_back({.node = child, .x = x, .width = width});
        else
          has_hidden_ = true;
        x += width;
      }
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    }
  }

  std::string FootNote() const {
    const double smallest_ms =
        static_cast<double>(tree_.root().total_us) / 1000 * kSmallestWidth / kWidth;
    return has_hidden_ ? fmt::format("Calls of less than {:.2f} ms are not drawn.", smallest_ms)
                       : std::string();
  }

  void DrawHead(double height) {
    Add("<title>{}</title>\n<style>{}</style>\n", Escape(options_.title), assets::kFlameCss);
    Add("<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", kWidth, height);
    Add("<text class=\"title\" x=\"12\" y=\"28\">{}</text>\n", Escape(Fit(options_.title, 140)));
    Add("<text class=\"subtitle\" x=\"12\" y=\"50\">{}</text>\n",
        Escape(Fit(options_.subtitle, 170)));
  }

  static std::string Fit(const std::string& text, size_t characters) {
    return index::Truncated(text, characters);
  }

  void DrawFrame(const Placed& placed) {
    const CallNode& node = tree_.nodes()[placed.node];
    const double y = kRow * node.depth;
    const bool is_root = node.method == kNone;
    const std::string name = is_root ? fmt::format("message {}", NumberOf(tree_.token()))
                                     : tree_.NameOf(node.method, kLongestTip);
    const std::string tip = is_root ? Tip(name, {}, node) : Tip(name, PlaceText(node), node);
    // Leaves a gap between boxes; flame.js does the same.
    const double width = placed.width - std::min(0.6, placed.width / 3);
    Add("<g class=\"{}\"><title>{}</title><rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" "
        "height=\"{:.0f}\" rx=\"1.5\"/>",
        is_root ? std::string_view("fr") : StyleOf(tree_, node), Escape(tip), placed.x, y, width,
        kRow - 1);
    const std::string label = LabelFor(name, width);
    if (!label.empty())
      Add("<text x=\"{:.2f}\" y=\"{:.0f}\">{}</text>", placed.x + 3, y + 12.5, Escape(label));
    Add("</g>\n");
  }

  std::string PlaceText(const CallNode& node) const {
    return fmt::format(" ({})", tree_.PlaceOf(node.method));
  }

  std::string Tip(const std::string& name, const std::string& place, const CallNode& node) const {
    const auto state = index::DominantState(node.state_us);
    return fmt::format(
        "{}{}: {} ({}), self {}, {} samples, mostly {}", name, place,
        index::DurationUs(node.total_us), index::Share(node.total_us, tree_.root().total_us),
        index::DurationUs(node.self_us), index::Grouped(node.samples), index::TextOf(state));
  }

  void DrawLegend(double y) {
    double x = 12;
    for (const Colour& colour : kColours) {
      Add("<g class=\"{}\"><rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"12\" height=\"12\" "
          "rx=\"2\"/></g>",
          colour.style, x, y - 10);
      Add("<text class=\"legend\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", x + 17, y,
          colour.meaning);
      x += 17 + 24 + kCharacter * static_cast<double>(colour.meaning.size());
    }
  }

  const CallTree& tree_;
  const FlameOptions& options_;
  std::vector<Placed> placed_;
  uint32_t deepest_ = 0;
  bool has_hidden_ = false;
  std::string out_;
};

}  // namespace

std::string FlameSvg(const CallTree& tree, const FlameOptions& options) {
  return Picture(tree, options).Draw();
}

}  // namespace stillframe::render
