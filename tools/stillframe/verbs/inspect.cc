// SPDX-License-Identifier: Apache-2.0
// stillframe inspect DUMP [--json] [-o FILE]
#include <memory>
#include <string>

#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/text_report.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct InspectOptions {
  std::string input;
  DumpOptions dumps;
  std::string output = "-";
  bool as_json = false;
};

}  // namespace

void AddInspect(CLI::App* app, Action* action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* verb = app->add_subcommand("inspect", "Print everything that is in a dump");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  AddDumpOptions(verb, &options->dumps);
  AddSymbolsOption(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_flag("--json", options->as_json, "Write JSON instead of a listing");
  verb->add_option("-o,--output", options->output,
                   "The listing; - is standard output (default: -)");
  verb->footer("Example:\n  stillframe inspect anr.sfdump --json | jq .verdict");
  verb->callback([options, action] {
    *action = [options] {
      return WithDump(options->dumps, options->input,
                      [&options](const index::DumpIndex& index, const verdict::Verdict& verdict) {
                        return WriteOutput(options->output, options->as_json
                                                                ? render::Json(index, verdict)
                                                                : render::Listing(index, verdict));
                      });
    };
  });
}

}  // namespace stillframe::verbs
