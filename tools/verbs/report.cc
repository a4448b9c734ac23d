// stillframe report DUMP... [-o FILE]
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tools/render/html_report.h"
#include "tools/verbs/dump_input.h"
#include "tools/verbs/output.h"
#include "tools/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string output;
};

// What cannot be read is complained about and left out.
int Run(const Options& options) {
  render::PageData data(STILLFRAME_VERSION);
  int exit_code = kExitFine;
  for (const std::string& input : options.inputs) {
    exit_code =
        std::max(exit_code, WithDump(input, [&](const verdict::Case& evidence) {
                   const size_t slash = input.rfind('/');
                   data.Add(slash == std::string::npos ? input : input.substr(slash + 1), evidence);
                   return kExitFine;
                 }));
  }
  if (data.headlines().empty()) {
    return exit_code;
  }
  return std::max(exit_code, WriteDocument(options.output, render::HtmlReport(data)));
}

}  // namespace

void AddReport(CLI::App* app, Action* action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("report", "Write one self-contained HTML page");
  verb->add_option("DUMP", options->inputs, "The dumps; - is standard input")->required();
  verb->add_option("-o,--output", options->output, "The page; - is standard output");
  verb->footer("Example:\n  stillframe report anr.sfdump -o report.html");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
