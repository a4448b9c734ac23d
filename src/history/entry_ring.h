// SPDX-License-Identifier: Apache-2.0
// The entries of a history: single messages, runs of quick messages, segments, pauses, freezes and
// blind times, in the order in which they ended or were noticed. The ring is allocated once; the
// oldest entry is overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <stillframe/token.h>

#include "src/model/document.h"
#include "src/model/frame_table.h"
#include "src/tap/ended_queue.h"

namespace stillframe::history {

enum class EntryKind : uint8_t { kMessage, kRun, kIdle, kFrozen, kSegment, kBlind };

struct Entry {
  static constexpr uint32_t kUnknownUs = UINT32_MAX;

  Token token;
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
  model::StringId target;
  model::StringId callback;
  int32_t lock_owner_tid;
  model::StringId lock_owner;
  EntryKind kind;
  model::FrameStage stage;
  model::SegmentKind segment;

  // Without names and without what the collector alone knows.
  static Entry Of(const tap::EndedMessage& ended);

  bool IsSlow(uint64_t slow_ns) const {
    return (kind == EntryKind::kMessage || kind == EntryKind::kSegment) &&
           end_ns - start_ns >= slow_ns;
  }
  // Tells what a pause was.
  bool IsWithinPause() const { return kind == EntryKind::kSegment || kind == EntryKind::kBlind; }
  // Of the entries that make up groups.
  bool IsWork() const { return kind == EntryKind::kMessage || kind == EntryKind::kRun; }
};

// Of an entry that was blocked on monitors of one owner; see model::LockWait.
struct LockStretch {
  Token token;
  uint32_t from_us;
  uint32_t until_us;
  uint32_t blocked_us;
  uint32_t owner_tid;
  model::StringId owner;
  model::StringId lock_class;
};

// A stretch of CLOCK_MONOTONIC.
struct Stretch {
  uint64_t start_ns;
  uint64_t end_ns;
};

class EntryRing {
 public:
  explicit EntryRing(size_t entries) : entries_(entries) {}

  size_t size() const { return count_; }
  bool is_full() const { return count_ == entries_.size(); }
  // 0 is the oldest.
  const Entry& At(size_t index) const { return entries_[(oldest_ + index) % entries_.size()]; }
  Entry& At(size_t index) { return entries_[(oldest_ + index) % entries_.size()]; }
  // A full ring loses its oldest entry.
  void Push(const Entry& entry);

  // What is left of a pause without the segments and blind times that were pushed before: the
  // stretches of a millisecond and more.
  std::vector<Stretch> PausesWithin(const Stretch& pause) const;

  // Of the newest entry that was lost, which leaves its group incomplete; -1: none was.
  int64_t overwritten_group() const { return overwritten_group_; }
  size_t memory_bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  std::vector<Entry> entries_;
  size_t oldest_ = 0;
  size_t count_ = 0;
  int64_t overwritten_group_ = -1;
};

}  // namespace stillframe::history
