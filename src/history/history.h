// SPDX-License-Identifier: Apache-2.0
// History of one Looper: one bounded ring of what ended, and the views over it. A run of quick
// messages never crosses the end of a group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <stillframe/token.h>

#include "src/history/entry_ring.h"
#include "src/history/frozen_times.h"
#include "src/history/lock_holders.h"
#include "src/model/document.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"
#include "src/tap/ended_queue.h"
#include "src/tap/recorder.h"

namespace stillframe::history {

// Input of the views; must outlive the call.
struct Past {
  const EntryRing& ring;
  const std::vector<LockStretch>& lock_waits;
  const model::FrameTable& names;
  uint64_t slow_ns;
  uint64_t group_ns;  // a message this long is a group of its own
};

// The newest `kept` slow messages, oldest first.
std::vector<model::Message> MessagesOf(const Past& past, uint64_t kept);

// The preorder text's view: the newest `kept` groups of `group_ns` of work. `open`: what the
// watched thread has not handed over. `lost`: number of earlier groups with work.
std::vector<model::HistoryGroup> GroupsOf(const Past& past, const tap::OpenHistory& open,
                                          uint32_t kept, uint64_t* lost);

// LooperMonitor's view: the newest `kept` single messages, consecutive quick ones merged. `made`:
// number of records handed over so far. `lost`: how many of those and of `open` are gone.
std::vector<model::HistoryRecord> RecordsOf(const Past& past, const tap::OpenHistory& open,
                                            uint32_t kept, uint64_t made, uint64_t* lost);

// At most 16 records of the time `span_ns` before `start_ns`, oldest first.
std::vector<model::HistoryRecord> RecordsBefore(const Past& past, uint64_t start_ns,
                                                uint64_t span_ns);

struct HistorySizes {
  uint32_t groups;    // kept for Groups, newest
  uint32_t records;   // kept for Records, newest
  uint32_t messages;  // kept for Messages, newest
};

// The collector's facts about a message that ended.
struct MessageFacts {
  uint32_t samples = 0;
  int64_t runqueue_wait_ns = model::kTimeUnknown;
  int64_t blocked_ns = model::kTimeUnknown;
  model::FrameStage stage = model::FrameStage::kNone;
  LockHolder lock_holder;
  std::span<const model::LockWait> lock_waits = {};  // valid during the call
  model::SegmentKind segment = model::SegmentKind::kNone;
};

// Called for each message, run and pause that is added to a history.
struct EndedListener {
  void (*heard)(void* argument, uint32_t looper, const tap::EndedMessage& ended,
                uint32_t samples) = nullptr;
  void* argument = nullptr;
};

// A thread other than the main one; without a name: the main one.
struct JankThread {
  const char* name = nullptr;
  int32_t tid = 0;
};

// A slow message or segment that ended, while its tree still exists. Or a frame that froze the
// screen, with the names of the message that took most of it.
struct EndedJank {
  const tap::EndedMessage& ended;
  const MessageFacts& facts;
  const model::TraceTree* tree;  // of its samples, not closed; null: none
  const EntryRing& past;         // earlier entries of its thread; for a frame its messages too
  bool is_frame = false;
  uint64_t longest_ns = 0;              // frame: whole time of its longest message
  const FrozenTimes* frozen = nullptr;  // to be taken off; null: nothing is
  JankThread thread = {};
};

// Called for each jank of a Looper; the argument is valid during the call.
struct JankListener {
  void (*heard)(void* argument, const EndedJank& jank) = nullptr;
  void* argument = nullptr;
  JankThread thread = {};
};

class History {
 public:
  // Interns names in `names`, which must outlive this.
  History(const HistorySizes& sizes, const tap::HistoryLimits& limits, model::FrameTable* names);

  void Add(const tap::EndedMessage& ended, const MessageFacts& facts);
  // Calls `listener` from now on; `looper` is the number of this Looper.
  void SetListener(const EndedListener& listener, uint32_t looper);
  void SetJankListener(const JankListener& listener) { jank_listener_ = listener; }
  // Calls the jank listener. Must precede Add.
  void ReportJank(const tap::EndedMessage& ended, const MessageFacts& facts,
                  const model::TraceTree* tree) const {
    if (jank_listener_.heard != nullptr)
      jank_listener_.heard(jank_listener_.argument,
                           {ended, facts, tree, ring_, false, 0, &frozen_, jank_listener_.thread});
  }
  struct Longest {
    Token token = Token::kNone;
    model::FrameStage stage = model::FrameStage::kUnknown;
    const Entry* entry = nullptr;  // valid until the next Add
    // Longest whole duration of a message that overlaps it, without frozen time.
    uint64_t whole_ns = 0;
  };
  // Calls the jank listener for a frame that froze the screen, without frozen time. `longest`: from
  // due time to end.
  void ReportFrozenFrame(const tap::EndedFrame& frame, const Longest& longest) const;
  // The process was frozen, or the device suspended.
  void AddFrozen(const FreezeWatch::Freeze& freeze);
  const FrozenTimes& frozen() const { return frozen_; }
  // No tap of ours was in force.
  void AddBlind(const Stretch& stretch);

  // Group of the newest entry.
  uint32_t NewestGroup() const { return ring_.size() > 0 ? ring_.At(ring_.size() - 1).group : 0; }

  // Before a sweep: adds names of the newest entries to `live` while it is below `max_percent`.
  // Older entries lose their names.
  void KeepNames(uint32_t max_percent, model::LiveNames* live);

  // The slow messages, oldest first.
  std::vector<model::Message> Messages() const { return MessagesOf(AsPast(), slow_kept_); }
  // Slow messages no longer kept.
  uint64_t messages_lost() const { return slow_ - slow_kept_; }

  // `open`: what the watched thread has not handed over. `lost`: the number of oldest ones dropped.
  std::vector<model::HistoryGroup> Groups(const tap::OpenHistory& open, uint64_t* lost) const {
    return GroupsOf(AsPast(), open, sizes_.groups, lost);
  }
  std::vector<model::HistoryRecord> Records(const tap::OpenHistory& open, uint64_t* lost) const {
    return RecordsOf(AsPast(), open, sizes_.records, records_, lost);
  }

  std::vector<model::HistoryRecord> Before(uint64_t start_ns, uint64_t span_ns) const {
    return RecordsBefore(AsPast(), start_ns, span_ns);
  }

  // The message with most of the time in this range; without an entry if unknown.
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
  std::vector<LockStretch> lock_waits_;  // of the newest messages, in order
  FrozenTimes frozen_;
  uint64_t slow_ = 0;       // slow messages so far
  uint64_t slow_kept_ = 0;  // still in the ring and within the limit
  uint64_t slow_in_ring_ = 0;
  uint64_t records_ = 0;      // records so far
  bool last_is_run_ = false;  // last entry that makes a record
};

}  // namespace stillframe::history
