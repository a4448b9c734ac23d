// SPDX-License-Identifier: Apache-2.0
#include "src/history/history.h"

#include <algorithm>

#include "src/core/counters.h"

namespace stillframe::history {
namespace {

// Reserve for entries other than messages and runs: pauses, freezes, segments.
constexpr size_t kSlackEntries = 256;
constexpr size_t kMaxEntries = 65'536;
// Lock waits of all messages together: 20 KiB.
constexpr size_t kMaxLockWaits = 512;

// A group has at most so many messages that are not quick, each preceded by a run.
size_t EntriesOf(const HistorySizes& sizes, const tap::HistoryLimits& limits) {
  const uint64_t quick_ns = std::max<uint64_t>(limits.quick_ns, 1);
  const uint64_t per_group = 2 * (limits.group_ns / quick_ns + 1);
  const uint64_t wanted =
      std::max<uint64_t>({sizes.groups * per_group, sizes.records, sizes.messages});
  return static_cast<size_t>(std::min<uint64_t>(wanted + kSlackEntries, kMaxEntries));
}

uint32_t Microseconds(int64_t ns) {
  return ns < 0 ? UINT32_MAX : static_cast<uint32_t>(std::min<int64_t>(ns / 1000, UINT32_MAX - 1));
}

}  // namespace

History::History(const HistorySizes& sizes, const tap::HistoryLimits& limits,
                 model::FrameTable* names)
    : sizes_(sizes), limits_(limits), names_(*names), ring_(EntriesOf(sizes, limits)) {}

void History::Add(const tap::EndedMessage& ended, const MessageFacts& facts) {
  if (listener_.heard != nullptr)
    listener_.heard(listener_.argument, looper_, ended, facts.samples);
  Entry entry = Entry::Of(ended);
  if (entry.kind == EntryKind::kIdle)
    return PushStretches(entry.kind, entry.group, {entry.start_ns, entry.end_ns});
  entry.samples = facts.samples;
  entry.runqueue_wait_us = Microseconds(facts.runqueue_wait_ns);
  entry.blocked_us = Microseconds(facts.blocked_ns);
  entry.stage = facts.stage;
  entry.lock_owner_tid = facts.lock_holder.tid;
  entry.lock_owner = names_.Intern(facts.lock_holder.name);
  entry.target = names_.Intern(ended.target);
  entry.callback = names_.Intern(ended.callback);
  entry.segment = facts.segment;
  Push(entry);
  if (entry.IsSlow(limits_.slow_ns)) AddLockWaits(entry.token, facts.lock_waits);
}

// Over the limit the oldest messages lose their lock waits.
void History::AddLockWaits(Token token, std::span<const model::LockWait> waits) {
  if (waits.empty()) return;
  if (lock_waits_.size() + waits.size() > kMaxLockWaits) {
    size_t lost = lock_waits_.size() + waits.size() - kMaxLockWaits;
    while (lost < lock_waits_.size() && lock_waits_[lost].token == lock_waits_[lost - 1].token)
      ++lost;
    lock_waits_.erase(lock_waits_.begin(), lock_waits_.begin() + static_cast<std::ptrdiff_t>(lost));
  }
  for (const model::LockWait& wait : waits)
    lock_waits_.push_back({token, wait.from_us, wait.until_us, wait.blocked_us, wait.owner_tid,
                           names_.Intern(wait.owner), names_.Intern(wait.lock_class)});
}

// Only the parts that no earlier segment or blind time covers.
void History::PushStretches(EntryKind kind, uint32_t group, const Stretch& stretch) {
  for (const Stretch& part : ring_.PausesWithin(stretch)) {
    Entry entry = {};
    entry.kind = kind;
    entry.start_ns = part.start_ns;
    entry.end_ns = part.end_ns;
    entry.group = group;
    Push(entry);
  }
}

void History::AddBlind(const Stretch& stretch) {
  PushStretches(EntryKind::kBlind, NewestGroup(), stretch);
}

void History::KeepNames(uint32_t max_percent, model::LiveNames* live) {
  for (size_t i = ring_.size(); i > 0; --i) {
    Entry& entry = ring_.At(i - 1);
    const bool is_kept = live->percent() < max_percent;
    bool is_lost = false;
    for (model::StringId* name : {&entry.target, &entry.callback, &entry.lock_owner}) {
      if (is_kept) {
        live->AddString(*name);
      } else if (*name != model::kEmptyString) {
        *name = model::kEmptyString;
        is_lost = true;
      }
    }
    if (is_lost) core::Counters::Add(Counter::kHistoryNamesLost);
  }
  for (size_t i = lock_waits_.size(); i > 0; --i) {
    for (model::StringId* name : {&lock_waits_[i - 1].owner, &lock_waits_[i - 1].lock_class})
      if (live->percent() < max_percent)
        live->AddString(*name);
      else
        *name = model::kEmptyString;
  }
}

void History::SetListener(const EndedListener& listener, uint32_t looper) {
  listener_ = listener;
  looper_ = looper;
}

void History::ReportFrozenFrame(const tap::EndedFrame& frame, const Longest& longest) const {
  if (jank_listener_.heard == nullptr) return;
  tap::EndedMessage ended = {};
  ended.kind = tap::EndedKind::kMessage;
  ended.token = frame.token;
  ended.start_ns = frame.due_ns;
  ended.end_ns = frame.end_ns;
  ended.work_ns = frame.end_ns - frame.due_ns;
  ended.wait_ns = model::kTimeUnknown;
  MessageFacts facts;
  facts.stage = longest.stage;
  if (longest.entry != nullptr) {
    ended.what = longest.entry->what;
    facts.segment = longest.entry->segment;
    const auto copy = [this](model::StringId name, char* to) {
      to[names_.String(name).copy(to, tap::EndedMessage::kNameBytes - 1)] = '\0';
    };
    copy(longest.entry->target, ended.target);
    copy(longest.entry->callback, ended.callback);
  }
  jank_listener_.heard(jank_listener_.argument,
                       {ended, facts, nullptr, ring_, true, longest.whole_ns});
}

void History::AddFrozen(const FreezeWatch::Freeze& freeze) {
  frozen_.Add(freeze);
  Entry entry = {};
  entry.kind = EntryKind::kFrozen;
  entry.start_ns = freeze.start_ns;
  entry.end_ns = freeze.end_ns;
  entry.group = NewestGroup();
  Push(entry);
}

void History::Push(const Entry& entry) {
  if (ring_.is_full() && ring_.At(0).IsSlow(limits_.slow_ns)) --slow_in_ring_;
  ring_.Push(entry);
  if (entry.IsSlow(limits_.slow_ns)) {
    ++slow_;
    ++slow_in_ring_;
  }
  slow_kept_ = std::min<uint64_t>(slow_in_ring_, sizes_.messages);
  if (entry.kind != EntryKind::kRun || !last_is_run_) ++records_;
  last_is_run_ = entry.kind == EntryKind::kRun;
}

History::Longest History::LongestBetween(uint64_t from_ns, uint64_t to_ns) const {
  Longest longest;
  uint64_t longest_ns = 0;
  for (size_t i = ring_.size(); i > 0; --i) {
    const Entry& entry = ring_.At(i - 1);
    if (entry.end_ns <= from_ns) break;
    const bool is_one = entry.kind == EntryKind::kMessage || entry.kind == EntryKind::kSegment;
    if (!is_one || entry.start_ns >= to_ns) continue;
    const uint64_t frozen_ns = frozen_.Within(entry.start_ns, entry.end_ns);
    longest.whole_ns =
        std::max(longest.whole_ns, entry.work_ns - std::min(frozen_ns, entry.work_ns));
    const uint64_t within_ns = std::min(entry.end_ns, to_ns) - std::max(entry.start_ns, from_ns);
    if (within_ns > longest_ns) {
      longest_ns = within_ns;
      longest.token = entry.token;
      longest.stage = entry.stage;
      longest.entry = &entry;
    }
  }
  return longest;
}

}  // namespace stillframe::history
