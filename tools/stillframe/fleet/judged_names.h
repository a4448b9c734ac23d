// SPDX-License-Identifier: Apache-2.0
// The names of a hang's cause by the judge.
#pragma once

#include "tools/stillframe/fleet/cause_names.h"
#include "tools/stillframe/index/dump_index.h"

namespace stillframe::fleet {

// The cause of a record's hang, or of a dump's verdict: the kind by the judge, the names by the
// application's frames with most of the time.
CauseNames JudgedNames(const index::DumpIndex& index);

// Completes what the judge sees by what the record itself says.
CauseNames Completed(CauseNames judged, const std::string& method, const std::string& message);

}  // namespace stillframe::fleet
