// SPDX-License-Identifier: Apache-2.0
// stillframe janks RECORD... [--rows N] [--by NAME,...] [--where NAME=VALUE] [--json]
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tools/stillframe/compare/jank_records.h"
#include "tools/stillframe/index/byte_source.h"
#include "tools/stillframe/store/ingestion.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct JanksOptions {
  std::vector<std::string> inputs;
  DumpOptions dumps;
  std::vector<std::string> by;
  std::vector<std::string> where;
  uint32_t rows = 20;
  bool as_json = false;
  std::string output = "-";
};

// A receiver may have renamed the file. What it is, its content says.
bool IsRecordName(const std::filesystem::path& path) {
  static const std::set<std::string> endings = {"", ".json", ".sent", ".gz"};
  const std::string name = path.filename().string();
  return !name.starts_with('.') && !name.ends_with(".sfdump.gz") && !IsOwnState(path) &&
         endings.contains(path.extension().string());
}

// `has_names`: false if no mapping could be read.
int ReadSubjects(const JanksOptions& options, compare::JankRecords* records, bool* has_names) {
  const std::vector<std::string> paths = records->FactsPaths();
  if (paths.empty()) return kExitFine;
  size_t judged = 0;
  const int exit_code = ForEachDump(
      options.dumps, paths, [&](const std::string& path, const model::Document& document) {
        const index::DumpIndex index(document, options.dumps.packages);
        records->SetSubject(path, store::SubjectOf(index));
        ++judged;
        return kExitFine;
      });
  *has_names = judged != 0 || options.dumps.mappings.empty();
  return exit_code;
}

int Run(const JanksOptions& options) {
  std::vector<std::string> paths;
  if (!FindFiles(options.inputs, IsRecordName, "records of janks (stillframe-jank-*.json)", &paths))
    return kExitBadData;
  compare::JankOptions janks = {.by = options.by, .where = {}};
  for (const std::string& condition : options.where) {
    const size_t equals = condition.find('=');
    if (equals == std::string::npos) {
      Complain("--where", "expected NAME=VALUE, got '" + condition + "'");
      return kExitUsage;
    }
    janks.where.emplace_back(condition.substr(0, equals), condition.substr(equals + 1));
  }
  const std::set<std::string> named(options.inputs.begin(), options.inputs.end());
  compare::JankRecords records;
  int exit_code = kExitFine;
  std::vector<std::string> skipped;
  for (const std::string& path : paths) {
    std::string text;
    std::string error;
    if (index::ReadWhole(path, compare::kMaxRecordBytes, &text, &error) &&
        records.Add(text, &error, path)) {
      if (path == "-") KeepStandardInput(std::move(text));
      continue;
    }
    const bool is_record = path.find("stillframe-jank-") != std::string::npos;
    if (!is_record && !named.contains(path)) {
      skipped.push_back(path);
      continue;
    }
    Complain(SubjectFor(path), error);
    exit_code = kExitBadData;
  }
  if (!skipped.empty())
    Complain(skipped.front(), skipped.size() == 1
                                  ? "skipped: is not a record"
                                  : fmt::format("skipped with {} other files that are not records",
                                                skipped.size() - 1));
  if (records.records() + records.sessions() == 0) return kExitBadData;
  bool has_names = true;
  exit_code = std::max(exit_code, ReadSubjects(options, &records, &has_names));
  if (!has_names) return exit_code;
  const auto write = options.as_json ? compare::JankJson : compare::JankText;
  return std::max(exit_code, WriteOutput(options.output, write(records, options.rows, janks)));
}

}  // namespace

void AddJanks(CLI::App* app, Action* action) {
  auto options = std::make_shared<JanksOptions>();
  CLI::App* verb = app->add_subcommand("janks", "List the long messages in jank records");
  verb->add_option("RECORD", options->inputs,
                   "The records, or folders of them; - is standard input")
      ->required();
  AddDumpOptions(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_option("--by", options->by,
                   "Count each row by these facts too: version, api, model, process, scene, group, "
                   "or another name in a record's identity")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("NAME[,NAME]");
  verb->add_option("--where", options->where,
                   "Count only records and sessions with this fact; may be repeated")
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("NAME=VALUE");
  verb->add_option("--rows", options->rows, "How many janks to list (default: 20)")
      ->check(CLI::Range(1U, 1'000'000U))
      ->option_text("N");
  verb->add_flag("--json", options->as_json, "Write JSON instead of a table");
  verb->add_option("-o,--output", options->output, "The table; - is standard output (default: -)");
  verb->footer("Example:\n  stillframe janks records/ --by version --where model='Pixel 6'");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
