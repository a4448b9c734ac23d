// SPDX-License-Identifier: Apache-2.0
// Samples that lack names or callers.
#pragma once

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

// Says how much of the time that `verdict` is about went through methods without names; where that
// is half of it or more, nothing that rests on methods is more than a guess.
void TellMissingNames(const index::DumpIndex& index, verdict::Verdict* verdict);

// Says where the outermost frames of the message that is judged are missing: the application's own
// may be among them.
void TellCutStacks(const index::DumpIndex& index, verdict::Verdict* verdict);

}  // namespace stillframe::rules
