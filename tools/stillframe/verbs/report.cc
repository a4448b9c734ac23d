// SPDX-License-Identifier: Apache-2.0
// stillframe report DUMP... [-o FILE]
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
};

// What cannot be read is complained about and left out.
int Run(const ReportOptions& options) {
  render::PageData data(STILLFRAME_VERSION);
  const int exit_code = ForEachDump(
      options.dumps, options.inputs,
      [&](const std::string& input, const model::Document& document) {
        const size_t slash = input.rfind('/');
        const index::DumpIndex index(document, options.dumps.packages);
        data.Add(text::CleanText(slash == std::string::npos ? input : input.substr(slash + 1)),
                 index, rules::Judge(index));
        return kExitFine;
      });
  if (data.headlines().empty()) return exit_code;
  return std::max(exit_code, WriteDocument(options.output, render::HtmlReport(data)));
}

}  // namespace

void AddReport(CLI::App* app, Action* action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb = app->add_subcommand("report", "Write one self-contained HTML page");
  verb->add_option("DUMP", options->inputs, "The dumps, or folders of them; - is standard input")
      ->required();
  AddDumpOptions(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_option("-o,--output", options->output, "The page; - is standard output");
  verb->footer("Example:\n  stillframe report anr.sfdump -o report.html");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
