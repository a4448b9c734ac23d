// SPDX-License-Identifier: Apache-2.0
// What a watched thread wrote to the trace marker last.
//
// Contract: one writer, the thread itself; a signal's handler that writes while it does is counted
// and left out. The newest texts are kept, the oldest written over. Whoever reads takes a copy and
// leaves out what was written over meanwhile: the thread never waits. A text takes one to four
// cells; what is longer is cut. Memory is never given back, so a thread that comes late still finds
// it.
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

  // False when the memory cannot be had.
  bool Create();

  void Write(uint64_t now_ns, std::string_view text);

  // Of a text that was written ("B|4711|name") and when, by CLOCK_MONOTONIC.
  using Use = void (*)(void* argument, uint64_t at_ns, std::string_view text);
  // Calls it for those that are there, oldest first. Returns how many were written in all.
  uint64_t Read(Use use, void* argument) const;

  // Texts that were left out.
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kWords = 8;
  // Word 0: twice the cell's number plus one, and 1 if a text begins here; 0 while it is written.
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
  // All three written by the thread; head_ with release, for the acquire of Read.
  std::atomic<uint64_t> head_{0};  // cells, ever growing
  std::atomic<uint64_t> texts_{0};
  std::atomic<uint64_t> lost_{0};
  std::atomic<bool> is_writing_{false};
};

}  // namespace stillframe::tap
