// SPDX-License-Identifier: Apache-2.0
// stillframe config check FILE, stillframe config show FILE [facts], stillframe config schema
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "src/settings/rules.h"
#include "tools/stillframe/index/byte_source.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
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
  std::string at;
  bool is_debuggable = false;
  bool is_not_debuggable = false;
  settings::Facts facts;
};

int CheckDocument(const ConfigOptions& options, const std::string& text) {
  std::vector<std::string> lines = verbs::Problems(text);
  const int exit_code = lines.empty() ? kExitFine : kExitBadData;
  const std::vector<std::string> warnings = verbs::Warnings(text);
  lines.insert(lines.end(), warnings.begin(), warnings.end());
  if (lines.empty()) {
    settings::Document document;
    settings::ReadDocument(text, &document);
    lines.push_back(fmt::format("OK, {}, {}", index::Counted(document.settings.size(), "setting"),
                                index::Counted(document.rules.size(), "rule")));
  }
  std::string said;
  for (const std::string& line : lines)
    said += index::CleanText(SubjectFor(options.file), 400) + ": " + line + "\n";
  return std::max(exit_code, WriteOutput(options.output, said));
}

int ShowDocument(const ConfigOptions& options, const std::string& text) {
  settings::Facts facts = options.facts;
  facts.now_s = static_cast<int64_t>(std::time(nullptr));
  if (!options.at.empty() && !settings::ParseTime(options.at, &facts.now_s)) {
    Complain("config", "--at takes a day like 2026-11-23, or a time like 2026-11-23T10:00:00Z");
    return kExitUsage;
  }
  if (facts.package.empty()) facts.package = facts.process.substr(0, facts.process.find(':'));
  if (facts.process.empty()) facts.process = facts.package;
  if (options.is_debuggable || options.is_not_debuggable)
    facts.debuggable = options.is_debuggable ? 1 : 0;
  std::string shown;
  if (verbs::ShowInForce(text, facts, &shown)) return WriteOutput(options.output, shown);
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
  if (!index::ReadWhole(options.file, settings::kMaxDocumentBytes, &text, &error)) {
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
                   "check: what a device would leave out, and rules that never count; show: what "
                   "is in force for the given "
                   "facts; schema: the JSON Schema of documents")
      ->required()
      ->check(CLI::IsMember({"check", "show", "schema"}));
  verb->add_option("FILE", options->file, "The document; - is standard input");
  verb->add_option("--package", options->facts.package, "The application's package")
      ->option_text("NAME");
  verb->add_option("--process", options->facts.process, "The process (default: the package)")
      ->option_text("NAME");
  verb->add_option("--abi", options->facts.abi, "The ABI of the process, such as arm64-v8a")
      ->option_text("ABI");
  verb->add_option("--model", options->facts.model, "The device's model")->option_text("NAME");
  verb->add_option("--art-build", options->facts.art_build, "The build id of libart")
      ->option_text("HEX");
  verb->add_option("--api", options->facts.api, "The device's API level")->option_text("N");
  verb->add_option("--version-code", options->facts.version, "The application's version code")
      ->option_text("N");
  verb->add_option("--id", options->facts.install_id, "The install's id")->option_text("ID");
  verb->add_flag("--debuggable", options->is_debuggable, "The process is debuggable");
  verb->add_flag("--not-debuggable", options->is_not_debuggable, "The process is not debuggable");
  verb->add_option("--at", options->at,
                   "The day or time to tell for, such as 2026-11-23T10:00:00Z (default: now)")
      ->option_text("TIME");
  verb->add_option("-o,--output", options->output, "The result; - is standard output (default: -)");
  verb->footer(
      "Facts that are not given are not known: rules about them do not hold.\n"
      "Example:\n  stillframe config show settings.json --package com.shop --api 34 --id c0ffee");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
