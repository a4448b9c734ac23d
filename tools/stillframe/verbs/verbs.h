// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line. A verb only parses its arguments; a renderer does the work.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/exit_codes.h"  // returned by Action

namespace stillframe::verbs {

// Runs the chosen verb after all arguments are parsed. Returns the exit code.
using Action = std::function<int()>;

// Adds --message N; anything but a number that fits 64 bits is wrong usage.
void AddMessageOption(CLI::App* verb, std::optional<Token>* token, const std::string& help);

void AddReport(CLI::App* app, Action* action);
void AddFlame(CLI::App* app, Action* action);
void AddCohort(CLI::App* app, Action* action);
void AddConfig(CLI::App* app, Action* action);
void AddDoctor(CLI::App* app, Action* action);
void AddDiff(CLI::App* app, Action* action);
void AddExport(CLI::App* app, Action* action);
void AddImport(CLI::App* app, Action* action);
void AddInspect(CLI::App* app, Action* action);
void AddJanks(CLI::App* app, Action* action);
void AddLive(CLI::App* app, Action* action);
void AddPull(CLI::App* app, Action* action);
void AddRecord(CLI::App* app, Action* action);
void AddStore(CLI::App* app, Action* action);
void AddSymbolize(CLI::App* app, Action* action);
void AddTop(CLI::App* app, Action* action);
void AddText(CLI::App* app, Action* action);

struct Page {
  std::string path;                // "-": standard output
  bool is_printed = false;         // print its path
  bool opens = false;              // open it in the browser
  std::optional<size_t> examples;  // of each cause
  std::string source_url;          // with {file} and {line}
};

// Writes one page of several dumps and returns an exit code. Complains about unreadable dumps and
// omits them. Writes nothing without a readable dump.
int WriteReportOf(const DumpOptions& options, const std::vector<std::string>& inputs,
                  const Page& page);

}  // namespace stillframe::verbs
