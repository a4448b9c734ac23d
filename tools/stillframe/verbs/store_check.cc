// SPDX-License-Identifier: Apache-2.0
// stillframe store check --in STORE
#include <fmt/format.h>

#include <memory>
#include <string>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

int CheckStore(const std::string& address) {
  const std::unique_ptr<fleet::Store> store = OpenStore(address, fleet::Access::kRead);
  if (!store) return kExitBadData;
  fleet::StoreHealth health;
  if (!store->Check(&health)) return FailedIn(address, *store);
  std::string out;
  for (const auto& [name, rows] : health.rows)
    out += fmt::format("{:<12} {:>12}\n", name, index::Grouped(rows));
  if (health.is_changing)
    out += "a run that added files was killed, or goes on: add the same files again\n";
  if (health.nameless == 0) return WriteOutput("-", out + "fine\n");
  Complain(fleet::Store::NameOf(address), fmt::format("{} have no names; add their files again",
                                                      index::Counted(health.nameless, "hang")));
  return kExitBadData;
}

}  // namespace

void AddStoreCheck(CLI::App* group, Action* action) {
  auto store = std::make_shared<std::string>();
  CLI::App* verb = AddStoreVerb(group, "check", "Check that the store is whole", store.get());
  verb->footer("Example:\n  stillframe store check --in fleet.db");
  SetAction(verb, action, store, CheckStore);
}

}  // namespace stillframe::verbs
