// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/dump_input.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/input/disk_files.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/naming/document_names.h"
#include "tools/stillframe/verbs/exit_codes.h"
#include "tools/stillframe/verbs/output.h"

namespace stillframe::verbs {
namespace {

namespace fs = std::filesystem;

// Option of every verb that reads dumps: FILE, or VERSION=FILE for dumps of that application
// version only. May be repeated.
void AddMappingOption(CLI::App* verb, std::vector<std::string>* mappings) {
  verb->add_option(
          "--mapping", *mappings,
          "A mapping.txt of R8 or ProGuard that restores names; VERSION=FILE holds for dumps "
          "of that version only; may be repeated")
      ->option_text("[VERSION=]FILE")
      ->allow_extra_args(false)
      ->take_all();
}

constexpr size_t kMaxTokens = 40;

// In a folder, other files than dumps are tried by their names: text that people export.
bool IsExportName(const fs::path& path) {
  static const std::set<std::string> endings = {
      "", ".txt", ".log", ".json", ".trace", ".traces", ".anr", ".folded", ".collapsed", ".zip"};
  const std::string name = path.filename().string();
  const auto has = [&name](const char* text) { return name.find(text) != std::string::npos; };
  return !name.starts_with('.') && !IsOwnState(path) && !has("stillframe-jank-") &&
         !has("stillframe-session-") && endings.contains(path.extension().string());
}

bool IsInputName(const fs::path& path) {
  return input::IsDumpName(path.string()) || IsExportName(path);
}

bool MayBeDump(const std::string& name) { return IsInputName(name); }

}  // namespace

bool IsOwnState(const fs::path& path) {
  return path.filename().string().starts_with("stillframe-") && path.extension().empty();
}

bool FindFiles(const std::vector<std::string>& inputs, bool (*is_wanted)(const fs::path&),
               const std::string& what, std::vector<std::string>* paths) {
  bool found_all = true;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!fs::is_directory(input, error)) {
      paths->push_back(input);
      continue;
    }
    const size_t before = paths->size();
    if (input::IsFolderOfKernel(input)) {
      Complain(input, "is a folder of the kernel; name another one");
      found_all = false;
      continue;
    }
    for (fs::recursive_directory_iterator entry(input, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code ignored;
      if (is_wanted(entry->path()) && entry->is_regular_file(ignored))
        paths->push_back(entry->path().string());
    }
    if (error || paths->size() == before) {
      Complain(input, error ? fmt::format("cannot read: {}; give a folder that you may read",
                                          error.message())
                            : "is a folder without " + what + "; name one, or another folder");
      found_all = false;
    }
    std::sort(paths->begin() + static_cast<ptrdiff_t>(before), paths->end());
  }
  return found_all;
}

std::string PageName(const std::vector<std::string>& inputs, const std::string& otherwise,
                     const std::string& ending) {
  std::error_code ignored;
  if (inputs.size() != 1 || inputs[0] == "-" || fs::is_directory(inputs[0], ignored))
    return otherwise + ending;
  fs::path name = fs::path(inputs[0]).filename();
  for (const char* known : {".gz", ".zip", ".sfdump"})
    if (name.extension() == known) name = name.stem();
  return name.string() + ending;
}

void AddDumpOptions(CLI::App* verb, DumpOptions* options) {
  AddMappingOption(verb, &options->mappings);
}

CLI::Option* AddSymbolsOption(CLI::App* verb, DumpOptions* options) {
  return verb
      ->add_option("--symbols", options->symbols,
                   "A folder with unstripped libraries, or with files by build id, for names and "
                   "lines of native frames; may be given several times")
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("DIR");
}

