// SPDX-License-Identifier: Apache-2.0
// The interrupted registers and a slice of the stack, copied beside a sample for the collector.
//
// Contract: as the ring of samples has it: one producer, the handler, and one consumer. A copy is
// taken after the sample's walk and before its Commit, so that whoever sees the sample finds the
// copy; `wall_ns` tells which sample a copy is of. A fixed number of slots, each for one copy; a
// copy for which there is no slot is dropped and counted, its sample is not. Off until Create:
// a sample costs one comparison more then.
// Context: Take: signal. Peek, Release: collector. Create: start-up only
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arch/arch.h"

namespace stillframe::core {

// Words of the runtime's thread that are copied along.
constexpr uint32_t kThreadWords = 3;

// Words that are copied from wherever the collector says.
constexpr uint32_t kWatchedWords = 5;

struct StackCopy {
  uint64_t wall_ns = 0;  // of the sample
  arch::UnwindRegisters registers = {};
  uintptr_t thread_words[kThreadWords] = {};
  uintptr_t begin = 0;  // where on the stack the first of `bytes` was
  uint32_t bytes = 0;
  uintptr_t watched_at = 0;  // 0: they could not be read, nothing led there, nothing was watched
  uintptr_t watched[kWatchedWords] = {};
};

class StackCopies {
 public:
  static constexpr uint32_t kSlots = 16;
  // Below the stack pointer functions that call nobody may use so much (System V ABI, AMD64
  // supplement, 3.2.2).
  static constexpr uint32_t kRedZoneBytes = 128;

  struct Setup {
    uint32_t bytes = 0;  // of the stack, for each copy; a multiple of a word's
    uintptr_t stack_low = 0;
    uintptr_t stack_high = 0;
    uint32_t thread_words_at = 0;  // offset in the runtime's thread
  };
  // False when the memory cannot be had. It is never given back: a handler may come late.
  bool Create(const Setup& setup);
  bool is_on() const { return copies_ != nullptr; }

  // Copies from the stack pointer outwards, at most setup.bytes.
  void Take(uint64_t wall_ns, const ucontext_t& context, uintptr_t thread);

  // Words that stand at `address` while the word at `lead` is that address: what was freed may
  // stand there as before. Address 0: none.
  struct Watched {
    uintptr_t address;
    uintptr_t lead;
  };
  // Each copy from now on has them, as they are then.
  void Watch(const Watched& watched) {
    watched_at_.store(watched.address, std::memory_order_relaxed);
    watched_lead_.store(watched.lead, std::memory_order_relaxed);
  }
  // Copies them now.
  static void CopyWatched(const Watched& watched, StackCopy* copy);

  // The oldest copy, and its bytes; null when there is none. Valid until Release.
  const StackCopy* Peek(const uintptr_t** words) const;
  void Release();

 private:
  bool Fill(const ucontext_t& context, uintptr_t thread, StackCopy* copy, uintptr_t* words);
  uintptr_t* WordsOf(uint64_t number) const {
    return words_ + number % kSlots * (setup_.bytes / sizeof(uintptr_t));
  }

  Setup setup_;
  StackCopy* copies_ = nullptr;  // kSlots of them; written before the first signal
  uintptr_t* words_ = nullptr;
  // Copies so far. head_: written by the handler (release, pairs with Peek's acquire). tail_:
  // written by the collector (release, pairs with Take's acquire).
  std::atomic<uint64_t> head_{0};
  std::atomic<uint64_t> tail_{0};
  // Written by the collector, read by the handler, each for itself: a mixture leads nowhere.
  std::atomic<uintptr_t> watched_at_{0};
  std::atomic<uintptr_t> watched_lead_{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(std::atomic<uintptr_t>::is_always_lock_free);
};

}  // namespace stillframe::core
