// SPDX-License-Identifier: Apache-2.0
// stillframe janks RECORD... [--rows N] [--json]
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/compare/jank_records.h"
#include "tools/stillframe/index/byte_source.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct JanksOptions {
  std::vector<std::string> inputs;
  uint32_t rows = 20;
  bool as_json = false;
  std::string output = "-";
};

// A name from the device; a receiver may have put something before it.
bool IsRecordName(const std::filesystem::path& path) {
  return path.extension() == ".json" &&
         path.filename().string().find("stillframe-jank-") != std::string::npos;
}

int Run(const JanksOptions& options) {
  std::vector<std::string> paths;
  if (!FindFiles(options.inputs, IsRecordName, "records of janks (*stillframe-jank-*.json)",
                 &paths))
    return kExitBadData;
  compare::JankRecords records;
  int exit_code = kExitFine;
  for (const std::string& path : paths) {
    std::string text;
    std::string error;
    if (index::ReadWhole(path, compare::kMaxRecordBytes, &text, &error) &&
        records.Add(text, &error))
      continue;
    Complain(SubjectFor(path), error);
    exit_code = kExitBadData;
  }
  if (records.records() == 0) return kExitBadData;
  const auto write = options.as_json ? compare::JankJson : compare::JankText;
  return std::max(exit_code, WriteOutput(options.output, write(records, options.rows)));
}

}  // namespace

void AddJanks(CLI::App* app, Action* action) {
  auto options = std::make_shared<JanksOptions>();
  CLI::App* verb = app->add_subcommand("janks", "List the long messages in jank records");
  verb->add_option("RECORD", options->inputs,
                   "The records, or folders of them; - is standard input")
      ->required();
  verb->add_option("--rows", options->rows, "How many janks to list (default: 20)")
      ->check(CLI::Range(1U, 1'000'000U))
      ->option_text("N");
  verb->add_flag("--json", options->as_json, "Write JSON instead of a table");
  verb->add_option("-o,--output", options->output, "The table; - is standard output (default: -)");
  verb->footer("Example:\n  stillframe janks records/ --rows 50");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
