// SPDX-License-Identifier: Apache-2.0
// Making an entry of what ended, and the ring's overwriting.
#include "src/history/entry_ring.h"

#include <algorithm>

namespace stillframe::history {

Entry Entry::Of(const tap::EndedMessage& ended) {
  Entry entry = {};
  entry.token = ended.token;
  entry.start_ns = ended.start_ns;
  entry.end_ns = ended.end_ns;
  entry.work_ns = ended.work_ns;
  entry.cpu_ns = ended.end_cpu_ns > ended.start_cpu_ns
                     ? static_cast<int64_t>(ended.end_cpu_ns - ended.start_cpu_ns)
                     : 0;
  entry.wait_ns = ended.wait_ns;
  entry.runqueue_wait_us = kUnknownUs;
  entry.blocked_us = kUnknownUs;
  entry.messages = static_cast<uint32_t>(std::min<uint64_t>(ended.messages, UINT32_MAX));
  entry.group = ended.group;
  entry.what = ended.what;
  entry.flags = ended.flags;
  switch (ended.kind) {
    case tap::EndedKind::kMessage: entry.kind = EntryKind::kMessage; break;
    case tap::EndedKind::kQuickRun: entry.kind = EntryKind::kRun; break;
    case tap::EndedKind::kIdle: entry.kind = EntryKind::kIdle; break;
  }
  return entry;
}

void EntryRing::Push(const Entry& entry) {
  if (!is_full()) {
    entries_[(oldest_ + count_++) % entries_.size()] = entry;
    return;
  }
  overwritten_group_ = entries_[oldest_].group;
  entries_[oldest_] = entry;
  oldest_ = (oldest_ + 1) % entries_.size();
}

}  // namespace stillframe::history
