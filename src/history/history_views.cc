// SPDX-License-Identifier: Apache-2.0
// The views. Each is one pass over the ring and the open part.
#include <algorithm>
#include <string_view>

#include "src/history/frame_statistics.h"
#include "src/history/history.h"

namespace stillframe::history {
namespace {

std::vector<Entry> OpenEntries(const EntryRing& ring, const tap::OpenHistory& open) {
  std::vector<Entry> entries;
  if (open.run.messages > 0) entries.push_back(Entry::Of(open.run));
  if (open.idle_end_ns == 0) return entries;
  Entry idle = {};
  idle.kind = EntryKind::kIdle;
  if (!entries.empty())
    idle.group = entries.back().group;
  else if (ring.size() > 0)
    idle.group = ring.At(ring.size() - 1).group;
  for (const Stretch& pause : ring.PausesWithin({open.idle_start_ns, open.idle_end_ns})) {
    idle.start_ns = pause.start_ns;
    idle.end_ns = pause.end_ns;
    entries.push_back(idle);
  }
  return entries;
}

template <typename Use>
void ForEach(const Past& past, const tap::OpenHistory& open, const Use& use) {
  for (size_t i = 0; i < past.ring.size(); ++i) use(past.ring.At(i));
  for (const Entry& entry : OpenEntries(past.ring, open)) use(entry);
}

model::Message MessageOf(const Past& past, const Entry& entry) {
  model::Message message;
  message.token = entry.token;
  message.start_ns = entry.start_ns;
  message.wait_ns = entry.wait_ns;
  message.wall_ns = static_cast<int64_t>(entry.end_ns - entry.start_ns);
  message.cpu_ns = entry.cpu_ns;
  message.samples = entry.samples;
  message.flags = entry.flags;
  message.what = entry.what;
  message.target = past.names.String(entry.target);
  message.stage = entry.stage;
  message.segment.kind = entry.segment;
  model::CallbackOrMethod(message) = past.names.String(entry.callback);
  message.lock_owner_tid = static_cast<uint32_t>(entry.lock_owner_tid);
  message.lock_owner = past.names.String(entry.lock_owner);
  if (entry.runqueue_wait_us != Entry::kUnknownUs)
    message.runqueue_wait_ns = int64_t{entry.runqueue_wait_us} * 1000;
  if (entry.blocked_us != Entry::kUnknownUs) message.blocked_ns = int64_t{entry.blocked_us} * 1000;
  for (const LockStretch& wait : past.lock_waits) {
    if (wait.token != entry.token) continue;
    message.lock_waits.push_back({wait.from_us, wait.until_us, wait.blocked_us, wait.owner_tid,
                                  std::string(past.names.String(wait.owner)),
                                  std::string(past.names.String(wait.lock_class))});
  }
  return message;
}

model::SpanKind KindOf(const Past& past, const Entry& entry) {
  switch (entry.kind) {
    case EntryKind::kRun: return model::SpanKind::kQuick;
    case EntryKind::kIdle: return model::SpanKind::kIdle;
    case EntryKind::kFrozen: return model::SpanKind::kFrozen;
    case EntryKind::kSegment: return model::SpanKind::kOutside;
    case EntryKind::kBlind: return model::SpanKind::kBlind;
    case EntryKind::kMessage: break;
  }
  if (past.names.String(entry.target) == model::kSystemTarget) return model::SpanKind::kSystem;
  if (IsFrameCallback(past.names.String(entry.callback))) return model::SpanKind::kFrame;
  return entry.IsSlow(past.slow_ns) ? model::SpanKind::kSlow : model::SpanKind::kNormal;
}

model::HistoryRecord RecordOf(const Past& past, const Entry& entry) {
  model::HistoryRecord record;
  record.kind = KindOf(past, entry);
  record.start_ns = entry.start_ns;
  record.span_ns = entry.end_ns - entry.start_ns;
  record.wall_ns = entry.work_ns;
  const bool has_cpu = entry.messages > 0 || entry.kind == EntryKind::kSegment;
  record.cpu_ns = has_cpu ? entry.cpu_ns : model::kTimeUnknown;
  record.messages = entry.messages;
  record.token = entry.token;
  record.what = entry.what;
  record.target = past.names.String(entry.target);
  record.segment.kind = entry.segment;
  model::CallbackOrMethod(record) = past.names.String(entry.callback);
  return record;
}

bool HasName(const model::HistoryRecord& record) {
  return !record.target.empty() || !record.callback.empty();
}

// Names a merged run: a name with most of its time wins, if there is one. A part has the name of
// its last message; an open part has none.
class NameVote {
 public:
  NameVote() = default;
  explicit NameVote(const model::HistoryRecord& run) : ahead_ns_(HasName(run) ? run.wall_ns : 0) {}

  void Add(const model::HistoryRecord& more, model::HistoryRecord* run) {
    if (!HasName(more)) return;
    const bool is_same =
        more.target == run->target && more.callback == run->callback && more.what == run->what;
    if (is_same) {
      ahead_ns_ += more.wall_ns;
    } else if (ahead_ns_ >= more.wall_ns) {
      ahead_ns_ -= more.wall_ns;
    } else {
      ahead_ns_ = more.wall_ns - ahead_ns_;
      run->target = more.target;
      run->callback = more.callback;
      run->what = more.what;
    }
  }

