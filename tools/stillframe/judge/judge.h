// SPDX-License-Identifier: Apache-2.0
// The verdict on a dump.
#pragma once

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// One span of time is judged: since the latest message of the queue has been due, or else that of
// the running or the longest slow message. Contributors divide it up (contributors.h), and the
// largest of them leads; what was not recorded leads only where nothing else has a tenth. The cause
// of the lead chooses the kind, and memory pressure goes before causes that it explains.
judge::Verdict Judge(const index::DumpIndex& index);

}  // namespace stillframe::judge
