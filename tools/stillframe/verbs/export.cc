// SPDX-License-Identifier: Apache-2.0
// stillframe export DUMP --format FORMAT [--message N] [--unit samples|us] [-o FILE]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/preorder_text.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct ExportOptions {
  std::string input;
  DumpOptions dumps;
  std::string output;
  std::optional<Token> token;
  std::string format;
  std::string unit = "samples";
  bool by_line = false;
};

// Input of a format.
struct Subject {
  const index::DumpIndex& index;
  const judge::Verdict& verdict;
  const ExportOptions& options;

  // The requested message, else the one to blame, else the newest with a tree.
  Token OneToken() const {
    return options.token ? *options.token : index.TreeTokens(verdict.token).front();
  }
};

struct Format {
  const char* name;
  const char* help;
  bool needs_tree;
  bool writes_stacks_out;  // costs bytes for every frame of every sample
  bool is_binary;
  std::string (*write)(const Subject& subject);
};

std::string Collapsed(const Subject& subject) {
  return exports::CollapsedStacks(subject.index.document(), subject.options.token,
                                  subject.options.unit == "us"
                                      ? exports::CollapsedUnit::kMicroseconds
                                      : exports::CollapsedUnit::kSamples);
}

std::string OneTree(const Subject& subject) {
  return index::WritePreorderText(*subject.index.TraceOf(subject.OneToken()),
                                  subject.index.document().frames) +
         "\n";
}

std::string History(const Subject& subject) { return exports::PreorderReport(subject.index); }

std::string Matrix(const Subject& subject) {
  return exports::MatrixIssue(subject.index, subject.OneToken());
}

std::string Block(const Subject& subject) {
  return exports::BlockFacts(subject.index, *subject.index.MessageOf(subject.OneToken()));
}

template <std::string (*Export)(const index::DumpIndex&, std::optional<Token>)>
std::string Tool(const Subject& subject) {
  return Export(subject.index, subject.options.token);
}

template <std::string (*Export)(const index::DumpIndex&, const judge::Verdict&,
                                std::optional<Token>)>
std::string JudgedTool(const Subject& subject) {
  return Export(subject.index, subject.verdict, subject.options.token);
}

std::string SpeedscopeProfile(const Subject& subject) {
  return exports::Speedscope(subject.index, subject.verdict, subject.options.token,
                             subject.options.by_line);
}

std::string WholeJson(const Subject& subject) {
  return render::Json(subject.index, subject.verdict);
}

constexpr std::array kFormats = {
    Format{"collapsed", "'frame;frame count' lines as flamegraph.pl reads them", true, false, false,
           Collapsed},
    Format{"speedscope", "for speedscope.app", true, true, false, SpeedscopeProfile},
    Format{"pprof", "gzip protobuf for 'go tool pprof'", true, true, true,
           JudgedTool<exports::Pprof>},
    Format{"perfetto", "protobuf trace for ui.perfetto.dev", false, true, true,
           Tool<exports::Perfetto>},
    Format{"firefox", "for profiler.firefox.com", false, false, false,
           JudgedTool<exports::Firefox>},
    Format{"article", "preorder text: one tree, 'frame;count;offset;children;'", true, false, false,
           OneTree},
    Format{"history", "past, present and future as text, with all trees", false, false, false,
           History},
    Format{"matrix", "one message as a JSON issue of Matrix (evil method), with its stackKey", true,
           false, false, Matrix},
    Format{"blockcanary", "one message as BlockCanary's block of facts", true, false, false, Block},
    Format{"json", "all there is, as 'inspect --json'", false, false, false, WholeJson},
};

int Run(const ExportOptions& options, const index::DumpIndex& index,
        const judge::Verdict& verdict) {
  const Format& format = *std::find_if(
      kFormats.begin(), kFormats.end(),
      [&options](const Format& candidate) { return options.format == candidate.name; });
  Token token = Token::kNone;
  if (format.needs_tree || options.token)
    if (const int failed = ChooseTree(index, verdict, options.input, options.token, &token))
      return failed;
  if (format.writes_stacks_out &&
      exports::FramesInStacks(index, options.token) > exports::kMaxFramesInStacks) {
    Complain(options.input,
             "its stacks are too many to be written out one by one; choose a message "
             "with --message, or the format collapsed");
    return kExitBadData;
  }
  const std::string content = format.write({index, verdict, options});
  return format.is_binary ? WriteDocument(options.output, content)
                          : WriteOutput(options.output.empty() ? "-" : options.output, content);
}

std::string FormatNames(const char* separator) {
  std::string names;
  for (const Format& format : kFormats)
    names += (names.empty() ? "" : separator) + std::string(format.name);
  return names;
}

std::string FormatHelp() {
  std::string help;
  for (const Format& format : kFormats)
    help += (help.empty() ? "" : "; ") + std::string(format.name) + ": " + format.help;
  return help;
}

}  // namespace

void AddExport(CLI::App* app, Action* action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = app->add_subcommand("export", "Write trace trees in a form other tools read");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  AddDumpOptions(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  std::vector<std::string> names;
  names.reserve(std::size(kFormats));
  for (const Format& format : kFormats) names.emplace_back(format.name);
  verb->add_option("--format", options->format, FormatHelp())
      ->required()
      ->check(CLI::IsMember(names))
      ->option_text(FormatNames("|"));
  AddMessageOption(verb, &options->token,
                   "The message's token, as reports show it (default: all; the one to blame where "
                   "the format has one)");
  verb->add_option("--unit", options->unit, "What collapsed lines count (default: samples)")
      ->check(CLI::IsMember({"samples", "us"}))
      ->option_text("samples|us");
  verb->add_flag("--lines", options->by_line, "speedscope: a frame for each line of a method");
  verb->add_option("-o,--output", options->output,
                   "The file; - is standard output (default: - for text)");
  verb->footer(
      "Example:\n  stillframe export anr.sfdump --format collapsed | flamegraph.pl > flame.svg");
  verb->callback([options, action] {
    *action = [options] {
      return WithDump(options->dumps, options->input,
                      [&options](const index::DumpIndex& index, const judge::Verdict& verdict) {
                        return Run(*options, index, verdict);
                      });
    };
  });
}

}  // namespace stillframe::verbs
