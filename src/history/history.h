// The past of one Looper, bounded: one ring of what ended, and the views over it.
//
// The ring is allocated once. Its entries are single messages, runs of quick messages, pauses and
// freezes, in the order in which they ended; a run never crosses the end of a group.
// Context: collector
#pragma once

#include <cstdint>
#include <vector>

#include "src/history/lock_holders.h"
#include "src/model/history.h"
#include "src/model/message.h"
#include "src/tap/ended_message.h"
#include "src/tap/recorder.h"
#include "src/trace/frame_table.h"

namespace stillframe::history {

struct HistorySizes {
  uint32_t groups;    // given by Groups, newest
  uint32_t records;   // given by Records, newest
  uint32_t messages;  // given by Messages, newest
};

// What the collector knows about a message that ended.
struct MessageFacts {
  uint32_t samples = 0;
  int64_t runqueue_wait_ns = model::kTimeUnknown;
  int64_t blocked_ns = model::kTimeUnknown;
  model::FrameStage stage = model::FrameStage::kNone;
  LockHolder lock_holder;
};

// Is told of each message, run and pause when it reaches a history.
struct EndedListener {
  void (*heard)(void* argument, uint32_t looper, const tap::EndedMessage& ended,
                uint32_t samples) = nullptr;
  void* argument = nullptr;
};

class History {
 public:
  // Names are interned in `names`, which must outlive this.
  History(const HistorySizes& sizes, const tap::HistoryLimits& limits, trace::FrameTable* names);

  void Add(const tap::EndedMessage& ended, const MessageFacts& facts);
  // From now on `listener` is told, with `looper` as the number of this one.
  void SetListener(const EndedListener& listener, uint32_t looper);
  // The process was not run, or the device slept.
  void AddFrozen(uint64_t start_ns, uint64_t end_ns);

  // The slow messages, oldest first.
  std::vector<model::Message> Messages() const;
  // Slow messages that are no longer there.
  uint64_t messages_lost() const { return slow_ - slow_kept_; }

  // The article's view: groups of so much work, newest first lost. `open` has what the watched
  // thread has not handed over.
  std::vector<model::HistoryGroup> Groups(const tap::OpenHistory& open, uint64_t* lost) const;

  // LooperMonitor's view: single messages, and consecutive quick ones merged.
  std::vector<model::HistoryRecord> Records(const tap::OpenHistory& open, uint64_t* lost) const;

  struct Longest {
    uint64_t token = 0;
    model::FrameStage stage = model::FrameStage::kUnknown;
  };
  // The message that took most of the time between these two; token 0 when none is known.
  Longest LongestBetween(uint64_t from_ns, uint64_t to_ns) const;

  size_t memory_bytes() const { return ring_.capacity() * sizeof(Entry); }

 private:
  enum class Kind : uint8_t { kMessage, kRun, kIdle, kFrozen };
  struct Entry {
    uint64_t token;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t work_ns;
    int64_t cpu_ns;
    int64_t wait_ns;
    uint32_t runqueue_wait_us;  // kUnknownUs
    uint32_t blocked_us;        // kUnknownUs
    uint32_t messages;
    uint32_t group;
    int32_t what;
    uint32_t samples;
    uint32_t flags;
    trace::StringId target;
    trace::StringId callback;
    int32_t lock_owner_tid;
    trace::StringId lock_owner;
    Kind kind;
    model::FrameStage stage;
  };
  static constexpr uint32_t kUnknownUs = UINT32_MAX;

  const Entry& At(size_t index) const { return ring_[(oldest_ + index) % ring_.size()]; }
  size_t size() const { return count_; }
  void Push(const Entry& entry);
  Entry EntryOf(const tap::EndedMessage& ended) const;
  std::vector<Entry> OpenEntries(const tap::OpenHistory& open) const;
  bool IsSlow(const Entry& entry) const;
  bool IsNested(const Entry& entry) const;
  bool IsWork(const Entry& entry) const;
  model::Message MessageOf(const Entry& entry) const;
  model::SpanKind KindOf(const Entry& entry) const;
  model::HistoryRecord RecordOf(const Entry& entry) const;
  void AddToGroup(const Entry& entry, model::HistoryGroup* group) const;
  template <typename Use>
  void ForEach(const tap::OpenHistory& open, const Use& use) const;

  EndedListener listener_;
  uint32_t looper_ = 0;
  HistorySizes sizes_;
  tap::HistoryLimits limits_;
  trace::FrameTable& names_;
  std::vector<Entry> ring_;
  size_t oldest_ = 0;
  size_t count_ = 0;
  uint64_t slow_ = 0;       // slow messages so far
  uint64_t slow_kept_ = 0;  // of them, in the ring and within the bound
  uint64_t slow_in_ring_ = 0;
  uint64_t records_ = 0;            // records so far
  bool last_is_run_ = false;        // of the entries that make records
  int64_t overwritten_group_ = -1;  // of the newest entry that the ring has lost
};

}  // namespace stillframe::history
