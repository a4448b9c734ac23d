#include "tools/render/html_report.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "tools/calltree/clean_text.h"
#include "tools/calltree/figures.h"
#include "tools/render/assets.h"
#include "tools/render/facts.h"
#include "tools/render/flame_svg.h"
#include "tools/render/html_tables.h"
#include "tools/render/markup.h"

namespace stillframe::render {
namespace {

using Output = std::back_insert_iterator<std::string>;

class Page {
 public:
  explicit Page(const verdict::Case& evidence) : case_(evidence), document_(evidence.document()) {}

  std::string Draw() {
    DrawHead();
    DrawVerdict();
    out_ += "<main>\n";
    Section(
        "messages", "Messages of the main thread",
        "Messages of 50 ms and more, oldest first; start is relative to the dump. The tall bar is "
        "wall time, the low one CPU time.",
        MessageTable(case_));
    DrawTrees();
    Section("pending", "Pending queue", "", PendingTable(document_));
    Section("process", "Process and profiler", "", FactTable(ProcessFacts(document_)));
    DrawProfilerCost();
    out_ += "</main>\n";
    Add("<script>{}</script>\n</body>\n</html>\n", assets::kFlameJs);
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void Add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(Output(out_), format, std::forward<Values>(values)...);
  }

  void Section(std::string_view id, std::string_view title, std::string_view note,
               const std::string& content) {
    Add("<section id=\"{}\">\n<h2>{}</h2>\n", id, title);
    if (!note.empty()) {
      Add("<p class=\"quiet\">{}</p>\n", note);
    }
    Add("{}</section>\n", content);
  }

  void DrawHead() {
    const std::string style = std::string(assets::kPageCss) + std::string(assets::kFlameCss);
    Add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'{}'; "
        "script-src '{}'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" "
        "content=\"no-referrer\">\n<title>Stillframe: "
        "{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        ContentHash(style), ContentHash(assets::kFlameJs), Escape(ProcessText(document_)), style);
  }

  void DrawVerdict() {
    const verdict::Verdict& verdict = case_.verdict();
    Add("<header>\n<p class=\"origin\"><b>Stillframe</b> <span>{}</span> <span>{}</span> "
        "<span>because of {}</span></p>\n",
        Escape(ProcessText(document_)), UtcTime(document_.taken_realtime_ns),
        TriggerText(document_.trigger));
    if (!document_.damage.empty()) {
      out_ +=
          "<div class=\"partial\"><b>This report is partial.</b> The dump was cut or damaged; what "
          "could be read is shown.<ul>\n";
      for (const std::string& line : document_.damage) {
        Add("<li>{}</li>\n", EscapeBytes(line, 400));
      }
      out_ += "</ul></div>\n";
    }
    Add("<h1 class=\"{}\">{}</h1>\n<ul class=\"evidence\">\n", verdict::KindName(verdict.kind),
        HeadlineHtml(verdict));
    for (const std::string& sentence : verdict.evidence) {
      Add("<li>{}</li>\n", Escape(sentence));
    }
    if (verdict.token) {
      Add("<li><a href=\"#m{0}\">The message</a>", *verdict.token);
      if (case_.TreeOf(*verdict.token) != nullptr) {
        Add(", <a href=\"#t{0}\">its flame graph</a>", *verdict.token);
      }
      out_ += "</li>\n";
    }
    out_ += "</ul>\n</header>\n";
  }

  // The sentence with the culprit's name set off.
  static std::string HeadlineHtml(const verdict::Verdict& verdict) {
    std::string sentence = Escape(verdict.sentence);
    if (!verdict.culprit) {
      return sentence;
    }
    const std::string name =
        Escape(fmt::format("{} ({})", verdict.culprit->method, verdict.culprit->place));
    const size_t at = sentence.find(name);
    if (at != std::string::npos) {
      sentence.replace(at, name.size(), fmt::format("<em>{}</em>", name));
    }
    return sentence;
  }

  void DrawTrees() {
    const std::vector<uint64_t> tokens = case_.TreeTokens();
    out_ += "<section id=\"trees\">\n<h2>Where the time went</h2>\n";
    if (tokens.empty()) {
      out_ +=
          "<p>No trace tree is in the dump: none of its messages was sampled and long "
          "enough.</p>\n";
    } else {
      out_ += FlameLegendHtml();
    }
    for (size_t i = 0; i < tokens.size(); ++i) {
      DrawTree(tokens[i], i == 0);
    }
    out_ += "</section>\n";
  }

  void DrawTree(uint64_t token, bool is_open) {
    const calltree::CallTree& tree = *case_.TreeOf(token);
    const trace::TraceTree& trace = *case_.TraceOf(token);
    const dump::Message& message = *case_.MessageOf(token);
    const std::string dispatch = DispatchText(case_.DispatchFor(message));
    Add("<details id=\"t{0}\"{1}>\n<summary><b>Message {0}</b> <code>{2}</code> <span "
        "class=\"quiet\">{3}, {4} samples{5}</span></summary>\n",
        token, is_open ? " open" : "", Escape(calltree::CleanText(dispatch, 160)),
        calltree::Duration(message.wall_ns), calltree::Grouped(trace.samples_added()),
        case_.IsRunning(message) ? ", running" : "");
    FlameOptions options;
    options.title = fmt::format("message {}", token);
    options.is_own_file = false;
    Add("<div class=\"graph\">{}</div>\n", FlameSvg(tree, options));
    if (trace.cut_stacks() > 0) {
      Add("<p class=\"quiet\">{} stacks were too deep and lost their innermost frames.</p>\n",
          calltree::Grouped(trace.cut_stacks()));
    }
    Add("{}</details>\n", MethodTable(tree));
  }

  void DrawProfilerCost() {
    const uint64_t lost = LostSamples(document_);
    const std::string note = lost == 0
                                 ? ""
                                 : fmt::format("{} samples were dropped; the counters say why.",
                                               calltree::Grouped(lost));
    if (!document_.counters.empty()) {
      Section("cost", "The profiler's own cost and losses", note,
              FactTable(CounterFacts(document_)));
    }
    Facts settings;
    for (const dump::NamedText& setting : document_.configuration) {
      settings.emplace_back(calltree::CleanText(setting.name, 80),
                            calltree::CleanText(setting.value, 300));
    }
    if (!settings.empty()) {
      Section("settings", "Settings", "", FactTable(settings));
    }
  }

  const verdict::Case& case_;
  const dump::Document& document_;
  std::string out_;
};

}  // namespace

std::string HtmlReport(const verdict::Case& evidence) { return Page(evidence).Draw(); }

}  // namespace stillframe::render
