// SPDX-License-Identifier: Apache-2.0
// Merges samples of the running message into its tree, and keeps trees of long messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/token.h>

#include "arch/arch.h"
#include "src/art/wait_reader.h"
#include "src/core/sample.h"
#include "src/core/stack_requests.h"
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
  uint32_t max_kept;      // newest messages
  uint64_t budget_bytes;  // of all kept trees; the oldest are dropped first
};

// Limits of LiveNames::percent.
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

  // Reads the classes of monitors' objects; without it they are unknown. Must outlive this.
  void SetWaits(const art::WaitReader* waits) { waits_ = waits; }

  // Whether `raw` is of this method.
  bool IsMethod(const core::RawFrame& raw, std::string_view class_name,
                std::string_view method_name);

  // Applies to kept trees when the next one is kept.
  void SetLimits(const TreeLimits& limits) { limits_ = limits; }

  // Begins the tree of a message. Discards an unfinished one.
  void Start(Token token, uint64_t start_ns, uint64_t start_cpu_ns);

  // Adds a sample of the started message. frame(i): its managed frames, innermost first. `native`:
  // native frames to insert between them. `kernel_call`: what it waits for in the kernel; "":
  // nothing known.
  template <typename FrameAt>
  void Add(const core::RawSample& sample, const FrameAt& frame,
           std::span<const native::MixedFrame> native = {}, std::string_view kernel_call = {}) {
    FillStack(sample.depth, frame, native, kernel_call, tree_.max_depth());
    AddStack(sample);
  }
  // Another thread's stack, outermost frame first, for a tree of this depth. Valid until the next
  // call.
  std::span<const model::FrameId> Resolve(const core::StackRequests::Stack& stack,
                                          std::span<const native::MixedFrame> native,
                                          std::string_view kernel_call, uint32_t max_depth) {
    const auto frame = [&stack](uint32_t i) { return stack.frames[i]; };
    FillStack(stack.HasManagedCode() ? stack.depth : 0, frame, native, kernel_call, max_depth);
    return stack_;
  }
  // "com.foo.Sync.run(Sync.java:17) < ...", in the order of `frames`.
  std::string TextOf(std::span<const core::RawFrame> frames);
  // Stack of the newest sample: "com.foo.Sync.run(Sync.java:17)\n...", innermost frame first, as
  // many as fit into `max_bytes`; "" without a sample.
  std::string NewestStack(size_t max_bytes) const;
  // The thread has not run since the last sample, or too briefly for another stack.
  void AddRepeat(uint64_t wall_ns, uint64_t cpu_ns);

  // The thread was in a page fault, and moved while it was walked: the newest sample's place is
  // near. Nothing without a sample.
  void AddPageFault(uint64_t wall_ns, uint64_t cpu_ns);

  // Keeps the tree of an ended message of another thread, if it was long enough.
  void Keep(const model::TraceTree& tree, uint64_t wall_ns);
  // Ends the started message, and keeps its tree if it was long enough.
  void Finish(uint64_t end_ns);

  bool IsInNativeCode(uint8_t thread_state) const {
    return facts_.layout->state_name(thread_state) == model::ThreadState::kNative;
  }
  // Whether a thread in this ART state has all its managed frames linked.
  bool IsOutsideManagedCode(uint8_t thread_state) const {
    const model::ThreadState state = facts_.layout->state_name(thread_state);
    return state != model::ThreadState::kRunnable && state != model::ThreadState::kUnknown;
  }

  // The same, of `thread` (art::Thread*) now.
  bool IsNowOutsideManagedCode(uintptr_t thread) const {
    uint8_t state = 0;
    return thread != 0 && arch::GuardedLoad8(thread + facts_.layout->thread_state, &state) &&
           IsOutsideManagedCode(state);
  }

  // Time of the started message spent waiting for monitors, by its samples; -1: no samples.
  int64_t BlockedNs() const;
  // If the last sample shows `thread` (art::Thread*) blocked on a monitor: finds its owner, and
  // counts the time since the previous sample or call for it.
  void NoteLockHolder(uintptr_t thread);
  // Longest owner of the started message's monitors, and each of its waits.
  history::LockHolder LongestHolder() const { return holders_.Longest(); }
  std::span<const model::LockWait> LockWaits() const { return holders_.stretches(); }
  // Stage with most of the started message's time; kNone: not a frame.
  model::FrameStage Stage() const { return history::StageOf(tree_, frame_table_); }

  // Kind and method of the started segment.
  model::Segment NameOfSegment(uint32_t around) const {
    return history::NameOfSegment(tree_, frame_table_, around);
  }

  const walk::RuntimeFacts& facts() const { return facts_; }
  Token token() const { return tree_.token(); }
  // Time of the newest sample; before the first, the start of the message.
  uint64_t last_wall_ns() const { return last_wall_ns_; }
  const model::TraceTree& running() const { return tree_; }
  const std::vector<std::unique_ptr<dump::EncodedTree>>& kept() const { return kept_; }
  bool HasKept(Token token) const;

  // Before a sweep: adds the frames of the running tree, and of as many kept trees as fit, newest
  // first, to `live`. A running tree that does not fit is halved. A kept one that does not fit is
  // dropped with all older ones.
  void KeepFrames(const NameShares& shares, model::LiveNames* live);
  // Call after a sweep.
  void ForgetIds() { names_.ForgetIds(); }
  uint64_t bad_methods() const { return names_.bad_methods(); }
  size_t memory_bytes() const;

 private:
  std::string TextOf(model::FrameId id) const;
  void AddStack(const core::RawSample& sample);
  // Where the current stack lacks frames, and how many.
  struct DeepMark {
    size_t place = SIZE_MAX;
    uint32_t missing = 0;
  };
  void ShortenStack(const DeepMark& mark, uint32_t max_depth);
  // The current stack, outermost frame first; see Add.
  template <typename FrameAt>
  void FillStack(uint32_t depth, const FrameAt& frame, std::span<const native::MixedFrame> native,
                 std::string_view kernel_call, uint32_t max_depth) {
    stack_.clear();
    if (!kernel_call.empty()) stack_.push_back(native_.KernelFrame(kernel_call));
    model::FrameId ids[names::MethodNames::kMaxFrames];
    DeepMark mark;
    const auto add_managed = [&](uint32_t i) {
      const core::RawFrame raw = frame(i);
      if (core::IsDeepMark(raw)) mark = {stack_.size(), raw.dex_pc};
      const uint32_t count = names_.Resolve(raw, ids);
      stack_.insert(stack_.end(), ids, ids + count);
    };
    native_.Merge(native, depth, add_managed, [this](model::FrameId id) { stack_.push_back(id); });
    ShortenStack(mark, max_depth);
    std::reverse(stack_.begin(), stack_.end());
  }
  // State of the current stack, from ART's `state`.
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
  uint64_t not_blocked_ns_ = 0;  // until then not blocked, or already counted
  history::LockHolders holders_;
  const art::WaitReader* waits_ = nullptr;
  model::ThreadState last_state_ = model::ThreadState::kUnknown;
  std::vector<model::FrameId> stack_;
  std::vector<std::unique_ptr<dump::EncodedTree>> kept_;  // oldest first
  size_t kept_bytes_ = 0;
};

}  // namespace stillframe::sampling
