// SPDX-License-Identifier: Apache-2.0
// stillframe store merge|split CAUSE... --in STORE
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

struct DecideOptions {
  std::string store;
  std::string into;
  std::vector<std::string> causes;
};

int MergeCauses(const DecideOptions& options) {
  const std::unique_ptr<fleet::Store> store = OpenStore(options.store, fleet::Access::kWrite);
  if (!store) return kExitBadData;
  return store->Merge(options.into, options.causes) ? static_cast<int>(kExitFine)
                                                    : FailedIn(options.store, *store);
}

int SplitCauses(const DecideOptions& options) {
  const std::unique_ptr<fleet::Store> store = OpenStore(options.store, fleet::Access::kWrite);
  if (!store) return kExitBadData;
  return store->Split(options.causes) ? static_cast<int>(kExitFine)
                                      : FailedIn(options.store, *store);
}

}  // namespace

void AddStoreMerge(CLI::App* group, Action* action) {
  auto options = std::make_shared<DecideOptions>();
  CLI::App* verb = AddStoreVerb(group, "merge", "Count causes as one from now on", &options->store);
  verb->add_option("INTO", options->into, "The cause that stays")->required();
  verb->add_option("CAUSE", options->causes, "Causes or parts that belong to it")->required();
  verb->footer("Example:\n  stillframe store merge 445e5c05a8d4 82c050446a30 --in fleet.db");
  SetAction(verb, action, options, MergeCauses);
}

void AddStoreSplit(CLI::App* group, Action* action) {
  auto options = std::make_shared<DecideOptions>();
  CLI::App* verb = AddStoreVerb(group, "split", "Count causes or parts on their own from now on",
                                &options->store);
  verb->add_option("CAUSE", options->causes, "Causes or parts, as 'show' lists them")->required();
  verb->footer("Example:\n  stillframe store split 445e5c05a8d4 --in fleet.db");
  SetAction(verb, action, options, SplitCauses);
}

}  // namespace stillframe::verbs
