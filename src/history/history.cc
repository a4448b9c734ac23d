#include "src/history/history.h"

#include <algorithm>

namespace stillframe::history {
namespace {

// Entries beside messages and runs: pauses, freezes, nested messages.
constexpr size_t kSlackEntries = 256;
constexpr size_t kMaxEntries = 65'536;

// A group holds at most so many messages that are not quick, each with a run before it.
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
                 trace::FrameTable* names)
    : sizes_(sizes), limits_(limits), names_(*names), ring_(EntriesOf(sizes, limits)) {}

History::Entry History::EntryOf(const tap::EndedMessage& ended) const {
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
    case tap::EndedKind::kMessage: entry.kind = Kind::kMessage; break;
    case tap::EndedKind::kQuickRun: entry.kind = Kind::kRun; break;
    case tap::EndedKind::kIdle: entry.kind = Kind::kIdle; break;
  }
  return entry;
}

void History::Add(const tap::EndedMessage& ended, const MessageFacts& facts) {
  Entry entry = EntryOf(ended);
  entry.samples = facts.samples;
  entry.runqueue_wait_us = Microseconds(facts.runqueue_wait_ns);
  entry.blocked_us = Microseconds(facts.blocked_ns);
  entry.stage = facts.stage;
  entry.lock_owner_tid = facts.lock_holder.tid;
  entry.lock_owner = names_.Intern(facts.lock_holder.name);
  entry.target = names_.Intern(ended.target);
  entry.callback = names_.Intern(ended.callback);
  Push(entry);
  if (listener_.heard != nullptr) {
    listener_.heard(listener_.argument, looper_, ended, facts.samples);
  }
}

void History::SetListener(const EndedListener& listener, uint32_t looper) {
  listener_ = listener;
  looper_ = looper;
}

void History::AddFrozen(uint64_t start_ns, uint64_t end_ns) {
  Entry entry = {};
  entry.kind = Kind::kFrozen;
  entry.start_ns = start_ns;
  entry.end_ns = end_ns;
  entry.group = count_ > 0 ? At(count_ - 1).group : 0;
  Push(entry);
}

void History::Push(const Entry& entry) {
  if (count_ == ring_.size()) {
    const Entry& lost = ring_[oldest_];
    if (IsSlow(lost)) --slow_in_ring_;
    overwritten_group_ = lost.group;
    ring_[oldest_] = entry;
    oldest_ = (oldest_ + 1) % ring_.size();
  } else {
    ring_[(oldest_ + count_++) % ring_.size()] = entry;
  }
  if (IsSlow(entry)) {
    ++slow_;
    ++slow_in_ring_;
  }
  slow_kept_ = std::min<uint64_t>(slow_in_ring_, sizes_.messages);
  if (IsNested(entry)) return;
  if (entry.kind != Kind::kRun || !last_is_run_) ++records_;
  last_is_run_ = entry.kind == Kind::kRun;
}

bool History::IsSlow(const Entry& entry) const {
  return entry.kind == Kind::kMessage && entry.end_ns - entry.start_ns >= limits_.slow_ns;
}

bool History::IsNested(const Entry& entry) const {
  return (entry.flags & model::kMessageNested) != 0;
}

// Entries that make up groups.
bool History::IsWork(const Entry& entry) const {
  return (entry.kind == Kind::kMessage || entry.kind == Kind::kRun) && !IsNested(entry);
}

model::Message History::MessageOf(const Entry& entry) const {
  model::Message message;
  message.token = entry.token;
  message.start_ns = entry.start_ns;
  message.wait_ns = entry.wait_ns;
  message.wall_ns = static_cast<int64_t>(entry.end_ns - entry.start_ns);
  message.cpu_ns = entry.cpu_ns;
  message.samples = entry.samples;
  message.flags = entry.flags;
  message.what = entry.what;
  message.target = names_.String(entry.target);
  message.callback = names_.String(entry.callback);
  message.stage = entry.stage;
  message.lock_owner_tid = static_cast<uint32_t>(entry.lock_owner_tid);
  message.lock_owner = names_.String(entry.lock_owner);
  if (entry.runqueue_wait_us != kUnknownUs) {
    message.runqueue_wait_ns = int64_t{entry.runqueue_wait_us} * 1000;
  }
  if (entry.blocked_us != kUnknownUs) message.blocked_ns = int64_t{entry.blocked_us} * 1000;
  return message;
}

std::vector<model::Message> History::Messages() const {
  std::vector<model::Message> messages;
  messages.reserve(static_cast<size_t>(slow_kept_));
  uint64_t to_skip = slow_in_ring_ - slow_kept_;
  for (size_t i = 0; i < size(); ++i) {
    const Entry& entry = At(i);
    if (!IsSlow(entry)) continue;
    if (to_skip > 0) {
      --to_skip;
    } else {
      messages.push_back(MessageOf(entry));
    }
  }
  return messages;
}

History::Longest History::LongestBetween(uint64_t from_ns, uint64_t to_ns) const {
  Longest longest;
  uint64_t longest_ns = 0;
  for (size_t i = size(); i > 0; --i) {
    const Entry& entry = At(i - 1);
    if (entry.end_ns <= from_ns) break;
    if (entry.kind != Kind::kMessage || entry.start_ns >= to_ns) continue;
    const uint64_t within_ns = std::min(entry.end_ns, to_ns) - std::max(entry.start_ns, from_ns);
    if (within_ns > longest_ns) {
      longest_ns = within_ns;
      longest = {entry.token, entry.stage};
    }
  }
  return longest;
}

}  // namespace stillframe::history
