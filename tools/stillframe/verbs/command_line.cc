// SPDX-License-Identifier: Apache-2.0
// Puts the verbs together, and parses.
#include "tools/stillframe/verbs/command_line.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/terminal.h"
#include "tools/stillframe/verbs/usage.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct Group {
  const char* name;
  std::vector<void (*)(CLI::App*, Action*)> verbs;
};

// In the order of --help.
const Group kGroups[] = {{"look", {AddReport, AddText, AddFlame, AddInspect, AddSymbolize}},
                         {"compare", {AddTop, AddDiff, AddJanks}},
                         {"phone", {AddDoctor, AddRecord, AddLive, AddPull}},
                         {"convert", {AddExport, AddImport}},
                         {"roll out", {AddConfig, AddCohort}}};

}  // namespace

void AddTokenOption(CLI::App* verb, std::optional<uint64_t>* token, const std::string& help) {
  verb->add_option_function<std::string>(
          "--token",
          [token](const std::string& text) {
            uint64_t value = 0;
            const char* end = text.data() + text.size();
            const std::from_chars_result result = std::from_chars(text.data(), end, value);
            if (result.ec != std::errc() || result.ptr != end)
              throw CLI::ValidationError("--token", "'" + text + "' is not a token");
            *token = value;
          },
          help)
      ->option_text("N");
}

int RunCommandLine(int argc, const char* const* argv) {
  CLI::App app(
      "Tells which code held an Android main thread, from a dump of the Stillframe profiler.",
      "stillframe");
  app.set_version_flag("--version", "stillframe " STILLFRAME_VERSION);
  app.require_subcommand(1);
  constexpr size_t kHelpColumns = 100;
  const size_t columns = StandardOutput().columns;
  app.formatter(WrappedHelp(columns == 0 ? kHelpColumns : std::min(columns, kHelpColumns)));
  app.footer(
      "Exit codes: 0 fine, 1 bad data (what can be read of it is shown), 2 wrong usage.\n"
      "Example: stillframe report anr.sfdump -o report.html");
  Action action;
  for (const Group& group : kGroups) {
    for (const auto& add : group.verbs) {
      add(&app, &action);
      app.get_subcommands([](const CLI::App*) { return true; }).back()->group(group.name);
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0)  // --help, --version
      return app.exit(error);
    Complain("wrong usage", UsageProblem(app, error, argc > 1 ? argv[1] : ""));
    return kExitUsage;
  }
  return action();
}

}  // namespace stillframe::verbs
