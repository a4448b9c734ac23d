#include "tools/render/html_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "tools/calltree/figures.h"
#include "tools/calltree/method_name.h"
#include "tools/render/markup.h"

namespace stillframe::render {
namespace {

using dump::Message;
using Output = std::back_insert_iterator<std::string>;

constexpr size_t kMostMessages = 2000;
constexpr size_t kMostPending = 500;
constexpr size_t kMostMethods = 15;
constexpr double kBarWidth = 140;

std::string Bar(double part, double inner_part) {
  const auto width = [](double share) {
    return share <= 0 ? 0.0 : std::clamp(kBarWidth * share, 1.0, kBarWidth);
  };
  return fmt::format(
      "<svg class=\"bar\" width=\"{0:.0f}\" height=\"12\" viewBox=\"0 0 {0:.0f} 12\" "
      "aria-hidden=\"true\"><rect class=\"wall\" width=\"{1:.1f}\" height=\"12\" rx=\"2\"/><rect "
      "class=\"cpu\" y=\"7\" width=\"{2:.1f}\" height=\"5\" rx=\"1.5\"/></svg>",
      kBarWidth, width(part), width(inner_part));
}

double Ratio(int64_t part, int64_t whole) {
  return whole <= 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string DispatchCell(const verdict::Case& evidence, const Message& message) {
  const verdict::Dispatch dispatch = evidence.DispatchFor(message);
  const std::string name = dispatch.callback.empty() ? dispatch.target : dispatch.callback;
  if (name.empty()) {
    return "<span class=\"quiet\">unknown until it ends</span>";
  }
  std::string cell = fmt::format("<code>{}</code>", Escape(name));
  if (!dispatch.callback.empty()) {
    cell += dispatch.target.empty() ? " <span class=\"quiet\">Runnable</span>"
                                    : fmt::format(" <span class=\"quiet\">Runnable to {}</span>",
                                                  Escape(dispatch.target));
  }
  return dispatch.is_from_stack ? cell + " <span class=\"quiet\">from the stack</span>" : cell;
}

void AppendMessage(const verdict::Case& evidence, const Message& message, int64_t longest_ns,
                   std::string* out) {
  const bool is_running = evidence.IsRunning(message);
  const bool is_culprit = evidence.verdict().token == message.token;
  const std::string flags = FlagsText(message.flags);
  const bool has_tree = evidence.TreeOf(message.token) != nullptr;
  fmt::format_to(Output(*out), "<tr id=\"m{}\"{}>", message.token,
                 is_culprit ? " class=\"culprit\"" : "");
  fmt::format_to(Output(*out), "<td class=\"n\">{}</td><td class=\"n\">{}</td>",
                 Escape(RelativeStart(evidence.document(), message)),
                 calltree::Duration(message.wait_ns));
  fmt::format_to(Output(*out), "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td>",
                 calltree::Duration(message.wall_ns), calltree::Duration(message.cpu_ns),
                 Bar(Ratio(message.wall_ns, longest_ns), Ratio(message.cpu_ns, longest_ns)));
  fmt::format_to(Output(*out), "<td class=\"name\">{}{}{}</td>", DispatchCell(evidence, message),
                 is_running ? " <span class=\"badge\">running</span>" : "",
                 flags.empty() ? "" : fmt::format(" <span class=\"badge\">{}</span>", flags));
  fmt::format_to(
      Output(*out), "<td class=\"n\">{}</td><td class=\"n\">{}</td>",
      (message.flags & dump::kMessageIdentityUnknown) != 0 ? "?" : std::to_string(message.what),
      calltree::Grouped(message.samples));
  if (has_tree) {
    fmt::format_to(Output(*out), "<td class=\"n\"><a href=\"#t{0}\">{0}</a></td></tr>\n",
                   message.token);
  } else {
    fmt::format_to(Output(*out), "<td class=\"n\">{}</td></tr>\n", message.token);
  }
}

}  // namespace

std::string MessageTable(const verdict::Case& evidence) {
  const dump::Document& document = evidence.document();
  if (document.history.empty() && !document.running) {
    return "<p>No message ran for 50 ms or more, and none was running.</p>\n";
  }
  int64_t longest_ns = 0;
  for (const Message& message : document.history) {
    longest_ns = std::max(longest_ns, message.wall_ns);
  }
  longest_ns = std::max(longest_ns, document.running ? document.running->wall_ns : 0);
  std::string out =
      "<div class=\"scroll\"><table class=\"messages\"><thead><tr><th class=\"n\">start</th><th "
      "class=\"n\">waited</th><th class=\"n\">wall</th><th class=\"n\">CPU</th><th>wall / "
      "CPU</th><th>dispatched to</th><th class=\"n\">what</th><th class=\"n\">samples</th><th "
      "class=\"n\">token</th></tr></thead><tbody>\n";
  const size_t count = document.history.size();
  const size_t first = count > kMostMessages ? count - kMostMessages : 0;
  for (size_t i = first; i < count; ++i) {
    AppendMessage(evidence, document.history[i], longest_ns, &out);
  }
  if (document.running) {
    AppendMessage(evidence, *document.running, longest_ns, &out);
  }
  out += "</tbody></table></div>\n";
  const uint64_t left_out = document.history_lost + first;
  if (left_out > 0) {
    fmt::format_to(Output(out), "<p class=\"quiet\">Not in this table: {}.</p>\n",
                   calltree::Counted(left_out, "older message"));
  }
  return out;
}

std::string PendingTable(const dump::Document& document) {
  const std::string absence = PendingAbsence(document);
  if (!absence.empty()) {
    return fmt::format("<p>{}</p>\n", Escape(absence));
  }
  std::string out = fmt::format("<p>{}.</p>\n", Escape(PendingHead(document)));
  if (document.pending.empty()) {
    return out;
  }
  out +=
      "<div class=\"scroll\"><table><thead><tr><th class=\"n\">#</th><th class=\"n\">due</th>"
      "<th>message</th></tr></thead><tbody>\n";
  const size_t shown = std::min(document.pending.size(), kMostPending);
  for (size_t i = 0; i < shown; ++i) {
    const dump::PendingMessage& message = document.pending[i];
    fmt::format_to(Output(out),
                   "<tr{}><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"name\"><code>{}"
                   "</code></td></tr>\n",
                   message.delay_ms < 0 ? " class=\"overdue\"" : "", i, DueText(message.delay_ms),
                   Escape(PendingText(message)));
  }
  out += "</tbody></table></div>\n";
  if (shown < document.pending.size()) {
    fmt::format_to(Output(out), "<p class=\"quiet\">{} more are not shown.</p>\n",
                   calltree::Grouped(document.pending.size() - shown));
  }
  return out;
}

std::string MethodTable(const calltree::CallTree& tree) {
  std::string out =
      "<div class=\"scroll\"><table class=\"methods\"><thead><tr><th class=\"n\">itself</th><th "
      "class=\"n\">in all</th><th>in all / itself</th><th>method</th><th>hottest "
      "line</th></tr></thead><tbody>\n";
  const auto whole = static_cast<double>(std::max<uint64_t>(tree.root().total_us, 1));
  std::vector<calltree::MethodId> hottest = tree.HottestMethods();
  // The loop and the dispatching are in every stack; who only calls others is of interest if it is
  // the application's.
  std::erase_if(hottest, [&tree](calltree::MethodId id) {
    return tree.methods()[id].self_us == 0 && calltree::IsPlatformClass(tree.ClassName(id));
  });
  hottest.resize(std::min(hottest.size(), kMostMethods));
  for (const calltree::MethodId id : hottest) {
    const calltree::Method& method = tree.methods()[id];
    fmt::format_to(
        Output(out),
        "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td "
        "class=\"name\"><code>{}</code></td><td class=\"name\"><code>{}</code></td></tr>\n",
        calltree::DurationUs(method.self_us), calltree::DurationUs(method.total_us),
        Bar(static_cast<double>(method.total_us) / whole,
            static_cast<double>(method.self_us) / whole),
        Escape(tree.NameOf(id, 300)), Escape(tree.PlaceOf(id)));
  }
  out += "</tbody></table></div>\n";
  if (tree.methods().size() > hottest.size()) {
    fmt::format_to(Output(out), "<p class=\"quiet\">In the flame graph: {}.</p>\n",
                   calltree::Counted(tree.methods().size() - hottest.size(), "more method"));
  }
  return out;
}

std::string FactTable(const Facts& facts) {
  std::string out = "<dl>\n";
  for (const auto& [label, value] : facts) {
    fmt::format_to(Output(out), "<div><dt>{}</dt><dd>{}</dd></div>\n", Escape(label),
                   Escape(value));
  }
  return out + "</dl>\n";
}

}  // namespace stillframe::render