void AddAppOption(CLI::App* verb, DumpOptions* options) {
  verb->add_option("--app", options->packages,
                   "The packages of the application's own code, with commas (default: that of the "
                   "dump, else all that is neither the platform's nor a well-known library's)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("PACKAGE[,PACKAGE]");
}

void Complain(const std::string& subject, const std::string& what) {
  const std::string line = fmt::format("stillframe: {}: {}\n", index::CleanText(subject, 400),
                                       index::CleanText(what, 2000));
  std::fputs(line.c_str(), stderr);
}

void TerminalListener::Complain(const std::string& subject, const std::string& what) {
  if (progress_) progress_->Clear();
  verbs::Complain(subject, what);
}

void TerminalListener::BeginWork(const std::string& what, uint64_t steps) {
  progress_.emplace(what, steps);
}

namespace {

// Reads the mappings for all classes of the dumps, so files are read twice. Standard input cannot
// be read again, so its dump is kept.
bool ReadNames(const DumpOptions& options, const std::vector<std::string>& paths,
               input::DocumentInput* documents,
               std::optional<std::vector<input::Input>>* from_standard_input) {
  if (options.mappings.empty()) return true;
  naming::TextSet class_names;
  for (const std::string& path : paths) {
    std::vector<input::Input> inputs = documents->ReadFile(path, MayBeDump);
    for (const input::Input& input : inputs)
      class_names.merge(naming::ClassNames(input.result.document));
    if (path == "-") *from_standard_input = std::move(inputs);
  }
  return documents->ReadMappings(options.mappings, &class_names);
}

using Skipped = std::vector<std::pair<std::string, std::string>>;  // paths and reasons

void ComplainOfSkipped(const Skipped& skipped, const std::string& input) {
  constexpr size_t kMostNamed = 5;
  for (size_t i = 0; i < std::min(skipped.size(), kMostNamed); ++i)
    Complain(skipped[i].first, "skipped: " + skipped[i].second);
  if (skipped.size() > kMostNamed)
    Complain(input, fmt::format("{} more skipped: they hold nothing that can be read; name one to "
                                "see why",
                                skipped.size() - kMostNamed));
}

}  // namespace

int ForEachDump(const DumpOptions& options, const std::vector<std::string>& inputs,
                const std::function<int(const std::string& path, const model::Document&)>& use) {
  const input::DiskFiles files;
  TerminalListener listener;
  input::DocumentInput documents(files, &listener);
  if (!documents.OpenSymbols(options.symbols)) return kExitBadData;
  std::vector<std::string> paths;
  int exit_code =
      FindFiles(inputs, IsInputName, "dumps (*.sfdump)", &paths) ? kExitFine : kExitBadData;
  std::optional<std::vector<input::Input>> kept;
  if (!ReadNames(options, paths, &documents, &kept)) return kExitBadData;
  Progress progress("reading dumps", paths.size());
  const auto prepare_and_use = [&](const std::string& path, dump::ReadResult* result) {
    if (!result->ok()) {
      progress.Clear();
      Complain(SubjectFor(path), result->error);
      exit_code = kExitBadData;
    }
    if (!result->readable()) return;
    model::Document& document = result->document;
    if (!result->ok() && document.damage.empty()) document.damage.push_back(result->error);
    if (!documents.Prepare(path, &document)) exit_code = kExitBadData;
    exit_code = std::max(exit_code, use(path, document));
  };
  const std::set<std::string> named(inputs.begin(), inputs.end());
  Skipped skipped;
  for (const std::string& path : paths) {
    progress.Step();
    for (input::Input& each :
         path == "-" && kept ? std::move(*kept) : documents.ReadFile(path, MayBeDump))
      if (!each.result.readable() && !input::IsDumpName(path) && !named.contains(path))
        skipped.emplace_back(each.path, each.result.error);
      else
        prepare_and_use(each.path, &each.result);
  }
  progress.Clear();
  if (!skipped.empty()) ComplainOfSkipped(skipped, inputs.front());
  return !skipped.empty() && skipped.size() == paths.size() ? static_cast<int>(kExitBadData)
                                                            : exit_code;
}

int WithDump(const DumpOptions& options, const std::string& path,
             const std::function<int(const index::DumpIndex&, const judge::Verdict&)>& use) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    Complain(path, "is a folder; name one dump");
    return kExitBadData;
  }
  size_t dumps = 0;  // more than one: of a zip
  const int exit_code =
      ForEachDump(options, {path}, [&](const std::string&, const model::Document& document) {
        if (++dumps != 1) return static_cast<int>(kExitBadData);
        const index::DumpIndex index(document, options.packages);
        return use(index, judge::Judge(index));
      });
  if (dumps > 1)
    Complain(path, fmt::format("holds {} dumps, of which only the first was used; unpack it and "
                               "name one",
                               dumps));
  return exit_code;
}

int ChooseTree(const index::DumpIndex& index, const judge::Verdict& verdict,
               const std::string& path, std::optional<Token> asked, Token* token) {
  const std::vector<Token> tokens = index.TreeTokens(verdict.token);
  if (tokens.empty()) {
    Complain(SubjectFor(path),
             "holds no trace tree, since none of its messages was sampled and long enough; see "
             "'stillframe text' for what it holds");
    return kExitBadData;
  }
  *token = asked.value_or(tokens.front());
  if (index.TreeOf(*token) != nullptr) return kExitFine;
  std::string known;
  for (size_t i = 0; i < std::min(tokens.size(), kMaxTokens); ++i)
    known += fmt::format("{}{}", i == 0 ? "" : ", ", NumberOf(tokens[i]));
  Complain(SubjectFor(path),
           fmt::format("has no tree of message {}; choose one of {}{}", NumberOf(*token), known,
                       tokens.size() > kMaxTokens ? ", ..." : ""));
  return kExitUsage;
}

}  // namespace stillframe::verbs
