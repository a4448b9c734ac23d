// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line. A verb parses its arguments and no more; a renderer does the work.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/exit_codes.h"  // of what an Action returns

namespace stillframe::verbs {

// What the chosen verb will do once all arguments are parsed; returns the exit code.
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
void AddSymbolize(CLI::App* app, Action* action);
void AddTop(CLI::App* app, Action* action);
void AddText(CLI::App* app, Action* action);

struct Page {
  std::string path;                // "-" is standard output
  bool is_told = false;            // its path is printed
  bool opens = false;              // in the browser
  std::optional<size_t> examples;  // of each cause
  std::string source_url;          // with {file} and {line}
};

// One page of several dumps. What cannot be read is complained about and left out. Returns an exit
// code; without one readable dump nothing is written.
int WriteReportOf(const DumpOptions& options, const std::vector<std::string>& inputs,
                  const Page& page);

}  // namespace stillframe::verbs