 private:
  uint64_t ahead_ns_ = 0;
};

void AddToGroup(const Entry& entry, model::HistoryGroup* group) {
  if (group->messages == 0) {
    group->start_ns = entry.start_ns;
    group->kind = model::SpanKind::kQuick;
    group->cpu_ns = 0;
  }
  group->span_ns = entry.end_ns - group->start_ns;
  group->wall_ns += entry.work_ns;
  group->cpu_ns += entry.cpu_ns;
  group->messages += entry.messages;
}

}  // namespace

std::vector<model::Message> MessagesOf(const Past& past, uint64_t kept) {
  std::vector<model::Message> messages;
  messages.reserve(static_cast<size_t>(kept));
  for (size_t i = past.ring.size(); i > 0 && messages.size() < kept; --i) {
    const Entry& entry = past.ring.At(i - 1);
    if (entry.IsSlow(past.slow_ns)) messages.push_back(MessageOf(past, entry));
  }
  std::reverse(messages.begin(), messages.end());
  return messages;
}

std::vector<model::HistoryGroup> GroupsOf(const Past& past, const tap::OpenHistory& open,
                                          uint32_t kept, uint64_t* lost) {
  std::vector<model::HistoryGroup> groups;
  std::vector<model::HistoryGroup> pauses;  // within the current group
  model::HistoryGroup current;
  int64_t number = -1;
  int64_t last_number = -1;  // of the last group with work
  uint64_t work_groups = 0;
  const auto close = [&] {
    if (current.messages > 0) {
      if (!current.tokens.empty() && current.kind != model::SpanKind::kSlow)
        current.kind = model::SpanKind::kMixed;
      groups.push_back(current);
      last_number = number;
      ++work_groups;
    }
    groups.insert(groups.end(), pauses.begin(), pauses.end());
    pauses.clear();
    current = model::HistoryGroup();
  };
  ForEach(past, open, [&](const Entry& entry) {
    if (entry.group == past.ring.overwritten_group()) return;  // incomplete
    if (entry.group != number) {
      close();
      number = entry.group;
    }
    if (entry.IsWork()) {
      AddToGroup(entry, &current);
      if (entry.IsSlow(past.slow_ns)) current.tokens.push_back(entry.token);
      if (entry.kind == EntryKind::kMessage && entry.work_ns >= past.group_ns) {
        current.kind = model::SpanKind::kSlow;
      }
    } else {
      model::HistoryGroup pause;
      pause.kind = KindOf(past, entry);
      pause.start_ns = entry.start_ns;
      pause.span_ns = entry.end_ns - entry.start_ns;
      pause.wall_ns = entry.work_ns;
      if (entry.kind == EntryKind::kSegment) pause.tokens.push_back(entry.token);
      pauses.push_back(pause);
    }
  });
  close();
  while (work_groups > kept ||
         (!groups.empty() && groups.front().messages == 0 && past.ring.overwritten_group() >= 0)) {
    if (groups.front().messages > 0) --work_groups;
    groups.erase(groups.begin());
  }
  *lost = static_cast<uint64_t>(last_number + 1) - work_groups;
  return groups;
}

std::vector<model::HistoryRecord> RecordsOf(const Past& past, const tap::OpenHistory& open,
                                            uint32_t kept, uint64_t made, uint64_t* lost) {
  std::vector<model::HistoryRecord> records;
  bool last_is_run = false;
  NameVote vote;
  size_t seen = 0;
  ForEach(past, open, [&](const Entry& entry) {
    const bool is_open = seen++ >= past.ring.size();
    const bool is_run = entry.kind == EntryKind::kRun;
    if (is_run && last_is_run) {
      model::HistoryRecord& run = records.back();
      const model::HistoryRecord more = RecordOf(past, entry);
      run.span_ns = more.start_ns + more.span_ns - run.start_ns;
      run.wall_ns += more.wall_ns;
      run.cpu_ns += more.cpu_ns;
      run.messages += more.messages;
      run.token = more.token;
      vote.Add(more, &run);
    } else {
      records.push_back(RecordOf(past, entry));
      vote = NameVote(records.back());
      if (is_open) ++made;
    }
    last_is_run = is_run;
  });
  // A segment is added before the run and the pause that precede it in time.
  std::ranges::stable_sort(records, {}, &model::HistoryRecord::start_ns);
  if (records.size() > kept)
    records.erase(records.begin(), records.end() - static_cast<std::ptrdiff_t>(kept));
  *lost = made - records.size();
  return records;
}

std::vector<model::HistoryRecord> RecordsBefore(const Past& past, uint64_t start_ns,
                                                uint64_t span_ns) {
  constexpr uint32_t kMost = 16;
  uint64_t lost = 0;
  std::vector<model::HistoryRecord> records = RecordsOf(past, {}, kMost, 0, &lost);
  std::erase_if(records, [&](const model::HistoryRecord& record) {
    return record.start_ns + record.span_ns + span_ns < start_ns || record.start_ns >= start_ns;
  });
  return records;
}

}  // namespace stillframe::history
