// stillframe export DUMP --format collapsed|article [--token N] [--unit samples|us] [-o FILE]
#include <memory>
#include <optional>
#include <string>

#include "src/trace/article_text.h"
#include "tools/render/exports.h"
#include "tools/verbs/dump_input.h"
#include "tools/verbs/output.h"
#include "tools/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct Options {
  std::string input;
  std::string output = "-";
  std::optional<uint64_t> token;
  std::string format;
  std::string unit = "samples";
};

int Run(const Options& options, const verdict::Case& evidence) {
  const std::optional<uint64_t> token = ChooseTree(evidence, options.input, options.token);
  if (!token) {
    return kExitBadData;
  }
  const dump::Document& document = evidence.document();
  if (options.format == "article") {
    return WriteOutput(options.output,
                       trace::WriteArticleText(*evidence.TraceOf(*token), document.frames) + "\n");
  }
  const auto unit =
      options.unit == "us" ? render::CollapsedUnit::kMicroseconds : render::CollapsedUnit::kSamples;
  return WriteOutput(options.output, render::CollapsedStacks(document, options.token, unit));
}

}  // namespace

void AddExport(CLI::App* app, Action* action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("export", "Write trace trees in a form other tools read");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  verb->add_option("--format", options->format,
                   "collapsed: 'frame;frame count' lines as flamegraph.pl reads them; article: one "
                   "tree in preorder, 'frame;count;offset;children;'")
      ->required()
      ->check(CLI::IsMember({"collapsed", "article"}))
      ->option_text("collapsed|article");
  AddTokenOption(
      verb, &options->token,
      "The message; if not given, collapsed takes all trees and article the one to blame");
  verb->add_option("--unit", options->unit, "What collapsed lines count; samples if not given")
      ->check(CLI::IsMember({"samples", "us"}))
      ->option_text("samples|us");
  verb->add_option("-o,--output", options->output, "The file; - is standard output, the default");
  verb->footer(
      "Example:\n  stillframe export anr.sfdump --format collapsed | flamegraph.pl > flame.svg");
  verb->callback([options, action] {
    *action = [options] {
      return WithDump(options->input, [&options](const verdict::Case& evidence) {
        return Run(*options, evidence);
      });
    };
  });
}

}  // namespace stillframe::verbs
