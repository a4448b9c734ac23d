// SPDX-License-Identifier: Apache-2.0
// Where other threads spent their time while the main thread waited.
#pragma once

#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// Adds where the threads that were followed during the leading message spent their time: those that
// the main thread waited for, or those that used the CPU. Sets `spent` if one thread held it up.
void AddOtherThreads(const Case& facts, judge::Verdict* verdict);

// Adds the longest message of each other Looper that hung, the longest first. If the main thread
// was well, the first one is what the verdict is about.
void AddOtherLoopers(const index::DumpIndex& index, judge::Verdict* verdict);

}  // namespace stillframe::judge
