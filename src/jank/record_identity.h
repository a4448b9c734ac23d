// SPDX-License-Identifier: Apache-2.0
// The facts of context::Identity as members of records and sessions.
#pragma once

#include "src/context/identity.h"
#include "src/dump/jank_record.h"

namespace stillframe::jank {

// `id` is a member of its own. Facts that `omit` leaves out have no member.
inline dump::JankIdentity RecordIdentity(const context::Identity& identity,
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

}  // namespace stillframe::jank
