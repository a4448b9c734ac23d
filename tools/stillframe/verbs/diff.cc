// SPDX-License-Identifier: Apache-2.0
// stillframe diff A B [--format text|svg|folded] [-o FILE]
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tools/stillframe/rank/ranking.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/text/clean_text.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/ranking_options.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  DumpOptions dumps;
  RankingOptions ranking;
  std::string format = "text";
  std::string output;
};

int Run(const DiffOptions& options) {
  rank::Ranking before;
  rank::Ranking after;
  int exit_code = kExitFine;
  for (const auto& [path, ranking] :
       {std::pair{&options.before, &before}, {&options.after, &after}}) {
    exit_code =
        std::max(exit_code,
                 ForEachDump(options.dumps, {*path},
                             [side = ranking](const std::string&, const model::Document& document) {
                               side->Add(document);
                               return kExitFine;
                             }));
    if (ranking->dumps() == 0) return kExitBadData;
  }
  if (options.format == "svg") {
    const std::string title = fmt::format("From {} to {}", text::CleanText(options.before, 50),
                                          text::CleanText(options.after, 50));
    return std::max(exit_code,
                    WriteDocument(options.output, render::DifferentialSvg(before, after, title)));
  }
  const std::string content = options.format == "folded"
                                  ? rank::DiffFolded(before, after)
                                  : rank::DiffText(before, after, TextOf(options.ranking));
  return std::max(exit_code, WriteOutput(options.output.empty() ? "-" : options.output, content));
}

}  // namespace

void AddDiff(CLI::App* app, Action* action) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* verb = app->add_subcommand("diff", "Show what changed between two sets of dumps");
  verb->add_option("A", options->before, "The dump before, or a folder of dumps")->required();
  verb->add_option("B", options->after, "The dump after, or a folder of dumps")->required();
  AddDumpOptions(verb, &options->dumps);
  AddRankingOptions(verb, &options->ranking);
  verb->add_option(
          "--format", options->format,
          "text: a table, the default; svg: a differential flame graph; folded: stacks with two "
          "times in microseconds, as difffolded.pl writes them")
      ->check(CLI::IsMember({"text", "svg", "folded"}))
      ->option_text("text|svg|folded");
  verb->add_option("-o,--output", options->output, "The file; - is standard output");
  verb->footer("Example:\n  stillframe diff dumps-1.2/ dumps-1.3/ --format svg -o diff.svg");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
