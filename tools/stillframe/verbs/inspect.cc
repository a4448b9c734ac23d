// SPDX-License-Identifier: Apache-2.0
// stillframe inspect DUMP [--json] [-o FILE], stillframe inspect --schema
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
  bool as_schema = false;
};

}  // namespace

void AddInspect(CLI::App* app, Action* action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* verb = app->add_subcommand("inspect", "Print everything that is in a dump");
  verb->add_option("DUMP", options->input, "The dump; - is standard input");
  AddDumpOptions(verb, &options->dumps);
  AddSymbolsOption(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_flag("--json", options->as_json, "Write JSON instead of a listing");
  verb->add_flag("--schema", options->as_schema, "Write the schema of that JSON, without a dump");
  verb->add_option("-o,--output", options->output,
                   "The listing; - is standard output (default: -)");
  verb->footer("Example:\n  stillframe inspect anr.sfdump --json | jq .verdict");
  verb->callback([options, action] {
    if (options->input.empty() && !options->as_schema) throw CLI::RequiredError("DUMP");
    *action = [options] {
      if (options->as_schema) return WriteOutput(options->output, render::JsonSchema());
      return WithDump(options->dumps, options->input,
                      [&options](const index::DumpIndex& index, const judge::Verdict& verdict) {
                        return WriteOutput(options->output, options->as_json
                                                                ? render::Json(index, verdict)
                                                                : render::Listing(index, verdict));
                      });
    };
  });
}

}  // namespace stillframe::verbs
