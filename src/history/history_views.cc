// The two views of the past.
#include <algorithm>
#include <string_view>

#include "src/history/frame_stage.h"
#include "src/history/history.h"

namespace stillframe::history {
namespace {

// AOSP 8-14, core/java/android/app/ActivityThread.java
constexpr std::string_view kSystemTarget = "android.app.ActivityThread$H";

}  // namespace

std::vector<History::Entry> History::OpenEntries(const tap::OpenHistory& open) const {
  std::vector<Entry> entries;
  if (open.run.messages > 0) entries.push_back(EntryOf(open.run));
  if (open.idle_end_ns != 0) {
    Entry idle = {};
    idle.kind = Kind::kIdle;
    idle.start_ns = open.idle_start_ns;
    idle.end_ns = open.idle_end_ns;
    idle.group = !entries.empty() ? entries.back().group : count_ > 0 ? At(count_ - 1).group : 0;
    entries.push_back(idle);
  }
  return entries;
}

template <typename Use>
void History::ForEach(const tap::OpenHistory& open, const Use& use) const {
  for (size_t i = 0; i < size(); ++i) use(At(i));
  for (const Entry& entry : OpenEntries(open)) use(entry);
}

void History::AddToGroup(const Entry& entry, model::HistoryGroup* group) const {
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

std::vector<model::HistoryGroup> History::Groups(const tap::OpenHistory& open,
                                                 uint64_t* lost) const {
  std::vector<model::HistoryGroup> groups;
  std::vector<model::HistoryGroup> pauses;  // within the group that is being filled
  model::HistoryGroup current;
  std::vector<uint64_t> nested;  // of the message around them, which ends after them
  int64_t number = -1;
  int64_t last_number = -1;  // of a group with work
  uint64_t work_groups = 0;
  const auto close = [&] {
    if (current.messages > 0) {
      if (!current.tokens.empty() && current.kind != model::SpanKind::kSlow) {
        current.kind = model::SpanKind::kMixed;
      }
      groups.push_back(current);
      last_number = number;
      ++work_groups;
    }
    groups.insert(groups.end(), pauses.begin(), pauses.end());
    pauses.clear();
    current = model::HistoryGroup();
  };
  ForEach(open, [&](const Entry& entry) {
    if (entry.group == overwritten_group_) return;  // not whole any more
    if (entry.group != number) {
      close();
      number = entry.group;
    }
    if (IsWork(entry)) {
      AddToGroup(entry, &current);
      current.tokens.insert(current.tokens.end(), nested.begin(), nested.end());
      nested.clear();
      if (IsSlow(entry)) current.tokens.push_back(entry.token);
      if (entry.kind == Kind::kMessage && entry.work_ns >= limits_.group_ns) {
        current.kind = model::SpanKind::kSlow;
      }
    } else if (entry.kind == Kind::kMessage) {
      if (IsSlow(entry)) nested.push_back(entry.token);
    } else {
      model::HistoryGroup pause;
      pause.kind = KindOf(entry);
      pause.start_ns = entry.start_ns;
      pause.span_ns = entry.end_ns - entry.start_ns;
      pauses.push_back(pause);
    }
  });
  close();
  while (work_groups > sizes_.groups ||
         (!groups.empty() && groups.front().messages == 0 && overwritten_group_ >= 0)) {
    if (groups.front().messages > 0) --work_groups;
    groups.erase(groups.begin());
  }
  *lost = static_cast<uint64_t>(last_number + 1) - work_groups;
  return groups;
}

model::SpanKind History::KindOf(const Entry& entry) const {
  switch (entry.kind) {
    case Kind::kRun: return model::SpanKind::kQuick;
    case Kind::kIdle: return model::SpanKind::kIdle;
    case Kind::kFrozen: return model::SpanKind::kFrozen;
    case Kind::kMessage: break;
  }
  if (names_.String(entry.target) == kSystemTarget) return model::SpanKind::kSystem;
  if (IsFrameCallback(names_.String(entry.callback))) return model::SpanKind::kFrame;
  return IsSlow(entry) ? model::SpanKind::kSlow : model::SpanKind::kNormal;
}

model::HistoryRecord History::RecordOf(const Entry& entry) const {
  model::HistoryRecord record;
  record.kind = KindOf(entry);
  record.start_ns = entry.start_ns;
  record.span_ns = entry.end_ns - entry.start_ns;
  record.wall_ns = entry.work_ns;
  record.cpu_ns = entry.messages > 0 ? entry.cpu_ns : model::kTimeUnknown;
  record.messages = entry.messages;
  record.token = entry.token;
  record.what = entry.what;
  record.target = names_.String(entry.target);
  record.callback = names_.String(entry.callback);
  return record;
}

std::vector<model::HistoryRecord> History::Records(const tap::OpenHistory& open,
                                                   uint64_t* lost) const {
  std::vector<model::HistoryRecord> records;
  uint64_t made = records_;
  bool last_is_run = false;
  size_t seen = 0;
  ForEach(open, [&](const Entry& entry) {
    const bool is_open = seen++ >= size();
    if (IsNested(entry)) return;
    const bool is_run = entry.kind == Kind::kRun;
    if (is_run && last_is_run) {
      model::HistoryRecord& run = records.back();
      const model::HistoryRecord more = RecordOf(entry);
      run.span_ns = more.start_ns + more.span_ns - run.start_ns;
      run.wall_ns += more.wall_ns;
      run.cpu_ns += more.cpu_ns;
      run.messages += more.messages;
      run.token = more.token;
      run.what = more.what;
      run.target = more.target;
      run.callback = more.callback;
    } else {
      records.push_back(RecordOf(entry));
      if (is_open) ++made;
    }
    last_is_run = is_run;
  });
  if (records.size() > sizes_.records) {
    records.erase(records.begin(), records.end() - static_cast<std::ptrdiff_t>(sizes_.records));
  }
  *lost = made - records.size();
  return records;
}

}  // namespace stillframe::history
