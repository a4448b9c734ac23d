// SPDX-License-Identifier: Apache-2.0
// The past of one Looper, bounded: one ring of what ended, and the views over it. A run of quick
// messages never crosses the end of a group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <stillframe/token.h>

#include "src/history/entry_ring.h"
#include "src/history/lock_holders.h"
#include "src/model/document.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"
#include "src/tap/ended_queue.h"
#include "src/tap/recorder.h"

namespace stillframe::history {

// The past of one Looper as a dump has it: slow messages, groups of work, records.
// What the views look at; it must outlive the call.
struct Past {
  const EntryRing& ring;
  const std::vector<LockStretch>& lock_waits;
  const model::FrameTable& names;
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
  std::span<const model::LockWait> lock_waits = {};  // lives as long as the call that has it
  model::SegmentKind segment = model::SegmentKind::kNone;
};

// Is told of each message, run and pause when it reaches a history.
struct EndedListener {
  void (*heard)(void* argument, uint32_t looper, const tap::EndedMessage& ended,
                uint32_t samples) = nullptr;
  void* argument = nullptr;
};

// A slow message or segment that ended, while its tree is still there; or a frame that froze the
// screen, with the names of the message that took most of it.
struct EndedJank {
  const tap::EndedMessage& ended;
  const MessageFacts& facts;
  const model::TraceTree* tree;  // of its samples, not closed; null: there are none
  const EntryRing& past;  // what ended before it, on its thread; what it was made of, of a frame
  bool is_frame = false;
  uint64_t longest_ns = 0;  // of a frame: the whole time of the longest message that it was made of
};

// Is told of each of the main Looper; what it is told of lives as long as the call.
struct JankListener {
  void (*heard)(void* argument, const EndedJank& jank) = nullptr;
  void* argument = nullptr;
};

class History {
 public:
  // Names are interned in `names`, which must outlive this.
  History(const HistorySizes& sizes, const tap::HistoryLimits& limits, model::FrameTable* names);

  void Add(const tap::EndedMessage& ended, const MessageFacts& facts);
  // From now on `listener` is told, with `looper` as the number of this one.
  void SetListener(const EndedListener& listener, uint32_t looper);
  void SetJankListener(const JankListener& listener) { jank_listener_ = listener; }
  // Hands it to that listener. Before Add.
  void TellOfJank(const tap::EndedMessage& ended, const MessageFacts& facts,
                  const model::TraceTree* tree) const {
    if (jank_listener_.heard != nullptr)
      jank_listener_.heard(jank_listener_.argument, {ended, facts, tree, ring_});
  }
  struct Longest {
    Token token = Token::kNone;
    model::FrameStage stage = model::FrameStage::kUnknown;
    const Entry* entry = nullptr;  // until the next one is added
    uint64_t whole_ns = 0;         // the most that any of them took, also before and after
  };
  // Likewise, of a frame that froze the screen; `longest` from its due time to its end.
  void TellOfFrozenFrame(const tap::EndedFrame& frame, const Longest& longest) const;
  // The process was not run, or the device slept.
  void AddFrozen(uint64_t start_ns, uint64_t end_ns);
  // No tap of ours was in force.
  void AddBlind(const Stretch& stretch);

  // Of the newest entry.
  uint32_t NewestGroup() const { return ring_.size() > 0 ? ring_.At(ring_.size() - 1).group : 0; }

  // Adds the names of the newest entries to `live` while that is below `max_percent`; older entries
  // lose theirs, before a sweep.
  void KeepNames(uint32_t max_percent, model::LiveNames* live);

  // The slow messages, oldest first.
  std::vector<model::Message> Messages() const { return MessagesOf(AsPast(), slow_kept_); }
  // Slow messages that are no longer there.
  uint64_t messages_lost() const { return slow_ - slow_kept_; }

  // `open` has what the watched thread has not handed over; what is lost are the oldest.
  std::vector<model::HistoryGroup> Groups(const tap::OpenHistory& open, uint64_t* lost) const {
    return GroupsOf(AsPast(), open, sizes_.groups, lost);
  }
  std::vector<model::HistoryRecord> Records(const tap::OpenHistory& open, uint64_t* lost) const {
    return RecordsOf(AsPast(), open, sizes_.records, records_, lost);
  }

  // The message that took most of the time between these two; without a token when none is known.
  Longest LongestBetween(uint64_t from_ns, uint64_t to_ns) const;

  size_t memory_bytes() const {
    return ring_.memory_bytes() + lock_waits_.capacity() * sizeof(LockStretch);
  }

 private:
  void Push(const Entry& entry);
  void PushStretches(EntryKind kind, uint32_t group, const Stretch& stretch);
  void AddLockWaits(Token token, std::span<const model::LockWait> waits);
  Past AsPast() const { return {ring_, lock_waits_, names_, limits_.slow_ns, limits_.group_ns}; }

  EndedListener listener_;
  JankListener jank_listener_;
  uint32_t looper_ = 0;
  HistorySizes sizes_;
  tap::HistoryLimits limits_;
  model::FrameTable& names_;
  EntryRing ring_;
  std::vector<LockStretch> lock_waits_;  // of the newest messages, in their order
  uint64_t slow_ = 0;                    // slow messages so far
  uint64_t slow_kept_ = 0;               // of them, in the ring and within the bound
  uint64_t slow_in_ring_ = 0;
  uint64_t records_ = 0;      // records so far
  bool last_is_run_ = false;  // of the entries that make records
};

}  // namespace stillframe::history
