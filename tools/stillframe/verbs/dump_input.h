// SPDX-License-Identifier: Apache-2.0
// The dumps that a verb was given, and the complaint when something is wrong with one.
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
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::verbs {

// What verbs that read dumps have in common.
struct DumpOptions {
  std::vector<std::string> mappings;  // "FILE" or "VERSION=FILE"
  std::vector<std::string> symbols;   // folders with symbol files
  std::vector<std::string> packages;  // of the application, see index::OwnCode
};

// Adds --mapping.
void AddDumpOptions(CLI::App* verb, DumpOptions* options);

// Adds --symbols, for verbs that show native frames.
CLI::Option* AddSymbolsOption(CLI::App* verb, DumpOptions* options);

// Adds --app, for verbs that judge.
void AddAppOption(CLI::App* verb, DumpOptions* options);

// Prints "stillframe: SUBJECT: what" on standard error, as one clean line.
void Complain(const std::string& subject, const std::string& what);

// "standard input" for "-", else the path.
std::string SubjectFor(const std::string& path);

// Folders become the files in and below them that are wanted, by path; links to folders are not
// followed. Complains of `what` is missing and returns false if a folder cannot be read or has
// none.
bool FindFiles(const std::vector<std::string>& inputs,
               bool (*is_wanted)(const std::filesystem::path&), const std::string& what,
               std::vector<std::string>* paths);

// What is written for `inputs` if nothing else is asked for: "anr.html" for "shop/anr.sfdump.gz",
// `otherwise` with the ending for standard input, a folder and several.
std::string PageName(const std::vector<std::string>& inputs, const std::string& otherwise,
                     const std::string& ending);

// Reads each of `paths`, "-" being standard input, unpacks it if it is gzip, restores its names,
// makes its texts clean and hands it to `use`, which returns an exit code; a folder stands for all
// dumps in and below it. A dump that is truncated or damaged is used as far as it could be read,
// and the exit code is kExitBadData at least. A dump whose names could not be restored is used as
// it is, likewise.
int ForEachDump(const DumpOptions& options, const std::vector<std::string>& paths,
                const std::function<int(const std::string& path, const model::Document&)>& use);

// The same for one dump, with its verdict.
int WithDump(const DumpOptions& options, const std::string& path,
             const std::function<int(const index::DumpIndex&, const judge::Verdict&)>& use);

// The token that was asked for, else that of the verdict if it has a tree, else that of the newest
// tree. Complains and returns another exit code than kExitFine if there is no such tree.
int ChooseTree(const index::DumpIndex& index, const judge::Verdict& verdict,
               const std::string& path, std::optional<Token> asked, Token* token);

}  // namespace stillframe::verbs
