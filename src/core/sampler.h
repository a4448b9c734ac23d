// SPDX-License-Identifier: Apache-2.0
// The SIGPROF side of sampling: one watched thread, one ring, one handler.
//
// The sampler does not know the runtime: the walker is a function fixed before the first signal.
// The handler takes samples. A blocked thread is walked by the collector (WalkBlocked),
// without a signal.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <stillframe/token.h>

#include "arch/arch.h"
#include "src/core/guarded_memory.h"
#include "src/core/message_slot.h"
#include "src/core/sample.h"
#include "src/core/sample_ring.h"
#include "src/core/stack_copies.h"
#include "src/core/stack_requests.h"

namespace stillframe::core {

struct WatchedThread {
  int32_t tid = 0;
  // The runtime's own thread structure, known from the first message on. Written by the watched
  // thread (release), read by handler and collector (acquire).
  std::atomic<uintptr_t> runtime_thread{0};
  // Bounds of the stack of a thread with a heartbeat; 0: the runtime knows them. Written before the
  // collector knows the thread.
  uintptr_t stack_low = 0;
  uintptr_t stack_high = 0;
  // The segment to sample while no message runs; kNone: none. Written by the collector, read by the
  // handler (both relaxed: it guards nothing).
  std::atomic<Token> segment{Token::kNone};
  MessageSlot message;
};

class Sampler {
 public:
  struct Setup {
    WalkFunction walk;
    const void* walker;
    WatchedThread* thread;
    uint64_t slow_ns;  // samples of younger messages are dropped
    uint32_t max_depth;
    size_t ring_bytes;
    SigactionFunction kernel_sigaction;
    StackCopies* copies = nullptr;  // copies of each sample's stack; null: none
  };

  // Installs the SIGPROF handler, once per process. Returns 0 or errno. Context: start-up only
  int Start(const Setup& setup);

  // From now on samples are dropped. Waits until no handler takes a sample, at most 100 ms; true
  // if none does. Stack requests continue. The handler stays installed, since the default action of
  // a queued SIGPROF would kill the process. Context: any thread but the watched one
  bool Stop();
  // True if it was stopped. A call before Start takes effect at Start.
  bool Resume();
  // The handler has faulted so often that sampling is off until the process ends.
  bool is_broken() const { return (gate_.load(std::memory_order_seq_cst) & kBroken) != 0; }
  static uint32_t handler_faults();
  // The watched thread's alternate signal stack, on which the handler runs, is so small that
  // sampling is off until the process ends: its bytes, and those of the kernel's frame on it. Bytes
  // 0: it is large enough, or was not used.
  struct SmallStack {
    uint32_t bytes;
    uint32_t frame_bytes;
  };
  SmallStack small_stack() const {
    const bool is_too_small = (gate_.load(std::memory_order_seq_cst) & kCramped) != 0;
    return is_too_small ? small_stack_ : SmallStack{};
  }
  bool enabled() const { return gate_.load(std::memory_order_seq_cst) == kStarted; }

  // Whether the calling thread takes a sample in the SIGPROF handler; for nested handlers. Stack
  // requests do not count.
  // Context: signal
  static bool IsInHandler();

  // Handles a fault at `context`. If the fault is inside the SIGPROF handler and the kernel called
  // that handler, the handler ends at once, without a sample. The thread continues where SIGPROF
  // interrupted it.
  // Context: signal
  static bool LeaveHandler(ucontext_t* context);

  // Address of the kernel's present SIGPROF handler; 0: ours. SIG_DFL and SIG_IGN give
  // kNoHandler. Context: collector
  uintptr_t ForeignHandler() const;
  static constexpr uintptr_t kNoHandler = 1;

  // Installs our handler again where no handler is set. Foreign signals are still forwarded to the
  // handler found by Start. Context: collector
  void InstallAgain() const;

  // Timer values by which our signals are recognised. Only signals with the cookie last passed to
  // SetCpuClockBase are sampled; the other's are left over from an earlier arming. Before the first
  // call cookie() is valid.
  void* cookie() { return this; }
  void* other_cookie() { return &other_; }

