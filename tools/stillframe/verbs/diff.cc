// SPDX-License-Identifier: Apache-2.0
// stillframe diff A B [--format text|svg|folded] [--json] [--fail-above PERCENT] [-o FILE]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/render/method_ranking.h"
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
  std::string fail_above;
  std::string output;
};

// True if no method's share grew by more than --fail-above. False without samples.
bool IsWithin(const DiffOptions& options, const fleet::MethodRanking& before,
              const fleet::MethodRanking& after) {
  if (after.all().total_us == 0) {
    Complain(options.after, "has no sampled message to compare; give dumps of slow messages");
    return false;
  }
  const double most = std::strtod(options.fail_above.c_str(), nullptr);
  std::vector<fleet::Change> grown;
  for (fleet::Change& change : Changes(before, after, options.ranking.by == "total"))
    if (change.percent() > most) grown.push_back(std::move(change));
  if (grown.empty()) return true;
  const fleet::Change& first = grown.front();
  const std::string others =
      grown.size() > 1 ? ", and " + index::Counted(grown.size() - 1, "other method") + " did" : "";
  Complain(first.name, fmt::format("its share of {} time grew by {:.1f} points, from {:.1f} % to "
                                   "{:.1f} %{}; --fail-above allows {}",
                                   options.ranking.by, first.percent(), first.before.percent,
                                   first.after.percent, others, options.fail_above));
  return false;
}

std::string Table(const DiffOptions& options, const fleet::MethodRanking& before,
                  const fleet::MethodRanking& after) {
  if (options.format == "folded") return render::DiffFolded(before, after);
  const auto write = options.ranking.as_json ? render::DiffJson : render::DiffText;
  return write(before, after, TextOf(options.ranking));
}

int Run(const DiffOptions& options) {
  fleet::MethodRanking before;
  fleet::MethodRanking after;
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
  if (!options.fail_above.empty() && !IsWithin(options, before, after)) exit_code = kExitBadData;
  if (options.format == "svg") {
    const std::string title = fmt::format("From {} to {}", index::CleanText(options.before, 50),
                                          index::CleanText(options.after, 50));
    return std::max(exit_code,
                    WriteDocument(options.output, render::DifferentialSvg(before, after, title)));
  }
  return std::max(exit_code, WriteOutput(options.output.empty() ? "-" : options.output,
                                         Table(options, before, after)));
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
          "text: a table (the default); svg: a differential flame graph; folded: stacks with two "
          "times in microseconds, as difffolded.pl writes them")
      ->check(CLI::IsMember({"text", "svg", "folded"}))
      ->excludes(verb->get_option("--json"))
      ->option_text("text|svg|folded");
  verb->add_option("--fail-above", options->fail_above,
                   "Exit with 1 if a method's share of the sampled time grew by more than this "
                   "many percentage points, from 0 to 100; --by chooses which time")
      ->check([](const std::string& text) {
        char* end = nullptr;
        const double percent = std::strtod(text.c_str(), &end);
        return !text.empty() && *end == '\0' && percent >= 0 && percent <= 100
                   ? std::string()
                   : "'" + text + "' is not a number from 0 to 100";
      })
      ->option_text("PERCENT");
  verb->add_option("-o,--output", options->output,
                   "The file; - is standard output (default: - for text)");
  verb->footer("Example:\n  stillframe diff dumps-1.2/ dumps-1.3/ --format svg -o diff.svg");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
