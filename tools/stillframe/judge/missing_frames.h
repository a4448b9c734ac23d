// SPDX-License-Identifier: Apache-2.0
// Time whose methods are not known: frames without a name, and callers that were cut off.
#pragma once

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// The share (0 to 1) of a tree's time in truncations and in frames without a name, as self time.
double NamelessPart(const index::CallTree& tree);

// Adds how much of the judged message's time passed through methods without names, below frames
// that replace missing callers, or without any method. Frames of the application may be among the
// missing.
void AddMissing(const index::DumpIndex& index, judge::Verdict* verdict);

}  // namespace stillframe::judge
