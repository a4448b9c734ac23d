// SPDX-License-Identifier: Apache-2.0
// The past of one Looper as a dump has it: slow messages, groups of work, records.
#pragma once

#include <cstdint>
#include <vector>

#include "src/history/entry_ring.h"
#include "src/model/document.h"
#include "src/tap/ended_message.h"
#include "src/trace/frame_table.h"

namespace stillframe::history {

// What the views look at; it must outlive the call.
struct Past {
  const EntryRing& ring;
  const std::vector<LockStretch>& lock_waits;
  const trace::FrameTable& names;
  uint64_t slow_ns;
  uint64_t group_ns;  // a message that long is a group by itself
};

// The newest `kept` of the slow messages, oldest first.
std::vector<model::Message> MessagesOf(const Past& past, uint64_t kept);

// The preorder text's view: at most `kept` groups of so much work, newest; `open` has what the
// watched thread has not handed over. `lost` are the groups with work before them.
std::vector<model::HistoryGroup> GroupsOf(const Past& past, const tap::OpenHistory& open,
                                          uint32_t kept, uint64_t* lost);

// LooperMonitor's view: at most `kept` single messages, newest, consecutive quick ones merged.
// `made` records were made of what was handed over so far; `lost` of them and of `open` are gone.
std::vector<model::HistoryRecord> RecordsOf(const Past& past, const tap::OpenHistory& open,
                                            uint32_t kept, uint64_t made, uint64_t* lost);

}  // namespace stillframe::history
