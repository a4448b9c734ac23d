// SPDX-License-Identifier: Apache-2.0
// stillframe janks RECORD... [--rows N] [--json]
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/janks/jank_records.h"
#include "tools/stillframe/streams/byte_source.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

namespace fs = std::filesystem;

struct JanksOptions {
  std::vector<std::string> inputs;
  uint32_t rows = 20;
  bool as_json = false;
  std::string output = "-";
};

// As the device names it, or a receiver, which puts something before that.
bool IsRecord(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.path().extension() == ".json" && entry.is_regular_file(error) &&
         entry.path().filename().string().find("stillframe-jank-") != std::string::npos;
}

// Folders become the records in them, by name. False if one cannot be read or has none.
bool FindRecords(const std::vector<std::string>& inputs, std::vector<std::string>* paths) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!fs::is_directory(input, error)) {
      paths->push_back(input);
      continue;
    }
    const size_t before = paths->size();
    for (fs::directory_iterator entry(input, error), end; !error && entry != end;
         entry.increment(error))
      if (IsRecord(*entry)) paths->push_back(entry->path().string());
    if (error || paths->size() == before) {
      Complain(
          input,
          error ? fmt::format("cannot read: {}; give a folder that you may read", error.message())
                : "is a folder without records of janks (*stillframe-jank-*.json); name one, "
                  "or another folder");
      return false;
    }
    std::sort(paths->begin() + static_cast<std::ptrdiff_t>(before), paths->end());
  }
  return true;
}

int Run(const JanksOptions& options) {
  std::vector<std::string> paths;
  if (!FindRecords(options.inputs, &paths)) return kExitBadData;
  janks::JankRecords records;
  int exit_code = kExitFine;
  for (const std::string& path : paths) {
    std::string text;
    std::string error;
    if (streams::ReadWhole(path, janks::kMaxRecordBytes, &text, &error) &&
        records.Add(text, &error))
      continue;
    Complain(SubjectFor(path), error);
    exit_code = kExitBadData;
  }
  if (records.records() == 0) return kExitBadData;
  const auto write = options.as_json ? janks::JankJson : janks::JankText;
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
  verb->add_option("-o,--output", options->output, "The table; - is standard output, the default");
  verb->footer("Example:\n  stillframe janks records/ --rows 50");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
