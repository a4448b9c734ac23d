// SPDX-License-Identifier: Apache-2.0
#include "src/jank/record_text.h"

#include <utility>

namespace stillframe::jank {

void AddDescription(const dump::JankDescription& description, JsonText* json) {
  Fields(*json, description);
}

void AddCounts(const dump::JankCounts& counts, const dump::JankRevision& revision, JsonText* json) {
  Fields(*json, counts);
  Fields(*json, revision);
}

dump::JankIdentity RecordIdentity(const context::Identity& identity,
                                  const model::Annotations& annotations, uint16_t omit) {
  dump::JankIdentity members;
  for (model::ContextEntry& entry : identity.Describe(annotations, omit)) {
    if (entry.name == "id") continue;
    const bool is_known = entry.state == model::ContextEntry::State::kText;
    (is_known ? members.known : members.absent)
        .push_back({std::move(entry.name), std::move(entry.text)});
  }
  return members;
}

void AddIdentity(const dump::JankIdentity& identity, JsonText* json) { Fields(*json, identity); }

}  // namespace stillframe::jank
