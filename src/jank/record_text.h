// SPDX-License-Identifier: Apache-2.0
// Parts of records as JSON, each compiled once: Fields of jank_record.h is inlined where it is
// used.
#pragma once

#include "src/context/identity.h"
#include "src/dump/jank_record.h"
#include "src/jank/json_text.h"

namespace stillframe::jank {

void AddDescription(const dump::JankDescription& description, JsonText* json);
void AddCounts(const dump::JankCounts& counts, const dump::JankRevision& revision, JsonText* json);

// The facts of an install, a process and a device. `id` is a member of its own. Facts that `omit`
// leaves out have no member.
dump::JankIdentity RecordIdentity(const context::Identity& identity,
                                  const model::Annotations& annotations, uint16_t omit);
void AddIdentity(const dump::JankIdentity& identity, JsonText* json);

}  // namespace stillframe::jank
