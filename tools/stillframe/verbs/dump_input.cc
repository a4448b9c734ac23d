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

#include "src/dump/reader.h"
#include "src/model/context_names.h"
#include "src/model/document.h"
#include "tools/stillframe/fleet/record_file.h"
#include "tools/stillframe/formats/recognition.h"
#include "tools/stillframe/index/archive.h"
#include "tools/stillframe/index/byte_source.h"
#include "tools/stillframe/index/clean_document.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/dump_time.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/naming/document_names.h"
#include "tools/stillframe/naming/native_names.h"
#include "tools/stillframe/verbs/exit_codes.h"
#include "tools/stillframe/verbs/name_files.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/zip_input.h"

namespace stillframe::verbs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnfinished = ".tmp";  // of a dump

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

bool IsDumpName(const fs::path& path) {
  return path.extension() == ".sfdump" ||
         (path.extension() == ".gz" && path.stem().extension() == ".sfdump");
}

// In a folder, other files than dumps are tried by their names: text that people export.
bool IsExportName(const fs::path& path) {
  static const std::set<std::string> endings = {
      "", ".txt", ".log", ".json", ".trace", ".traces", ".anr", ".folded", ".collapsed", ".zip"};
  const std::string name = path.filename().string();
  const auto has = [&name](const char* text) { return name.find(text) != std::string::npos; };
  return !name.starts_with('.') && !IsOwnState(path) && !has("stillframe-jank-") &&
         !has("stillframe-session-") && endings.contains(path.extension().string());
}

bool IsInputName(const fs::path& path) { return IsDumpName(path) || IsExportName(path); }

// Reads another tool's file as a dump. Says what was removed from it or not understood.
void ReadImport(const std::string& path, std::string bytes, dump::ReadResult* result) {
  model::Document document;
  std::string error;
  std::string notes;
  Progress progress("reading text, bytes", bytes.size());
  const formats::AnyImport import = {.step = [&progress](uint64_t read) { progress.Step(read); }};
  if (!formats::ImportAny(std::move(bytes), import, &document, &notes, &error)) {
    if (!IsDumpName(path)) result->error = error;
    return;
  }
  progress.Clear();
  if (!notes.empty()) Complain(SubjectFor(path), notes);
  result->status = dump::Status::kOk;
  result->error.clear();
  result->document = std::move(document);
}

