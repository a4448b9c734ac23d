// SPDX-License-Identifier: Apache-2.0
// The entries of a history: messages, runs of quick messages, segments, pauses, freezes and blind
// times, in the order in which they ended or were noticed. Allocated once; a full ring overwrites
// its oldest entry.
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
  uint32_t runqueue_wait_us;  // or kUnknownUs
  uint32_t blocked_us;        // or kUnknownUs
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

  // Names and facts that only the collector knows are left empty.
  static Entry Of(const tap::EndedMessage& ended);

  bool IsSlow(uint64_t slow_ns) const {
    return (kind == EntryKind::kMessage || kind == EntryKind::kSegment) &&
           end_ns - start_ns >= slow_ns;
  }
  // Explains part of a pause.
  bool IsWithinPause() const { return kind == EntryKind::kSegment || kind == EntryKind::kBlind; }
  // Counts as work of a group.
  bool IsWork() const { return kind == EntryKind::kMessage || kind == EntryKind::kRun; }
};

// A time in which an entry was blocked on monitors of one owner; see model::LockWait.
struct LockStretch {
  Token token;
  uint32_t from_us;
  uint32_t until_us;
  uint32_t blocked_us;
  uint32_t owner_tid;
  model::StringId owner;
  model::StringId lock_class;
};

// An interval of CLOCK_MONOTONIC.
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
  // A full ring overwrites its oldest entry.
  void Push(const Entry& entry);

  // Parts of `pause` of at least a millisecond that no earlier segment or blind time covers.
  std::vector<Stretch> PausesWithin(const Stretch& pause) const;

  // Group of the newest overwritten entry, which is now incomplete; -1: none.
  int64_t overwritten_group() const { return overwritten_group_; }
  size_t memory_bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  std::vector<Entry> entries_;
  size_t oldest_ = 0;
  size_t count_ = 0;
  int64_t overwritten_group_ = -1;
};

}  // namespace stillframe::history
