// SPDX-License-Identifier: Apache-2.0
// What other threads did while the main thread waited.
#pragma once

#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// Adds where the threads that were followed during the leading message spent their time: those that
// the main thread waited for, or those that used the CPU. Sets `spent` if one thread held it up.
void AddOtherThreads(const Case& facts, judge::Verdict* verdict);

}  // namespace stillframe::judge
