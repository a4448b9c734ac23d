// SPDX-License-Identifier: Apache-2.0
// Merges the samples of the running message into its tree and keeps the trees of long messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/token.h>

#include "src/art/wait_reader.h"
#include "src/core/sample.h"
#include "src/dump/writer.h"
#include "src/history/frame_statistics.h"
#include "src/history/lock_holders.h"
#include "src/history/segment_name.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"
#include "src/names/method_names.h"
#include "src/native/native_frames.h"

namespace stillframe::sampling {

struct TreeLimits {
  uint64_t min_wall_ns;   // trees of shorter messages are dropped
  uint32_t max_kept;      // of the newest messages
  uint64_t budget_bytes;  // of all kept trees; the oldest go first
};

// How full `live` may be, see LiveNames::percent.
struct NameShares {
  uint32_t running_percent;  // with the running tree
  uint32_t trees_percent;    // with all trees
};

class TreeBuilder {
 public:
  // All must outlive this.
  TreeBuilder(const TreeLimits& limits, const walk::RuntimeFacts& facts, model::FrameTable* frames,
              native::NativeFrames* native, dump::Writer* writer)
      : limits_(limits),
        facts_(facts),
        frame_table_(*frames),
        names_(facts, frames),
        native_(*native),
        writer_(*writer) {}

  // Reads the classes of monitors' objects; without it they are not known. It must outlive this.
  void SetWaits(const art::WaitReader* waits) { waits_ = waits; }

  // Trees that are kept already stay until the next one is.
  void SetLimits(const TreeLimits& limits) { limits_ = limits; }

  // Begins the tree of a message, which ends the one before without keeping it.
  void Start(Token token, uint64_t start_ns, uint64_t start_cpu_ns);

  // A sample of the started message; frame(i) gives its frames, innermost first, between which the
  // native ones stand. `kernel_call`: what it waits for inside of them; "" is nothing that is
  // known.
  template <typename FrameAt>
  void Add(const core::RawSample& sample, const FrameAt& frame,
           std::span<const native::MixedFrame> native = {}, std::string_view kernel_call = {}) {
    stack_.clear();
    if (!kernel_call.empty()) stack_.push_back(native_.KernelFrame(kernel_call));
    model::FrameId ids[names::MethodNames::kMaxFrames];
    DeepMark mark;
    const auto add_managed = [&](uint32_t i) {
      const core::RawFrame& raw = frame(i);
      if (core::IsDeepMark(raw)) mark = {stack_.size(), raw.dex_pc};
      const uint32_t count = names_.Resolve(raw, ids);
      stack_.insert(stack_.end(), ids, ids + count);
    };
    native_.Merge(native, sample.depth, add_managed,
                  [this](model::FrameId id) { stack_.push_back(id); });
    ShortenStack(mark);
    std::reverse(stack_.begin(), stack_.end());
    AddStack(sample);
  }
  // "com.foo.Sync.run(Sync.java:17) < ...", in the order of the frames.
  std::string TextOf(std::span<const core::RawFrame> frames);
  // Of the started message's newest sample: "com.foo.Sync.run(Sync.java:17)\n...", innermost frame
  // first, as many as fit `max_bytes`; "" before its first one.
  std::string NewestStack(size_t max_bytes) const;
  // The thread has not run since the last sample, or not enough to have another stack.
  void AddRepeat(uint64_t wall_ns, uint64_t cpu_ns);

  // Ends the started message and keeps its tree if it was long enough.
  void Finish(uint64_t end_ns);

  bool IsInNativeCode(uint8_t thread_state) const {
    return facts_.layout->state_name(thread_state) == model::ThreadState::kNative;
  }
  // Whether a thread in this state (ART's number) has all its managed frames linked.
  bool IsOutsideManagedCode(uint8_t thread_state) const {
    const model::ThreadState state = facts_.layout->state_name(thread_state);
    return state != model::ThreadState::kRunnable && state != model::ThreadState::kUnknown;
  }

  // Time of the started message that it waited for monitors, by its samples.
  int64_t BlockedNs() const;
  // When `thread` (art::Thread*) is blocked on a monitor by the last sample, looks who holds it,
  // and counts the time for it since the sample before, or since the last look.
  void NoteLockHolder(uintptr_t thread);
  // Who held the started message's monitors for longest, and each wait for one.
  history::LockHolder LongestHolder() const { return holders_.Longest(); }
  std::span<const model::LockWait> LockWaits() const { return holders_.stretches(); }
  // The stage in which most of the started message's time went; kNone when it is no frame.
  model::FrameStage Stage() const { return history::StageOf(tree_, frame_table_); }

  // The started segment's kind and method.
  model::Segment NameOfSegment(uint32_t around) const {
    return history::NameOfSegment(tree_, frame_table_, around);
  }

  Token token() const { return tree_.token(); }
  // Of the newest sample; before the first one where the message began.
  uint64_t last_wall_ns() const { return last_wall_ns_; }
  const model::TraceTree& running() const { return tree_; }
  const std::vector<std::unique_ptr<dump::EncodedTree>>& kept() const { return kept_; }
  bool HasKept(Token token) const;

  // Adds the frames of the running tree and of as many of the kept ones as fit, newest first, to
  // `live`, before a sweep. A running tree that does not fit is halved; a kept one is dropped with
  // those before it.
  void KeepFrames(const NameShares& shares, model::LiveNames* live);
  // After a sweep.
  void ForgetIds() { names_.ForgetIds(); }
  size_t memory_bytes() const;

 private:
  std::string TextOf(model::FrameId id) const;
  void AddStack(const core::RawSample& sample);
  // Where the stack at hand lacks frames in its middle, and how many.
  struct DeepMark {
    size_t place = SIZE_MAX;
    uint32_t missing = 0;
  };
  void ShortenStack(const DeepMark& mark);
  // Of the stack at hand, for which ART's state is `state`.
  model::ThreadState StateOf(model::ThreadState state) const;
  model::Sample SampleAt(uint64_t wall_ns, uint64_t cpu_ns, model::ThreadState state);
  void DropOldest();

  TreeLimits limits_;
  const walk::RuntimeFacts& facts_;
  const model::FrameTable& frame_table_;
  names::MethodNames names_;
  native::NativeFrames& native_;
  dump::Writer& writer_;
  model::TraceTree tree_;
  uint64_t start_ns_ = 0;
  uint64_t start_cpu_ns_ = 0;
  uint64_t last_wall_ns_ = 0;
  uint64_t not_blocked_ns_ = 0;  // until then the thread was not blocked, or its holder is noted
  history::LockHolders holders_;
  const art::WaitReader* waits_ = nullptr;
  model::ThreadState last_state_ = model::ThreadState::kUnknown;
  std::vector<model::FrameId> stack_;
  std::vector<std::unique_ptr<dump::EncodedTree>> kept_;  // oldest first
  size_t kept_bytes_ = 0;
};

}  // namespace stillframe::sampling
