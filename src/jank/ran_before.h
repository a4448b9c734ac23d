// SPDX-License-Identifier: Apache-2.0
// What a thread did before a jank.
#pragma once

#include <string>

#include "src/history/entry_ring.h"
#include "src/trace/frame_table.h"

namespace stillframe::jank {

// The newest five of what ended, the newest first, each a line "KIND,COUNT,ms,NAME": "message" with
// its Handler or Runnable, "messages" for a run of quick ones, "segment" with its method, "idle",
// "frozen" and "blind", when no tap was in force. "" when nothing is known. `has_methods`: whether
// the methods of segments may be told.
std::string RanBefore(const history::EntryRing& past, const trace::FrameTable& names,
                      bool has_methods);

}  // namespace stillframe::jank
