// SPDX-License-Identifier: Apache-2.0
// stillframe symbolize DUMP --symbols DIR... [-o FILE]
#include <memory>
#include <string>

#include "tools/stillframe/render/native_text.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct SymbolizeOptions {
  std::string input;
  DumpOptions dumps;
  std::string output = "-";
};

int Write(const SymbolizeOptions& options, const model::Document& document) {
  const std::string text = render::NativeStacksText(document);
  if (!text.empty()) return WriteOutput(options.output, text);
  Complain(SubjectFor(options.input),
           "holds no native frames; take dumps with STILLFRAME_NATIVE=1 for them");
  return kExitBadData;
}

}  // namespace

void AddSymbolize(CLI::App* app, Action* action) {
  auto options = std::make_shared<SymbolizeOptions>();
  CLI::App* verb =
      app->add_subcommand("symbolize", "Print native stacks with functions, files and lines");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  AddDumpOptions(verb, &options->dumps);
  AddSymbolsOption(verb, &options->dumps)->required();
  verb->add_option("-o,--output", options->output, "The text; - is standard output (default: -)");
  verb->footer(
      "Example:\n  stillframe symbolize anr.sfdump --symbols app/build/intermediates/cmake");
  verb->callback([options, action] {
    *action = [options] {
      return ForEachDump(options->dumps, {options->input},
                         [&options](const std::string&, const model::Document& document) {
                           return Write(*options, document);
                         });
    };
  });
}

}  // namespace stillframe::verbs
