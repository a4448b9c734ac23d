// SPDX-License-Identifier: Apache-2.0
// stillframe report DUMP... [-o FILE] [--examples N]

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/render/html_report.h"
#include "tools/stillframe/rules/judge.h"
#include "tools/stillframe/text/clean_text.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct ReportOptions {
  std::vector<std::string> inputs;
  DumpOptions dumps;
  std::string output;
  size_t examples = render::PageData::kExamples;
};

}  // namespace

int WriteReportOf(const DumpOptions& options, const std::vector<std::string>& inputs,
                  const std::string& output, size_t examples) {
  render::PageData data(STILLFRAME_VERSION, examples);
  const int exit_code =
      ForEachDump(options, inputs, [&](const std::string& input, const model::Document& document) {
        const size_t slash = input.rfind('/');
        const index::DumpIndex index(document, options.packages);
        data.Add(text::CleanText(slash == std::string::npos ? input : input.substr(slash + 1)),
                 index, rules::Judge(index));
        return kExitFine;
      });
  if (data.dumps() == 0) return exit_code;
  return std::max(exit_code, WriteDocument(output, render::HtmlReport(data)));
}

void AddReport(CLI::App* app, Action* action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb = app->add_subcommand("report", "Write one self-contained HTML page");
  verb->add_option("DUMP", options->inputs, "The dumps, or folders of them; - is standard input")
      ->required();
  AddDumpOptions(verb, &options->dumps);
  AddSymbolsOption(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_option("-o,--output", options->output, "The page; - is standard output");
  verb->add_option("--examples", options->examples,
                   "Of more than 1,000 dumps: how many of each cause can be opened, the costliest")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->option_text("N");
  verb->footer("Example:\n  stillframe report anr.sfdump -o report.html");
  verb->callback([options, action] {
    *action = [options] {
      return WriteReportOf(options->dumps, options->inputs, options->output, options->examples);
    };
  });
}

}  // namespace stillframe::verbs
