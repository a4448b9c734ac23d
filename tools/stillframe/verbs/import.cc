// SPDX-License-Identifier: Apache-2.0
// stillframe import FILE [--format FORMAT] [--unit samples|us] [--interval US] [--methods FILE] -o
// DUMP
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "src/dump/writer.h"
#include "tools/stillframe/input/disk_files.h"
#include "tools/stillframe/input/recognition.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxBytes = 256ULL << 20U;

struct ImportOptions {
  std::string input;
  std::string output;
  std::string format;
  std::string methods;
  std::string unit = "samples";
  uint32_t interval_us = 10'000;
};

// Complains and returns false if the file cannot be read completely.
bool Read(const std::string& path, std::string* text) {
  std::string error;
  if (!input::ReadWhole(input::DiskFiles(), path, kMaxBytes, text, &error)) {
    Complain(SubjectFor(path), error);
    return false;
  }
  if (text->size() > kMaxBytes) {
    Complain(SubjectFor(path), "is larger than 256 MiB; give a part of it");
    return false;
  }
  return true;
}

// The writer writes only files, so other outputs go through a temporary file.
int WriteDump(const ImportOptions& options, const model::Document& document) {
  std::string folder = (fs::temp_directory_path() / "stillframe-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    Complain(folder,
             "cannot make a folder for the dump; set TMPDIR to a folder that you may write");
    return kExitBadData;
  }
  const std::string path = folder + "/imported.sfdump";
  const dump::WriteResult written = dump::Writer().WriteDocument(document, path.c_str());
  std::string bytes;
  std::string error;
  int exit_code = kExitBadData;
  if (!written.ok())
    Complain(path, dump::Writer::Describe(written, path));
  else if (!input::ReadWhole(input::DiskFiles(), path, kMaxBytes, &bytes, &error))
    Complain(path, error);
  else
    exit_code = WriteDocument(options.output, bytes);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return exit_code;
}

int Run(const ImportOptions& options) {
  std::string text;
  std::string methods;
  if (!Read(options.input, &text)) return kExitBadData;
  if (!options.methods.empty() && !Read(options.methods, &methods)) return kExitBadData;
  model::Document document;
  std::string error;
  const input::DiskFiles files;
  TerminalListener listener;
  const input::DocumentInput documents(files, &listener);
  const bool is_read =
      documents.Import(options.input, std::move(text),
                       {.options = {.unit = options.unit == "us" ? input::CountUnit::kMicroseconds
                                                                 : input::CountUnit::kSamples,
                                    .interval_us = options.interval_us},
                        .format = options.format,
                        .methods = std::move(methods)},
                       &document, &error);
  if (!is_read) {
    Complain(SubjectFor(options.input), error);
    return kExitBadData;
  }
  return WriteDump(options, document);
}

}  // namespace

void AddImport(CLI::App* app, Action* action) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* verb = app->add_subcommand("import", "Make a dump of what other tools wrote");
  verb->add_option("FILE", options->input, "The file; - is standard input")->required();
  verb->add_option(
          "--format", options->format,
          "article: preorder text, 'frame;count;offset;children;'; collapsed: "
          "'frame;frame count' lines; matrix: issues of Matrix, JSON; blockcanary: a block's "
          "log; traces: /data/anr or a bug report (default: recognised by the text)")
      ->check(CLI::IsMember({"article", "collapsed", "matrix", "blockcanary", "traces"}))
      ->option_text("article|collapsed|matrix|blockcanary|traces");
  verb->add_option("--methods", options->methods,
                   "methodMapping.txt of the build, which names the methods of Matrix's issues");
  verb->add_option("--unit", options->unit, "What collapsed lines count (default: samples)")
      ->check(CLI::IsMember({"samples", "us"}))
      ->option_text("samples|us");
  verb->add_option("--interval", options->interval_us,
                   "Microseconds that a sample stands for (default: 10000)")
      ->check(CLI::Range(1U, 60'000'000U))
      ->option_text("US");
  verb->add_option("-o,--output", options->output,
                   "The dump; - is standard output (default: - unless that is a terminal)");
  verb->footer("Example:\n  stillframe import old-stacks.txt -o old.sfdump");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
