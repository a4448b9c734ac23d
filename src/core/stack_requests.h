// SPDX-License-Identifier: Apache-2.0
// Stacks of running threads on request, each taken by the thread itself.
//
// Problem: a running thread's stack can be walked by that thread only. A plain signal may find the
// thread asleep and would end the sleep.
// Rule: a one-shot timer on the thread's own CPU clock sends the signal, whose cookie identifies
// the request. The handler walks into the request's own buffer. A late signal finds its request
// withdrawn: cookies are not reused soon, and the interrupted stack must be that of the requested
// thread.
// Surviving risk: no signal comes while the thread gets no CPU.
// Context: Owns, Answer: signal. All else: collector, the only asker
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arch/arch.h"
#include "src/core/sample.h"
#include "src/core/stack_copies.h"

namespace stillframe::core {

// Writes the stack of `thread` to the sink, innermost frame first, and returns the thread's state
// number. `registers`: null for a thread blocked outside managed code. Must be async-signal-safe
// and bounded. Context: signal
using WalkFunction = uint8_t (*)(const void* walker, uintptr_t thread,
                                 const arch::Registers* registers, FrameSink* sink);

class StackRequests {
 public:
  static constexpr uint32_t kSurveySlots = 16;  // the first, of a dump's survey
  static constexpr uint32_t kHangSlots = 6;     // behind them, of other threads over a hang
  static constexpr uint32_t kLooperSlots = 4;   // of Loopers other than the main one
  static constexpr uint32_t kFirstLooperSlot = kSurveySlots + kHangSlots;
  static constexpr uint32_t kSlots = kFirstLooperSlot + kLooperSlots;

  // The thread to walk. Everything it names must stay valid until the request is withdrawn.
  struct Thread {
    const void* walker = nullptr;
    uintptr_t runtime_thread = 0;  // 0: the runtime does not know it, so nothing is walked
    uintptr_t stack_low = 0;
    uintptr_t stack_high = 0;
    bool wants_copy = false;  // of its stack; for slots from kFirstLooperSlot on
    uint32_t thread_words_at = 0;
    StackCopies::Watched watched = {};
  };

  // Sets the walk of all requests and the depth of their buffers. At start-up only.
  void Start(WalkFunction walk, uint32_t max_depth) {
    walk_ = walk;
    max_depth_ = max_depth;
  }

  // The cookie for the timer's signal. Null: the slot is in use, or memory for buffers is missing.
  // They are allocated once and never freed.
  void* Ask(uint32_t slot, const Thread& thread);

  struct Stack {
    const RawFrame* frames;  // innermost first; valid until the slot's next request
    uint32_t depth;
    uint8_t thread_state;
    Truncation truncation;

    // False for the runtime's own threads.
    bool HasManagedCode() const { return depth != 1 || truncation != Truncation::kNoFrames; }
  };
  // True if the thread has answered.
  bool Read(uint32_t slot, Stack* stack) const;
  // The copied stack of a thread that has answered; null: none. Valid as the frames.
  const StackCopy* CopyOf(uint32_t slot, const uintptr_t** words) const;
  // Frees the slot. False if the thread is answering at this moment.
  bool Withdraw(uint32_t slot);

  // Whether a timer's signal belongs to a request, including withdrawn ones.
  bool Owns(const void* cookie) const {
    const auto address = reinterpret_cast<uintptr_t>(cookie);
    const auto first = reinterpret_cast<uintptr_t>(cookies_);
    return address - first < sizeof cookies_;
  }
  void Answer(const void* cookie, const ucontext_t& context);

 private:
  static constexpr uint32_t kGenerations = 64;
  static constexpr uint32_t kCopiedWords = (64 << 10) / sizeof(uintptr_t);
  enum Phase : uint32_t { kFree = 0, kAsked = 1, kWalking = 2, kAnswered = 3 };

  struct Slot {
    // Generation * 4 + phase. The collector changes kFree to kAsked (release) and back to kFree.
    // The handler changes kAsked to kWalking (acquire) and kWalking to kAnswered (release).
    std::atomic<uint32_t> state{0};
    Thread thread;       // the collector's while kFree, the handler's from kWalking on
    uint32_t depth = 0;  // the handler's until kAnswered, as the two below
    uint8_t thread_state = 0;
    Truncation truncation = Truncation::kNone;
  };

  RawFrame* FramesOf(uint32_t slot) const { return frames_ + size_t{slot} * max_depth_; }
  uintptr_t* WordsOf(uint32_t slot) const {
    return words_ + size_t{slot - kFirstLooperSlot} * kCopiedWords;
  }
  bool HasFrames();
  bool HasWords();

  WalkFunction walk_ = nullptr;
  uint32_t max_depth_ = 0;
  RawFrame* frames_ = nullptr;      // of all slots; written before the first request (release)
  uintptr_t* words_ = nullptr;      // of copied stacks; written before the first of them (release)
  StackCopy copies_[kLooperSlots];  // like Slot::depth
  Slot slots_[kSlots];
  // Only their addresses are used.
  char cookies_[kSlots][kGenerations] = {};
};

}  // namespace stillframe::core
