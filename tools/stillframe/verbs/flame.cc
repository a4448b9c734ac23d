// SPDX-License-Identifier: Apache-2.0
// stillframe flame DUMP [--message N] [-o FILE]
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/render/facts.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct FlameOptions {
  std::string input;
  DumpOptions dumps;
  std::string output;
  std::optional<Token> token;
};

int Run(const FlameOptions& options, const index::DumpIndex& index, const judge::Verdict& verdict) {
  Token token = Token::kNone;
  if (const int failed = ChooseTree(index, verdict, options.input, options.token, &token))
    return failed;
  const index::CallTree& tree = *index.TreeOf(token);
  const std::string dispatch = DispatchText(index.DispatchFor(*index.MessageOf(token)));
  render::FlameOptions flame;
  flame.title = fmt::format("Message {}: {}", NumberOf(token), dispatch);
  flame.subtitle = fmt::format(
      "{}, {}; {} in {} samples{}", render::ProcessText(index.document()),
      render::UtcTime(index.document().taken_realtime_ns), index::DurationUs(tree.root().total_us),
      index::Grouped(tree.root().samples),
      index.document().damage.empty() ? "" : "; partial: the dump was truncated or damaged");
  const std::string picture =
      options.output.empty() ? PageName({options.input}, "flame", ".svg") : options.output;
  const int written = WriteOutput(picture, render::FlameSvg(tree, flame));
  if (options.output.empty() && written == kExitFine) fmt::print("{}\n", picture);
  return written;
}

}  // namespace

void AddFlame(CLI::App* app, Action* action) {
  auto options = std::make_shared<FlameOptions>();
  CLI::App* verb = app->add_subcommand("flame", "Draw the flame graph of one message as SVG");
  verb->add_option("DUMP", options->input, "The dump; - is standard input")->required();
  AddDumpOptions(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  AddMessageOption(verb, &options->token,
                   "The message's token, as reports show it (default: that of the one to blame)");
  verb->add_option(
      "-o,--output", options->output,
      "The picture; - is standard output (default: the dump's name with .svg, in this folder)");
  verb->footer("Example:\n  stillframe flame anr.sfdump --message 17 -o flame.svg");
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
