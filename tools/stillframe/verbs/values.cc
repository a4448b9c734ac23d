// SPDX-License-Identifier: Apache-2.0
// stillframe values tokens DUMP, stillframe values processes: what completion scripts ask for.
#include <memory>
#include <string>

#include "tools/stillframe/live/live_source.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct ValueOptions {
  std::string kind;
  std::string dump;
  DumpOptions dumps;
};

int PrintTokens(const ValueOptions& options) {
  return WithDump(
      options.dumps, options.dump,
      [](const index::DumpIndex& index, const verdict::Verdict&) {
        std::string tokens;
        for (const trace::TraceTree& tree : index.document().trees)
          tokens += std::to_string(tree.token()) + "\n";
        return WriteOutput("-", tokens);
      });
}

int PrintProcesses() {
  std::string pids;
  for (const uint32_t pid : live::WatchableProcesses()) pids += std::to_string(pid) + "\n";
  return WriteOutput("-", pids);
}

}  // namespace

// For shells: neither help nor man pages have it.
void AddValues(CLI::App* app, Action* action) {
  auto options = std::make_shared<ValueOptions>();
  CLI::App* verb = app->add_subcommand("values", "Print what an option's value may be");
  verb->group("");
  verb->add_option("KIND", options->kind, "tokens or processes")
      ->required()
      ->check(CLI::IsMember({"tokens", "processes"}));
  verb->add_option("DUMP", options->dump, "The dump that has the tokens");
  verb->callback([options, action] {
    *action = [options] {
      return options->kind == "tokens" ? PrintTokens(*options) : PrintProcesses();
    };
  });
}

}  // namespace stillframe::verbs
