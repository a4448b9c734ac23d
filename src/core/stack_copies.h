// SPDX-License-Identifier: Apache-2.0
// The interrupted registers and a slice of the stack, copied with a sample for the collector.
//
// Contract: one producer, the handler, and one consumer, as in the ring of samples. A copy is taken
// after the sample's walk and before its Commit, so it exists before its sample is visible.
// `wall_ns` identifies the sample. Each copy takes one of a fixed number of slots, and words of a
// ring. Without a free slot or enough words the copy is dropped and counted; the sample is kept.
// Off until Create: then it costs a sample one comparison.
// Context: Take: signal. Peek, Release: collector. Create: start-up only
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arch/arch.h"

namespace stillframe::core {

// Number of words copied from the runtime's thread structure.
constexpr uint32_t kThreadWords = 3;

// Number of words copied from an address that the collector chooses.
constexpr uint32_t kWatchedWords = 5;

struct StackCopy {
  uint64_t wall_ns = 0;  // of the sample
  arch::UnwindRegisters registers = {};
  uintptr_t thread_words[kThreadWords] = {};
  uintptr_t begin = 0;  // stack address of the first byte
  uint32_t bytes = 0;
  uint64_t words_at = 0;     // number of its first word among all that were ever put into the ring
  uintptr_t watched_at = 0;  // 0: not watched, `lead` did not match, or unreadable
  uintptr_t watched[kWatchedWords] = {};
};

class StackCopies {
 public:
  static constexpr uint32_t kSlots = 16;
  // Bytes below the stack pointer that leaf functions may use (System V ABI, AMD64 supplement,
  // 3.2.2).
  static constexpr uint32_t kRedZoneBytes = 128;

  struct Setup {
    uint32_t bytes = 0;       // most stack bytes of a copy; a multiple of a word
    uint32_t ring_bytes = 0;  // of all copies; a multiple of a word, at least twice `bytes`
    uintptr_t stack_low = 0;
    uintptr_t stack_high = 0;
    uint32_t thread_words_at = 0;  // offset in the runtime's thread structure
  };
  // False without enough memory. The memory is never freed: a handler may come late.
  bool Create(const Setup& setup);
  bool is_on() const { return copies_ != nullptr; }

  // Copies from the stack pointer outwards, at most setup.bytes.
  void Take(uint64_t wall_ns, const ucontext_t& context, uintptr_t thread);

  // Words at `address`, copied only while `*lead == address`, because freed memory may keep its old
  // contents. Address 0: none.
  struct Watched {
    uintptr_t address;
    uintptr_t lead;
  };
  // From now on each copy includes these words, read at that time.
  void Watch(const Watched& watched) {
    watched_at_.store(watched.address, std::memory_order_relaxed);
    watched_lead_.store(watched.lead, std::memory_order_relaxed);
  }
  // Copies the watched words now.
  static void CopyWatched(const Watched& watched, StackCopy* copy);

  // One copy, into `words`, of the stack of the calling thread. Without `thread_words_at` those are
  // null. Its `bytes` are 0 if that fails.
  // Context: signal
  struct Source {
    uintptr_t thread_words_at;
    uintptr_t stack_low;
    uintptr_t stack_high;
    Watched watched;
  };
  static void CopyOnce(const ucontext_t& context, const Source& source, uint32_t most_words,
                       uintptr_t* words, StackCopy* copy);

  // The oldest copy and its words; null: none. Valid until Release.
  const StackCopy* Peek(const uintptr_t** words) const;
  void Release();

 private:
  bool Fill(const ucontext_t& context, uintptr_t thread, StackCopy* copy);
  bool FindWords(uint64_t count, StackCopy* copy) const;
  uintptr_t* WordsAt(uint64_t number) const { return words_ + number % ring_words_; }

  Setup setup_;
  StackCopy* copies_ = nullptr;  // kSlots of them; written before the first signal
  uintptr_t* words_ = nullptr;   // ring_words_ of them
  uint64_t ring_words_ = 1;
  uint64_t next_word_ = 0;  // first number that no copy has; the handler alone uses it
  // Copies so far. head_: written by the handler (release, pairs with Peek's acquire). tail_:
  // written by the collector (release, pairs with Take's acquire).
  std::atomic<uint64_t> head_{0};
  std::atomic<uint64_t> tail_{0};
  // First word still in use. Written by the collector before tail_ (release), read by the handler
  // (acquire).
  std::atomic<uint64_t> first_word_{0};
  // Written by the collector, read by the handler, without order: with a mixed pair the comparison
  // with `lead` fails.
  std::atomic<uintptr_t> watched_at_{0};
  std::atomic<uintptr_t> watched_lead_{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(std::atomic<uintptr_t>::is_always_lock_free);
};

}  // namespace stillframe::core
