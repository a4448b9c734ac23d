// SPDX-License-Identifier: Apache-2.0
// Stacks of running threads that were asked for once, each taken by the thread itself.
//
// Problem: a running thread can only be walked by itself, and a plain signal may meet it asleep,
// which ends its sleep. Rule: a one-shot timer on the thread's own CPU clock brings the signal, and
// the signal says by a cookie which request it is for; the handler walks into the request's own
// buffer. A signal that comes late finds its request withdrawn: cookies are not soon used again,
// and the interrupted stack must be that of the thread that was asked. Surviving risk: none comes
// while the thread gets no CPU.
// Context: Owns, Answer: signal. All else: collector, the only asker
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arch/arch.h"
#include "src/core/sample.h"

namespace stillframe::core {

// Leaves the stack of `thread` in the sink, innermost frame first, and returns the thread's state
// number. `registers` is null for a thread that stands still outside managed code. Must be
// async-signal-safe and bounded. Context: signal
using WalkFunction = uint8_t (*)(const void* walker, uintptr_t thread,
                                 const arch::Registers* registers, FrameSink* sink);

class StackRequests {
 public:
  static constexpr uint32_t kSlots = 16;

  // Whose stack is asked for. All that it names must stay until the request is withdrawn.
  struct Thread {
    const void* walker = nullptr;
    uintptr_t runtime_thread = 0;
    uintptr_t stack_low = 0;
    uintptr_t stack_high = 0;
  };

  // The walk of all requests, and the depth of their buffers. At start-up only.
  void Start(WalkFunction walk, uint32_t max_depth) {
    walk_ = walk;
    max_depth_ = max_depth;
  }

  // The value that the timer's signal must carry; null when the slot is in use or there is no
  // memory for buffers, which is had once and never given back.
  void* Ask(uint32_t slot, const Thread& thread);

  struct Stack {
    const RawFrame* frames;  // innermost first; valid until the slot is asked for again
    uint32_t depth;
    uint8_t thread_state;
    Truncation truncation;
  };
  // True when the thread has answered.
  bool Read(uint32_t slot, Stack* stack) const;
  // The slot is free again, unless the thread is in its answer at this very moment: then false.
  bool Withdraw(uint32_t slot);

  // Whether a timer's signal is for one of the requests, also a withdrawn one.
  bool Owns(const void* cookie) const {
    const auto address = reinterpret_cast<uintptr_t>(cookie);
    const auto first = reinterpret_cast<uintptr_t>(cookies_);
    return address - first < sizeof cookies_;
  }
  void Answer(const void* cookie, const ucontext_t& context);

 private:
  static constexpr uint32_t kGenerations = 64;
  enum Phase : uint32_t { kFree = 0, kAsked = 1, kWalking = 2, kAnswered = 3 };

  struct Slot {
    // Generation * 4 + phase. Asker: kFree to kAsked (release), back to kFree; handler: kAsked to
    // kWalking (acquire), kWalking to kAnswered (release).
    std::atomic<uint32_t> state{0};
    Thread thread;       // the asker's while kFree, the handler's from kWalking on
    uint32_t depth = 0;  // the handler's until kAnswered, as all below
    uint8_t thread_state = 0;
    Truncation truncation = Truncation::kNone;
  };

  RawFrame* FramesOf(uint32_t slot) const { return frames_ + size_t{slot} * max_depth_; }
  bool HasFrames();

  WalkFunction walk_ = nullptr;
  uint32_t max_depth_ = 0;
  RawFrame* frames_ = nullptr;  // of all slots; written before the first request (release)
  Slot slots_[kSlots];
  // Only their addresses count.
  char cookies_[kSlots][kGenerations] = {};
};

}  // namespace stillframe::core
