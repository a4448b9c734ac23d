// SPDX-License-Identifier: Apache-2.0
// What the whole ranking adds to the verdict on its lead.
#pragma once

#include "tools/stillframe/rules/rules.h"

namespace stillframe::rules {

// Adds the ranking; to the sentence the share of what it blames, where that is not most of the
// time, and who took a fifth or more besides. Lowers the confidence where much is not told or has
// no name.
void TellContributors(const Case& the, verdict::Verdict* verdict);

}  // namespace stillframe::rules
