// stillframe report DUMP [-o FILE]
#include <memory>
#include <string>

#include "tools/render/html_report.h"
#include "tools/verbs/dump_input.h"
#include "tools/verbs/output.h"
#include "tools/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct Options {
  std::string input;
  std::string output;
};

}  // namespace

void AddReport(CLI::App* app, Action* action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("report", "Write one self-contained HTML page");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  verb->add_option("-o,--output", options->output, "The page; - is standard output");
  verb->footer("Example:\n  stillframe report anr.sfdump -o report.html");
  verb->callback([options, action] {
    *action = [options] {
      return WithDump(options->input, [&options](const verdict::Case& evidence) {
        return WriteDocument(options->output, render::HtmlReport(evidence));
      });
    };
  });
}

}  // namespace stillframe::verbs
