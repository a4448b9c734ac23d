// SPDX-License-Identifier: Apache-2.0
// stillframe text DUMP [-o FILE]
#include <memory>
#include <string>

#include "tools/stillframe/render/text_report.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct TextOptions {
  std::string input;
  DumpOptions dumps;
  std::string output = "-";
};

render::TextLayout LayoutOf(const TextOptions& options) {
  const Terminal terminal = options.output == "-" ? StandardOutput() : Terminal();
  if (terminal.columns == 0) return {};
  return {.columns = terminal.columns, .has_colour = terminal.has_colour};
}

}  // namespace

void AddText(CLI::App* app, Action* action) {
  auto options = std::make_shared<TextOptions>();
  CLI::App* verb =
      app->add_subcommand("text", "Print past, present and future of the main thread as text");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  AddDumpOptions(verb, &options->dumps);
  AddSymbolsOption(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_option("-o,--output", options->output, "The text; - is standard output, the default");
  verb->footer("Example:\n  stillframe text anr.sfdump");
  verb->callback([options, action] {
    *action = [options] {
      return WithDump(options->dumps, options->input,
                      [&options](const index::DumpIndex& index, const verdict::Verdict& verdict) {
                        return WriteOutput(options->output,
                                           render::TextReport(index, verdict, LayoutOf(*options)));
                      });
    };
  });
}

}  // namespace stillframe::verbs
