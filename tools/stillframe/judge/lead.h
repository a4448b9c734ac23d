// SPDX-License-Identifier: Apache-2.0
// The contribution that leads a ranking.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/stillframe/judge/contributors.h"

namespace stillframe::judge {

// The contribution names a message, and it had ended.
inline bool HasEnded(const Contribution& row) {
  return row.HasMessage() && !row.contributor.is_running;
}

// The time of the row's method if the stacks show other methods too, else all of the row's.
uint64_t TimeOfPlace(const judge::Contributor& row);

// The contribution that the verdict's headline names first. `is_late`: messages of the queue are
// late. Unrecorded time leads only if no other row has a tenth of the window. The list must not be
// empty; the result is a row of `ranking`.
const Contribution& LeadOf(const Ranking& ranking, bool is_late);

// `lead`, and the other locks of its messages if it is a lock. Rows of `ranking`.
std::vector<const Contribution*> NamedWith(const Contribution& lead, const Ranking& ranking);

}  // namespace stillframe::judge
