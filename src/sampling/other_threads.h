// SPDX-License-Identifier: Apache-2.0
// The activity of other threads while the main thread waits in a long message: the thread that can
// end the wait, the one that this thread waits for, and those that use most CPU.
//
// The collector looks at each 10 times a second at most (see thread_look.h), and makes a tree of
// its stacks. A thread that runs answers a signal of its own CPU clock; one that does not run is
// read from outside, so no system call is interrupted. Threads that block SIGPROF are counted,
// without a stack.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "src/art/thread_list.h"
#include "src/art/wait_reader.h"
#include "src/core/message_slot.h"
#include "src/core/stack_requests.h"
#include "src/dump/writer.h"
#include "src/model/frame_table.h"
#include "src/model/other_thread.h"
#include "src/model/trace_tree.h"
#include "src/native/native_frames.h"
#include "src/sampling/thread_look.h"
#include "src/sampling/tree_builder.h"
#include "src/tap/watched_loopers.h"

namespace stillframe::sampling {

class OtherThreads {
 public:
  // Followed from this much waiting on. The message's rest is then most of a wait that matters.
  static constexpr uint64_t kWaitedNs = 250'000'000;
  static constexpr uint64_t kLookEveryNs = 100'000'000;
  static constexpr size_t kMostByCpu = 3;
  static constexpr size_t kMostThreads = 8;         // of one message
  static constexpr size_t kMostBytes = 128 * 1024;  // of all ended messages' trees

  // All must outlive this.
  struct Setup {
    ThreadLook::Setup look;
    art::WaitReader* waits;
    TreeBuilder* trees;  // of the main thread
    native::NativeFrames* native;
    dump::Writer* writer;
    tap::WatchedLoopers* tokens;
    uint32_t max_depth;
  };
  void Start(const Setup& setup);
  bool is_started() const { return is_started_; }

  // Follows the main thread's message. `last_end_ns`: when its last message ended.
  // `interval_scale`: how much rarer than usual the profiler samples; 0: not at all, and what is
  // known of the message stays. Returns nanoseconds until the next look; UINT64_MAX: none is due.
  uint64_t Tick(const core::RunningMessage& running, uint64_t last_end_ns, uint64_t now_ns,
                uint64_t interval_scale);
  // No message is followed any more, and none until Tick.
  void Stop();

  // The rows of all messages whose trees are kept, and of the running one.
  std::vector<model::OtherThread> Describe() const;
  // Their trees; those of the running message are encoded into `*running`.
  std::vector<const dump::EncodedTree*> Trees(
      std::vector<std::unique_ptr<dump::EncodedTree>>* running) const;

  // Before a sweep of names: adds the frames of the trees, as many as fit, to `live`.
  void KeepFrames(uint32_t most_percent, model::LiveNames* live);
  size_t memory_bytes() const;

 private:
  struct Followed {
    art::RuntimeThread thread;
    model::OtherThread row;
    model::TraceTree tree;
    uint64_t cpu_ns = 0;         // at the first look
    uint64_t begin_ns = 0;       // from which on the next stack counts
    uint32_t slot = UINT32_MAX;  // of its open request; UINT32_MAX: none
  };
  struct Usage {
    art::RuntimeThread thread;
    uint64_t begin_cpu_ns;  // when it was first seen during the message
    uint64_t cpu_ns;
  };
  struct Ended {
    std::vector<model::OtherThread> rows;
    std::vector<std::unique_ptr<dump::EncodedTree>> trees;
  };

  void Begin(const core::RunningMessage& running, uint64_t now_ns);
  void End(uint64_t end_ns);
  void LookAtAll(uint64_t now_ns);
  void ReadUsage();
  void FollowWaits(uint64_t now_ns);
  void FollowCpu(uint64_t now_ns);
  int32_t WaitsFor(const art::RuntimeThread& thread);
  const art::RuntimeThread* Find(int32_t tid) const;
  void Follow(const art::RuntimeThread& thread, model::ThreadRole role, uint64_t now_ns);
  void Look(Followed* followed, uint64_t now_ns);
  void Ask(Followed* followed);
  void TakeAnswer(Followed* followed, uint64_t now_ns);
  void EndRequest(Followed* followed);
  void Add(const core::StackRequests::Stack& stack, std::string_view kernel_call, uint64_t now_ns,
           Followed* followed);
  void DropOldest();

  Setup setup_ = {};
  ThreadLook look_;
  bool is_started_ = false;
  core::RunningMessage message_ = {};  // the followed one
  uint64_t next_ns_ = 0;               // of the next look
  uint64_t look_ns_ = 0;               // of the last look
  uint64_t main_cpu_ns_ = 0;           // then
  std::vector<art::RuntimeThread> threads_;
  std::vector<Usage> usage_;
  std::vector<Followed> followed_;
  std::vector<int32_t> due_;  // threads to look at in this round
  std::vector<core::RawFrame> walked_;
  StackRequest requests_[core::StackRequests::kHangSlots];
  std::vector<Ended> ended_;  // oldest first
  size_t ended_bytes_ = 0;
};

}  // namespace stillframe::sampling