  // Base of the thread's CPU clock for timer arithmetic, which saves the handler a system call. The
  // collector sets base and interval when it arms the timer of that cookie; the handler counts
  // expirations.
  void SetCpuClockBase(uint64_t base_ns, uint64_t interval_ns, const void* cookie);

  // Walks one stack without a signal, for a blocked thread. Context: collector
  uint8_t WalkBlocked(RawFrame* frames, uint32_t limit, uint32_t* depth,
                      Truncation* truncation) const;

  // Stacks of threads other than the watched one; see StackRequests. Context: collector
  void* AskForStack(uint32_t slot, const StackRequests::Thread& thread) {
    return stack_requests_.Ask(slot, thread);
  }
  bool ReadStack(uint32_t slot, StackRequests::Stack* stack) const {
    return stack_requests_.Read(slot, stack);
  }
  const StackCopy* StackCopyOf(uint32_t slot, const uintptr_t** words) const {
    return stack_requests_.CopyOf(slot, words);
  }
  bool WithdrawStack(uint32_t slot) { return stack_requests_.Withdraw(slot); }

  // The samples taken so far; see SampleRing. Context: collector
  bool Peek(RawSample* header) const { return ring_.Peek(header); }
  const RawFrame& FrameAt(uint32_t index) const { return ring_.FrameAt(index); }
  void Release(const RawSample& header) { ring_.Release(header); }
  size_t ring_bytes() const { return ring_.bytes(); }
  uint64_t samples() const { return samples_.load(std::memory_order_relaxed); }
  // Signals of our timer that reached the handler, sampled or not.
  uint64_t arrivals() const { return arrivals_.load(std::memory_order_relaxed); }
  uint64_t handler_ns() const { return handler_ns_.load(std::memory_order_relaxed); }

 private:
  bool IsOurs(const siginfo_t& info) const;
  static void OnSigprof(int signal, siginfo_t* info, void* context);
  void Take(const siginfo_t& info, const ucontext_t& context);
  void Record(RawSample* sample, const ucontext_t& context);
  void CountTime(uint64_t begin_ns);

  bool HasRoom(const ucontext_t& context);

  // First the members that each sample touches, in few cache lines.
  WalkFunction walk_ = nullptr;
  char other_ = 0;  // its address is the second cookie; must not be the first member
  const void* walker_ = nullptr;
  WatchedThread* thread_ = nullptr;
  uint64_t slow_ns_ = 0;
  uint32_t max_depth_ = 0;
  StackCopies* copies_ = nullptr;

  // Samples are taken only in state kStarted. The handler stays installed in the others: without it
  // a signal would kill the process. Written by Start, Stop, Resume and LeaveHandler, read by the
  // handler (all sequentially consistent), and by the handler.
  static constexpr uint8_t kStarted = 1, kStopped = 2, kBroken = 4, kCramped = 8;
  std::atomic<uint8_t> gate_{0};
  // Written by the handler and LeaveHandler; read by Stop and IsInHandler.
  std::atomic<bool> in_handler_{false};
  std::atomic<uint64_t> samples_{0};
  std::atomic<uint64_t> arrivals_{0};
  std::atomic<uint64_t> handler_ns_{0};
  // Skip samples until this time. If the handler outlasts the interval, SIGPROF is pending again on
  // return and the thread would starve.
  std::atomic<uint64_t> skip_until_ns_{0};
  // Cookie of the timer that is or was last armed. Written by the collector (release), read by the
  // handler (acquire).
  std::atomic<const void*> armed_cookie_{this};
  // Set by the collector while that timer is disarmed, advanced by the handler.
  std::atomic<uint64_t> next_expiry_cpu_ns_{0};
  std::atomic<uint64_t> interval_cpu_ns_{0};  // 0: not armed yet
  // Written by the handler; others read the last once kCramped is set.
  uint32_t cramped_in_a_row_ = 0;
  SmallStack small_stack_ = {};
  Token last_token_ = Token::kNone;  // of the last sample; the handler alone uses it
  SampleRing ring_;
  SigactionFunction kernel_sigaction_ = nullptr;
  struct sigaction previous_ = {};
  StackRequests stack_requests_;
};

}  // namespace stillframe::core
