// SPDX-License-Identifier: Apache-2.0
// stillframe completion bash|zsh
#include <memory>
#include <string>

#include "tools/stillframe/verbs/command_text.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct CompletionOptions {
  std::string shell;
  std::string output = "-";
};

}  // namespace

void AddCompletion(CLI::App* app, Action* action) {
  auto options = std::make_shared<CompletionOptions>();
  CLI::App* verb = app->add_subcommand("completion", "Print the completion script for a shell");
  verb->add_option("SHELL", options->shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}))
      ->option_text("bash|zsh");
  verb->add_option("-o,--output", options->output, "The script; - is standard output, the default");
  verb->footer("Example:\n  source <(stillframe completion bash)");
  verb->callback([options, action, app] {
    *action = [options, app] {
      return WriteOutput(options->output,
                         options->shell == "bash" ? BashCompletion(*app) : ZshCompletion(*app));
    };
  });
}

}  // namespace stillframe::verbs