// Reads the facts of a jank record as a dump. False if it is not a record.
bool ReadRecord(const std::string& text, dump::ReadResult* result) {
  std::string bytes;
  std::vector<model::ContextEntry> identity;
  if (!fleet::ReadFacts(text, &bytes, &identity)) return false;
  if (bytes.empty()) {
    result->error = "this is a jank record without a dump; use 'stillframe janks'";
    return true;
  }
  *result = dump::ReadDump({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  std::vector<model::ContextEntry>& context = result->document.context;
  context.insert(context.end(), identity.begin(), identity.end());
  return true;
}

}  // namespace

dump::ReadResult ReadBytes(const std::string& path, std::string bytes) {
  dump::ReadResult result = dump::ReadDump(
      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, dump::ReadLimits());
  if (result.status == dump::Status::kNotADump && !ReadRecord(bytes, &result))
    ReadImport(path, std::move(bytes), &result);
  return result;
}

namespace {

bool MayBeDump(const std::string& name) { return IsInputName(name); }

std::vector<Input> Only(const std::string& path, dump::ReadResult result) {
  std::vector<Input> inputs(1);
  inputs[0] = {path, std::move(result)};
  return inputs;
}

// One input; of a zip what ReadZip gives.
std::vector<Input> ReadInputs(const std::string& path) {
  const dump::ReadLimits limits;
  std::string bytes;
  std::string error;
  const bool is_whole = index::ReadWhole(path, limits.max_file_bytes, &bytes, &error);
  if (!is_whole && bytes.empty()) {
    dump::ReadResult result;
    result.status = dump::Status::kCannotRead;
    result.error = error;
    return Only(path, std::move(result));
  }
  if (is_whole && index::IsZip(bytes)) return ReadZip(path, bytes, MayBeDump, ReadBytes);
  dump::ReadResult result =
      dump::ReadDump({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, limits);
  if (result.status == dump::Status::kEmpty && fs::path(path).extension() == kUnfinished)
    result.error = "is empty: its process died while writing it; take another dump";
  if (result.status == dump::Status::kNotADump && ReadRecord(bytes, &result))
    return Only(path, std::move(result));
  if (result.status == dump::Status::kNotADump && is_whole)
    ReadImport(path, std::move(bytes), &result);
  if (!is_whole) {
    result.error = error;
    if (result.readable()) {
      result.status = dump::Status::kDamaged;
      result.document.damage.insert(result.document.damage.begin(), error);
    }
  }
  return Only(path, std::move(result));
}

// Reads the mappings for all classes of the dumps, so files are read twice. Standard input cannot
// be read again, so its dump is kept.
bool ReadNames(const DumpOptions& options, const std::vector<std::string>& paths, NameFiles* names,
               std::optional<std::vector<Input>>* from_standard_input) {
  naming::TextSet class_names;
  for (const std::string& path : paths) {
    std::vector<Input> inputs = ReadInputs(path);
    for (const Input& input : inputs) class_names.merge(naming::ClassNames(input.result.document));
    if (path == "-") *from_standard_input = std::move(inputs);
  }
  return names->Read(options.mappings, &class_names);
}

// Opens the given folders. False if one is not a folder, or if none has an ELF file.
bool ReadSymbols(const DumpOptions& options, std::optional<naming::SymbolFolders>* folders) {
  for (const std::string& folder : options.symbols) {
    std::error_code error;
    if (fs::is_directory(folder, error)) continue;
    Complain(folder, "not a folder; name one with unstripped libraries, or by build id");
    return false;
  }
  folders->emplace(options.symbols);
  if ((*folders)->files() != 0) return true;
  Complain(options.symbols.front(), "holds no ELF file; name a folder with unstripped libraries");
  return false;
}

// Says which libraries are missing from the folders.
void NameNativeFrames(const naming::SymbolFolders& folders, const std::string& subject,
                      model::Document* document) {
  const naming::NativeNames names = naming::NameNativeFrames(folders, document);
  if (names.missing.empty()) return;
  std::string list;
  for (const std::string& library : names.missing) list += (list.empty() ? "" : ", ") + library;
  Complain(subject,
           "has native frames of libraries that the folders of --symbols lack; add them: " + list);
}

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
    if (index::IsFolderOfKernel(input)) {
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

std::string SubjectFor(const std::string& path) { return path == "-" ? "standard input" : path; }

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

int ForEachDump(const DumpOptions& options, const std::vector<std::string>& inputs,
                const std::function<int(const std::string& path, const model::Document&)>& use) {
  std::vector<std::string> paths;
  NameFiles names;
  std::optional<std::vector<Input>> kept;
  std::optional<naming::SymbolFolders> folders;
  if (!options.symbols.empty() && !ReadSymbols(options, &folders)) return kExitBadData;
  int exit_code =
      FindFiles(inputs, IsInputName, "dumps (*.sfdump)", &paths) ? kExitFine : kExitBadData;
  const std::set<std::string> named(inputs.begin(), inputs.end());
  std::vector<std::pair<std::string, std::string>> skipped;  // paths and reasons
  if (!options.mappings.empty() && !ReadNames(options, paths, &names, &kept)) return kExitBadData;
  Progress progress("reading dumps", paths.size());
  const auto prepare_and_use = [&](const std::string& path, dump::ReadResult* result) {
    const std::string subject = SubjectFor(path);
    if (!result->ok()) {
      progress.Clear();
      Complain(subject, result->error);
      exit_code = kExitBadData;
    }
    if (!result->readable()) return;
    model::Document& document = result->document;
    if (!result->ok() && document.damage.empty()) document.damage.push_back(result->error);
    index::RestoreTime(&document);
    index::NameSystemMessages(&document);
    if (folders) NameNativeFrames(*folders, subject, &document);
    if (!names.Apply(subject, &document)) exit_code = kExitBadData;
    index::CleanDocument(&document);
    exit_code = std::max(exit_code, use(path, document));
  };
  for (const std::string& path : paths) {
    progress.Step();
    for (Input& input : path == "-" && kept ? std::move(*kept) : ReadInputs(path))
      if (!input.result.readable() && !IsDumpName(path) && !named.contains(path))
        skipped.emplace_back(input.path, input.result.error);
      else
        prepare_and_use(input.path, &input.result);
  }
  progress.Clear();
  if (!skipped.empty()) {
    constexpr size_t kMostNamed = 5;
    for (size_t i = 0; i < std::min(skipped.size(), kMostNamed); ++i)
      Complain(skipped[i].first, "skipped: " + skipped[i].second);
    if (skipped.size() > kMostNamed)
      Complain(inputs.front(), fmt::format("{} more skipped: they hold nothing that can be read; "
                                           "name one to see why",
                                           skipped.size() - kMostNamed));
    if (skipped.size() == paths.size()) exit_code = kExitBadData;
  }
  return exit_code;
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
