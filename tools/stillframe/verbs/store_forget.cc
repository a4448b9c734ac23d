// SPDX-License-Identifier: Apache-2.0
// stillframe store forget --install ID --in STORE
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

using index::Counted;

struct ForgetOptions {
  std::string store;
  std::vector<std::string> installs;
};

int ForgetInstalls(const ForgetOptions& options) {
  const std::unique_ptr<fleet::Store> store = OpenStore(options.store, fleet::Access::kWrite);
  if (!store) return kExitBadData;
  fleet::Forgotten forgotten;
  if (!store->Forget(options.installs, &forgotten)) return FailedIn(options.store, *store);
  fmt::print("removed {} and {} of {}\n", Counted(forgotten.hangs, "record"),
             Counted(forgotten.sessions, "session"), Counted(options.installs.size(), "install"));
  return kExitFine;
}

}  // namespace

void AddStoreForget(CLI::App* group, Action* action) {
  auto options = std::make_shared<ForgetOptions>();
  CLI::App* verb =
      AddStoreVerb(group, "forget", "Remove all of an install, for good", &options->store);
  verb->add_option("--install", options->installs, "Its id; may be repeated")
      ->required()
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("ID");
  verb->footer("Example:\n  stillframe store forget --install 1dce125a97409993 --in fleet.db");
  SetAction(verb, action, options, ForgetInstalls);
}

}  // namespace stillframe::verbs
