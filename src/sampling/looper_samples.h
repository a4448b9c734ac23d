// SPDX-License-Identifier: Apache-2.0
// Samples of slow messages on Loopers other than the main one, by looks from the collector (see
// thread_look.h): as often as the main thread is sampled, on at most four threads at a time. Each
// message has a tree of its own. Costs the main thread nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <stillframe/token.h>

#include "src/core/message_slot.h"
#include "src/core/sampler.h"
#include "src/core/stack_requests.h"
#include "src/dump/writer.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"
#include "src/native/native_frames.h"
#include "src/sampling/thread_look.h"
#include "src/sampling/tree_builder.h"

namespace stillframe::sampling {

class LooperSamples {
 public:
  static constexpr uint32_t kMostThreads = core::StackRequests::kLooperSlots;

  // All must outlive this.
  struct Setup {
    ThreadLook::Setup look;
    TreeBuilder* trees;  // keeps the trees of ended messages
    native::NativeFrames* native;
    dump::Writer* writer;
    uint32_t max_depth;
    uint64_t slow_ns;  // a message this long is slow
  };
  void Start(const Setup& setup);

  // A message of this thread is slow: looks at the thread. Does nothing if four others were
  // followed when the message became slow.
  void Look(const core::WatchedThread& thread, const core::RunningMessage& message,
            uint64_t now_ns);
  // Its message has ended. Returns how many samples it has.
  uint32_t End(Token token, uint64_t end_ns);

  // The tree of a message until End; null: it has no samples.
  const model::TraceTree* TreeOf(Token token) const;
  // Samples of a running message so far.
  uint32_t SamplesOf(Token token) const;
  void EncodeRunning(std::vector<std::unique_ptr<dump::EncodedTree>>* trees) const;
  // Before a sweep of names: adds the frames of the running trees to `live`. Drops those that do
  // not fit into this share of the table.
  void KeepFrames(uint32_t most_percent, model::LiveNames* live);

 private:
  struct Followed {
    StackThread thread;  // tid 0: free
    uint64_t start_ns = 0;
    uint64_t start_cpu_ns = 0;
    uint64_t last_ns = 0;  // until then the tree covers the message
    model::TraceTree tree;
    StackRequest request;
  };

  Followed* Find(const core::WatchedThread& thread, const core::RunningMessage& message,
                 uint64_t now_ns);
  void Add(const ThreadLook::Mixed& mixed, uint64_t now_ns, Followed* followed);
  uintptr_t AddressOf(const core::WatchedThread& thread) const;
  static void Forget(Followed* followed);
  bool MayRead(uint64_t now_ns);

  Setup setup_ = {};
  ThreadLook look_;
  bool is_started_ = false;
  bool may_read_ = false;  // at the last check
  uint64_t checked_ns_ = 0;
  std::vector<core::RawFrame> walked_;  // empty before the first slow message
  Followed followed_[kMostThreads];
};

}  // namespace stillframe::sampling
