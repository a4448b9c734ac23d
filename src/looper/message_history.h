// The slow messages of the past, bounded: the newest stay.
// Context: collector
#pragma once

#include <cstdint>
#include <vector>

#include "src/dump/document.h"
#include "src/looper/recorder.h"
#include "src/trace/frame_table.h"

namespace stillframe::looper {

class MessageHistory {
 public:
  // Names are interned in `names`, which must outlive this.
  MessageHistory(uint32_t capacity, trace::FrameTable* names)
      : capacity_(capacity), names_(*names) {}

  void Add(const EndedMessage& message, uint32_t samples);

  // Oldest first; messages whose token `has_tree(token)` confirms are flagged.
  template <typename HasTree>
  std::vector<dump::Message> Messages(const HasTree& has_tree) const {
    std::vector<dump::Message> messages;
    messages.reserve(entries_.size());
    for (size_t i = 0; i < entries_.size(); ++i) {
      messages.push_back(MessageAt((oldest_ + i) % entries_.size()));
      if (has_tree(messages.back().token)) messages.back().flags |= dump::kMessageHasTree;
    }
    return messages;
  }

  uint64_t lost() const { return lost_; }
  size_t memory_bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    uint64_t token;
    uint64_t start_ns;
    int64_t wait_ns;
    uint64_t wall_ns;
    uint64_t cpu_ns;
    int32_t what;
    uint32_t flags;
    uint32_t samples;
    trace::StringId target;
    trace::StringId callback;
  };
  dump::Message MessageAt(size_t index) const;

  uint32_t capacity_;
  trace::FrameTable& names_;
  std::vector<Entry> entries_;
  size_t oldest_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace stillframe::looper
