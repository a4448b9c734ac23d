// SPDX-License-Identifier: Apache-2.0
// stillframe pull -p PACKAGE [-o DIR]
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/phone/dumps.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/phone_options.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct PullOptions {
  phone::Question question;
  std::string output = ".";
};

int Run(const PullOptions& options) {
  const phone::Examination examination = phone::Examine(options.question);
  if (!ComplainOfProblems(examination) || !MakeFolder(options.output)) return kExitBadData;
  const phone::Adb adb(examination.patient.serial);
  const std::string& package = options.question.package;
  const std::vector<phone::RemoteDump> dumps = phone::FindDumps(adb, package, ".");
  if (dumps.empty()) {
    Complain(package, "has no dumps in its folder");
    return kExitBadData;
  }
  int exit_code = kExitFine;
  for (const phone::RemoteDump& dump : dumps) {
    std::string error;
    if (phone::FetchDump(adb, package, dump, options.output, &error)) {
      fmt::print("{}/{}\n", options.output, dump.name());
    } else {
      Complain(package, error);
      exit_code = kExitBadData;
    }
  }
  return exit_code;
}

}  // namespace

void AddPull(CLI::App* app, Action* action) {
  auto options = std::make_shared<PullOptions>();
  options->question.needs_library = false;
  CLI::App* verb =
      app->add_subcommand("pull", "Fetch the dumps of a debuggable application from a phone");
  AddSerialOption(verb, &options->question);
  AddPackageOption(verb, &options->question)->required();
  verb->add_option("-o,--output", options->output, "The folder for them (default: the current one)")
      ->option_text("DIR");
  verb->footer("Example:\n  stillframe pull -p com.example.shop -o dumps");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
