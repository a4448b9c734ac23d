// SPDX-License-Identifier: Apache-2.0
// stillframe top DUMP... [--rows N] [--by self|total] [--json]
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/render/method_ranking.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/ranking_options.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct TopOptions {
  std::vector<std::string> inputs;
  DumpOptions dumps;
  RankingOptions ranking;
  std::string output = "-";
};

int Run(const TopOptions& options) {
  fleet::MethodRanking ranking;
  const int exit_code =
      ForEachDump(options.dumps, options.inputs,
                  [&ranking](const std::string&, const model::Document& document) {
                    ranking.Add(document);
                    return kExitFine;
                  });
  if (ranking.dumps() == 0) return kExitBadData;
  const auto write = options.ranking.as_json ? render::TopJson : render::TopText;
  return std::max(exit_code, WriteOutput(options.output, write(ranking, TextOf(options.ranking))));
}

}  // namespace

render::TextOptions TextOf(const RankingOptions& options) {
  render::TextOptions text;
  text.rows = options.rows;
  text.by_total = options.by == "total";
  text.width = StandardOutput().columns;
  return text;
}

void AddRankingOptions(CLI::App* verb, RankingOptions* options) {
  verb->add_option("--rows", options->rows, "How many methods to list (default: 20)")
      ->check(CLI::Range(1U, 1'000'000U))
      ->option_text("N");
  verb->add_option(
          "--by", options->by,
          "Order by the time of a method itself, or by that with all it called (default: self)")
      ->check(CLI::IsMember({"self", "total"}))
      ->option_text("self|total");
  verb->add_flag("--json", options->as_json, "Write JSON instead of a table");
}

void AddTop(CLI::App* app, Action* action) {
  auto options = std::make_shared<TopOptions>();
  CLI::App* verb = app->add_subcommand("top", "Rank methods and stacks over many dumps");
  verb->add_option("DUMP", options->inputs, "The dumps, or folders of them; - is standard input")
      ->required();
  AddDumpOptions(verb, &options->dumps);
  AddRankingOptions(verb, &options->ranking);
  verb->add_option("-o,--output", options->output, "The table; - is standard output (default: -)");
  verb->footer("Example:\n  stillframe top dumps/ --by total --rows 50");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
