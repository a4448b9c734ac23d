// SPDX-License-Identifier: Apache-2.0
// The verdict on a dump.
#pragma once

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// Judges one span of time: since the queue's longest due message became due. If none is due, the
// span of the running or the longest slow message. Contributors divide the span (contributors.h),
// and the largest leads. Unrecorded time leads only if nothing else has a tenth. The lead's cause
// determines the kind. Memory pressure overrides causes that it explains.
judge::Verdict Judge(const index::DumpIndex& index);

}  // namespace stillframe::judge
