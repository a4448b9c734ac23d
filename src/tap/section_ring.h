// SPDX-License-Identifier: Apache-2.0
// The newest trace marker texts of a watched thread.
//
// Contract: one writer, the thread itself. A write from its signal handler during a write is
// counted and dropped. The newest texts overwrite the oldest. Readers copy, and drop what was
// overwritten meanwhile; the thread never waits. A text takes one to four cells; a longer one is
// cut. Memory is never freed, since the thread may still use it.
// Context: Write: watched thread. Create, Read: collector
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stillframe::tap {

class SectionRing {
 public:
  static constexpr uint32_t kCells = 4096;
  static constexpr size_t kMaxText = 208;

  // False if there is no memory.
  bool Create();

  void Write(uint64_t now_ns, std::string_view text);

  // Receives a text as written ("B|4711|name") and its time (CLOCK_MONOTONIC).
  using Use = void (*)(void* argument, uint64_t at_ns, std::string_view text);
  // Calls `use` for each text, oldest first. Returns the number ever written.
  uint64_t Read(Use use, void* argument) const;

  // Texts dropped.
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kWords = 8;
  // Word 0: twice the cell's number plus one, plus 1 if a text begins here; 0 while being written.
  // A first cell has time and length before its characters.
  struct Cell {
    std::atomic<uint64_t> words[kWords];
  };
  static constexpr size_t kFirstBytes = (kWords - 3) * sizeof(uint64_t);
  static constexpr size_t kNextBytes = (kWords - 1) * sizeof(uint64_t);
  static_assert(kMaxText == kFirstBytes + 3 * kNextBytes);
  static_assert((kCells & (kCells - 1)) == 0);
  static_assert(std::atomic<uint64_t>::is_always_lock_free);

  void Put(uint64_t number, uint64_t tag, const uint64_t (&payload)[kWords - 1]);
  bool Copy(uint64_t number, uint64_t (&words)[kWords]) const;

  Cell* cells_ = nullptr;
  // All written by the thread; head_ with release, for the acquire in Read.
  std::atomic<uint64_t> head_{0};  // cells written, ever growing
  std::atomic<uint64_t> texts_{0};
  std::atomic<uint64_t> lost_{0};
  std::atomic<bool> is_writing_{false};
};

}  // namespace stillframe::tap
