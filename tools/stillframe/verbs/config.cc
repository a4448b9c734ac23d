// SPDX-License-Identifier: Apache-2.0
// stillframe config check FILE, stillframe config show FILE [--id ID], stillframe config schema
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "src/settings/document.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/input/disk_files.h"
#include "tools/stillframe/verbs/document_check.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct ConfigOptions {
  std::string what;
  std::string file;
  std::string output = "-";
  std::string install_id;
};

int CheckDocument(const ConfigOptions& options, const std::string& text) {
  std::vector<std::string> lines = verbs::Problems(text);
  const int exit_code = lines.empty() ? kExitFine : kExitBadData;
  const std::vector<std::string> warnings = verbs::Warnings(text);
  lines.insert(lines.end(), warnings.begin(), warnings.end());
  if (lines.empty()) {
    settings::Document document;
    settings::ReadDocument(text, &document);
    lines.push_back(fmt::format("OK, {}{}", index::Counted(document.settings.size(), "setting"),
                                document.has_cohort ? " for a cohort" : ""));
  }
  std::string said;
  for (const std::string& line : lines)
    said += index::CleanText(SubjectFor(options.file), 400) + ": " + line + "\n";
  return std::max(exit_code, WriteOutput(options.output, said));
}

int ShowDocument(const ConfigOptions& options, const std::string& text) {
  std::string shown;
  if (verbs::ShowInForce(text, options.install_id, &shown))
    return WriteOutput(options.output, shown);
  Complain(SubjectFor(options.file), shown + "; see 'stillframe config check'");
  return kExitBadData;
}

int Run(const ConfigOptions& options) {
  if (options.what == "schema") return WriteOutput(options.output, verbs::DocumentSchema());
  if (options.file.empty()) {
    Complain("config", "no document; name its file");
    return kExitUsage;
  }
  std::string text;
  std::string error;
  if (!input::ReadWhole(input::DiskFiles(), options.file, settings::kMaxDocumentBytes, &text,
                        &error)) {
    Complain(SubjectFor(options.file), error);
    return kExitBadData;
  }
  return options.what == "check" ? CheckDocument(options, text) : ShowDocument(options, text);
}

}  // namespace

void AddConfig(CLI::App* app, Action* action) {
  auto options = std::make_shared<ConfigOptions>();
  CLI::App* verb =
      app->add_subcommand("config", "Check documents of settings, and tell what they do for whom");
  verb->add_option("WHAT", options->what,
                   "check: what a device would leave out; show: what is in force for the given "
                   "install; schema: the JSON Schema of documents")
      ->required()
      ->check(CLI::IsMember({"check", "show", "schema"}));
  verb->add_option("FILE", options->file, "The document; - is standard input");
  verb->add_option("--id", options->install_id, "The install's id")->option_text("ID");
  verb->add_option("-o,--output", options->output, "The result; - is standard output (default: -)");
  verb->footer(
      "Without an id the install is in no cohort.\n"
      "Example:\n  stillframe config show settings.json --id c0ffee");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
