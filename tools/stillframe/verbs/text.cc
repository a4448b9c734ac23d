// SPDX-License-Identifier: Apache-2.0
// stillframe text DUMP... [-o FILE]
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/render/text_report.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::verbs {
namespace {

struct TextOptions {
  std::vector<std::string> inputs;
  DumpOptions dumps;
  std::string output = "-";
};

render::TextLayout LayoutOf(const TextOptions& options) {
  const Terminal terminal = options.output == "-" ? StandardOutput() : Terminal();
  if (terminal.columns == 0) return {};
  return {.columns = terminal.columns, .has_colour = terminal.has_colour};
}

// One line each: "shop/anr.sfdump: Decimal.multiply kept the main thread busy for 2.8 s".
int ListHeadlines(const TextOptions& options) {
  std::string lines;
  const int exit_code = ForEachDump(
      options.dumps, options.inputs, [&](const std::string& path, const model::Document& document) {
        const index::DumpIndex index(document, options.dumps.packages);
        lines += fmt::format("{}: {}\n", index::CleanText(SubjectFor(path), 400),
                             words::Explain(judge::Judge(index)).headline);
        return kExitFine;
      });
  return lines.empty() ? exit_code : std::max(exit_code, WriteOutput(options.output, lines));
}

int Run(const TextOptions& options) {
  std::error_code ignored;
  if (options.inputs.size() > 1 || std::filesystem::is_directory(options.inputs[0], ignored))
    return ListHeadlines(options);
  return WithDump(options.dumps, options.inputs[0],
                  [&options](const index::DumpIndex& index, const judge::Verdict& verdict) {
                    return WriteOutput(options.output,
                                       render::TextReport(index, verdict, LayoutOf(options)));
                  });
}

}  // namespace

void AddText(CLI::App* app, Action* action) {
  auto options = std::make_shared<TextOptions>();
  CLI::App* verb =
      app->add_subcommand("text", "Print past, present and future of the main thread as text");
  verb->add_option("DUMP", options->inputs,
                   "The dump; - is standard input; several, or folders of them, give a headline "
                   "each")
      ->required();
  AddDumpOptions(verb, &options->dumps);
  AddSymbolsOption(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_option("-o,--output", options->output, "The text; - is standard output (default: -)");
  verb->footer("Example:\n  stillframe text anr.sfdump");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
