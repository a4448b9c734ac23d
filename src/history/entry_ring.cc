// SPDX-License-Identifier: Apache-2.0
#include "src/history/entry_ring.h"

#include <algorithm>
#include <utility>

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
    case tap::EndedKind::kSegment: entry.kind = EntryKind::kSegment; break;
  }
  return entry;
}

std::vector<Stretch> EntryRing::PausesWithin(const Stretch& pause) const {
  constexpr uint64_t kShortestNs = 1'000'000;
  std::vector<Stretch> pauses = {pause};
  for (size_t i = count_; i > 0; --i) {
    const Entry& entry = At(i - 1);
    if (!entry.IsWithinPause()) continue;
    if (entry.end_ns <= pause.start_ns) break;
    std::vector<Stretch> left;
    for (const Stretch& stretch : pauses) {
      const Stretch parts[] = {{stretch.start_ns, std::min(stretch.end_ns, entry.start_ns)},
                               {std::max(stretch.start_ns, entry.end_ns), stretch.end_ns}};
      for (const Stretch& part : parts)
        if (part.start_ns + kShortestNs <= part.end_ns) left.push_back(part);
    }
    pauses = std::move(left);
  }
  std::ranges::sort(pauses, {}, &Stretch::start_ns);
  return pauses;
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
