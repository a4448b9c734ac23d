// SPDX-License-Identifier: Apache-2.0
// stillframe store compact --in STORE [--keep DAYS]
#include <memory>
#include <optional>
#include <string>

#include "tools/stillframe/verbs/fleet_input.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

struct CompactOptions {
  std::string store;
  std::optional<uint32_t> keep_days;
};

int CompactStore(const CompactOptions& options) {
  const std::unique_ptr<fleet::Store> store = OpenStore(options.store, fleet::Access::kWrite);
  if (!store) return kExitBadData;
  const fleet::Day today{static_cast<int64_t>(NowMs() / 86'400'000)};
  return store->Compact(options.keep_days, today) ? static_cast<int>(kExitFine)
                                                  : FailedIn(options.store, *store);
}

}  // namespace

void AddStoreCompact(CLI::App* group, Action* action) {
  auto options = std::make_shared<CompactOptions>();
  CLI::App* verb = AddStoreVerb(group, "compact", "Free the space of what was replaced or removed",
                                &options->store);
  verb->add_option("--keep", options->keep_days, "First remove what was added before so many days")
      ->check(CLI::Range(1U, 100'000U))
      ->option_text("DAYS");
  verb->footer("Example:\n  stillframe store compact --in fleet.db --keep 90");
  SetAction(verb, action, options, CompactStore);
}

}  // namespace stillframe::verbs
