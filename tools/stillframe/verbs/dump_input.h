// SPDX-License-Identifier: Apache-2.0
// Reads the dumps given to a verb, and complains about errors in them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/input/document_input.h"
#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/verbs/output.h"

namespace stillframe::verbs {

// Options of all verbs that read dumps.
struct DumpOptions {
  std::vector<std::string> mappings;  // "FILE" or "VERSION=FILE"
  std::vector<std::string> symbols;   // folders with symbol files
  std::vector<std::string> packages;  // the application's, see index::OwnCode
};

// Adds --mapping.
void AddDumpOptions(CLI::App* verb, DumpOptions* options);

// Adds --symbols, for verbs that show native frames.
CLI::Option* AddSymbolsOption(CLI::App* verb, DumpOptions* options);

// Adds --app, for verbs that judge.
void AddAppOption(CLI::App* verb, DumpOptions* options);

// Prints "stillframe: SUBJECT: what" on standard error, as one clean line.
void Complain(const std::string& subject, const std::string& what);

using input::SubjectFor;

// Complaints and progress on standard error.
class TerminalListener : public input::Listener {
 public:
  void Complain(const std::string& subject, const std::string& what) override;
  void BeginWork(const std::string& what, uint64_t steps) override;
  void Step(uint64_t steps) override { progress_->Step(steps); }
  void EndWork() override { progress_.reset(); }

 private:
  std::optional<Progress> progress_;
};

// A file that the library keeps for itself beside its dumps: of the guard, the install or the
// self-check. Its other files have endings of their own.
bool IsOwnState(const std::filesystem::path& path);

// Replaces folders by the wanted files in and below them, by path. Links to folders are not
// followed. Complains that `what` is missing and returns false if a folder cannot be read or has
// none.
bool FindFiles(const std::vector<std::string>& inputs,
               bool (*is_wanted)(const std::filesystem::path&), const std::string& what,
               std::vector<std::string>* paths);

// Default output name for `inputs`: "anr.html" for "shop/anr.sfdump.gz". `otherwise` plus the
// ending for standard input, a folder, or several inputs.
std::string PageName(const std::vector<std::string>& inputs, const std::string& otherwise,
                     const std::string& ending);

// For each of `paths` ("-": standard input): reads it, unpacks gzip, restores names, cleans texts,
// and calls `use`, which returns an exit code. A folder means all dumps in and below it. A
// truncated or damaged dump is used as far as it can be read. A dump whose names could not be
// restored is used unchanged. In both cases the exit code is at least kExitBadData.
int ForEachDump(const DumpOptions& options, const std::vector<std::string>& paths,
                const std::function<int(const std::string& path, const model::Document&)>& use);

// The same for one dump, with its verdict.
int WithDump(const DumpOptions& options, const std::string& path,
             const std::function<int(const index::DumpIndex&, const judge::Verdict&)>& use);

// The requested token, else the verdict's if it has a tree, else that of the newest tree. Without
// such a tree, complains and returns an exit code other than kExitFine.
int ChooseTree(const index::DumpIndex& index, const judge::Verdict& verdict,
               const std::string& path, std::optional<Token> asked, Token* token);

}  // namespace stillframe::verbs
