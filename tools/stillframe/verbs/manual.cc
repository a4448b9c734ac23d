// SPDX-License-Identifier: Apache-2.0
// stillframe man [VERB], stillframe completion bash|zsh
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/verbs/command_text.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct ManualOptions {
  std::string subject;  // a verb, or a shell
  std::string output = "-";
};

}  // namespace

// Knows the verbs that were added before it.
void AddManual(CLI::App* app, Action* action) {
  auto options = std::make_shared<ManualOptions>();
  CLI::App* verb = app->add_subcommand("man", "Print a man page");
  std::vector<std::string> names;
  for (const CLI::App* entry :
       app->get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(entry->get_name());
  verb->add_option("VERB", options->subject, "The verb; the program itself if not given")
      ->check(CLI::IsMember(names))
      ->option_text(CLI::detail::join(names, "|"));
  verb->add_option("-o,--output", options->output, "The page; - is standard output, the default");
  verb->footer("Example:\n  stillframe man report | man -l -");
  verb->callback([options, action, app] {
    *action = [options, app] {
      const CLI::App* subject =
          options->subject.empty() ? nullptr : app->get_subcommand(options->subject);
      return WriteOutput(options->output, ManPage(*app, subject));
    };
  });
}

void AddCompletion(CLI::App* app, Action* action) {
  auto options = std::make_shared<ManualOptions>();
  CLI::App* verb = app->add_subcommand("completion", "Print the completion script for a shell");
  verb->add_option("SHELL", options->subject, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}))
      ->option_text("bash|zsh");
  verb->add_option("-o,--output", options->output, "The script; - is standard output, the default");
  verb->footer("Example:\n  source <(stillframe completion bash)");
  verb->callback([options, action, app] {
    *action = [options, app] {
      return WriteOutput(options->output,
                         options->subject == "bash" ? BashCompletion(*app) : ZshCompletion(*app));
    };
  });
}

}  // namespace stillframe::verbs
