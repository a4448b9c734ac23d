// stillframe export DUMP --format FORMAT [--token N] [--unit samples|us] [-o FILE]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/exports/exports.h"
#include "tools/stillframe/preorder/preorder_text.h"
#include "tools/stillframe/render/article_report.h"
#include "tools/stillframe/render/block_facts.h"
#include "tools/stillframe/render/exports.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/matrix_stack.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct ExportOptions {
  std::string input;
  DumpOptions dumps;
  std::string output;
  std::optional<uint64_t> token;
  std::string format;
  std::string unit = "samples";
};

using Writer = std::string (*)(const ExportOptions& options, const verdict::Case& evidence);

struct Format {
  const char* name;
  const char* help;
  bool needs_tree;
  bool writes_stacks_out;  // costs bytes for every frame of every sample
  bool is_binary;
  Writer write;
};

std::string Collapsed(const ExportOptions& options, const verdict::Case& evidence) {
  return render::CollapsedStacks(evidence.document(), options.token,
                                 options.unit == "us" ? render::CollapsedUnit::kMicroseconds
                                                      : render::CollapsedUnit::kSamples);
}

// The tree that was asked for, or that of the message to blame.
std::string Article(const ExportOptions& options, const verdict::Case& evidence) {
  const uint64_t token = options.token ? *options.token : evidence.TreeTokens().front();
  return preorder::WritePreorderText(*evidence.TraceOf(token), evidence.document().frames) + "\n";
}

std::string History(const ExportOptions& /*options*/, const verdict::Case& evidence) {
  return render::ArticleReport(evidence);
}

std::string Matrix(const ExportOptions& options, const verdict::Case& evidence) {
  return render::MatrixIssue(evidence,
                             options.token ? *options.token : evidence.TreeTokens().front());
}

std::string Block(const ExportOptions& options, const verdict::Case& evidence) {
  const uint64_t token = options.token ? *options.token : evidence.TreeTokens().front();
  return render::BlockFacts(evidence, *evidence.MessageOf(token));
}

template <std::string (*Export)(const verdict::Case&, std::optional<uint64_t>)>
std::string Tool(const ExportOptions& options, const verdict::Case& evidence) {
  return Export(evidence, options.token);
}

std::string WholeJson(const ExportOptions& /*options*/, const verdict::Case& evidence) {
  return render::Json(evidence);
}

constexpr std::array kFormats = {
    Format{"collapsed", "'frame;frame count' lines as flamegraph.pl reads them", true, false, false,
           Collapsed},
    Format{"speedscope", "for speedscope.app", true, true, false, Tool<exports::Speedscope>},
    Format{"pprof", "gzip protobuf for 'go tool pprof'", true, true, true, Tool<exports::Pprof>},
    Format{"perfetto", "protobuf trace for ui.perfetto.dev", false, true, true,
           Tool<exports::Perfetto>},
    Format{"firefox", "for profiler.firefox.com", false, false, false, Tool<exports::Firefox>},
    Format{"chrome", "trace events for about:tracing, with slices of up to 200,000 calls", false,
           false, false, Tool<exports::Chrome>},
    Format{"article", "one tree in preorder, 'frame;count;offset;children;'", true, false, false,
           Article},
    Format{"history", "past, present and future in the article's layout, with all trees", false,
           false, false, History},
    Format{"matrix", "one message as the JSON issue of Matrix's evil methods, with its stackKey",
           true, false, false, Matrix},
    Format{"blockcanary", "one message as BlockCanary's block of facts", true, false, false, Block},
    Format{"json", "all there is, as 'inspect --json'", false, false, false, WholeJson},
};

int Run(const ExportOptions& options, const verdict::Case& evidence) {
  const Format& format = *std::find_if(
      kFormats.begin(), kFormats.end(),
      [&options](const Format& candidate) { return options.format == candidate.name; });
  if ((format.needs_tree || options.token) && !ChooseTree(evidence, options.input, options.token)) {
    return kExitBadData;
  }
  if (format.writes_stacks_out &&
      exports::FramesInStacks(evidence, options.token) > exports::kMostFramesInStacks) {
    Complain(options.input,
             "its stacks are too many to be written out one by one; choose a message "
             "with --token, or the format collapsed");
    return kExitBadData;
  }
  if (options.format == "chrome" &&
      exports::CallsIn(evidence, options.token) > exports::kMostCalls) {
    Complain(options.input,
             fmt::format("has more than {} calls, which are left to the samples; choose a message "
                         "with --token for slices of calls",
                         calltree::Grouped(exports::kMostCalls)));
  }
  const std::string content = format.write(options, evidence);
  return format.is_binary ? WriteDocument(options.output, content)
                          : WriteOutput(options.output.empty() ? "-" : options.output, content);
}

std::string FormatNames(const char* separator) {
  std::string names;
  for (const Format& format : kFormats) {
    names += (names.empty() ? "" : separator) + std::string(format.name);
  }
  return names;
}

std::string FormatHelp() {
  std::string help;
  for (const Format& format : kFormats) {
    help += (help.empty() ? "" : "; ") + std::string(format.name) + ": " + format.help;
  }
  return help;
}

}  // namespace

void AddExport(CLI::App* app, Action* action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = app->add_subcommand("export", "Write trace trees in a form other tools read");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  AddDumpOptions(verb, &options->dumps);
  std::vector<std::string> names;
  for (const Format& format : kFormats) {
    names.emplace_back(format.name);
  }
  verb->add_option("--format", options->format, FormatHelp())
      ->required()
      ->check(CLI::IsMember(names))
      ->option_text(FormatNames("|"));
  AddTokenOption(verb, &options->token,
                 "The message; if not given, all, and for one tree or message the one to blame");
  verb->add_option("--unit", options->unit, "What collapsed lines count; samples if not given")
      ->check(CLI::IsMember({"samples", "us"}))
      ->option_text("samples|us");
  verb->add_option("-o,--output", options->output,
                   "The file; - is standard output, the default for text");
  verb->footer(
      "Example:\n  stillframe export anr.sfdump --format collapsed | flamegraph.pl > flame.svg");
  verb->callback([options, action] {
    *action = [options] {
      return WithDump(options->dumps, options->input, [&options](const verdict::Case& evidence) {
        return Run(*options, evidence);
      });
    };
  });
}

}  // namespace stillframe::verbs
