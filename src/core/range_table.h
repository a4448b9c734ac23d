// SPDX-License-Identifier: Apache-2.0
// Rows by address range, changed by one thread while signal handlers look them up.
//
// Problem: a handler may interrupt a change and cannot wait, and a row is several words.
// Rule: each row has a sequence number, odd while the row is written. A reader accepts a copy only
// if the number was even and did not change. Otherwise it treats the row as missing. So a reader
// sees whole rows only, old or new, and never a row that was removed before. A sorted index makes a
// look-up logarithmic. It has a sequence number too; if it changes, the reader scans all rows.
// Surviving risk: a row that is being written is not found.
// Context: signal (Find), collector (all else, the only writer)
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace stillframe::core {

// `Range` begins with uintptr_t begin and uintptr_t end, exclusive.
template <typename Range, uint32_t kRows>
class RangeTable {
  static_assert(std::is_trivially_copyable_v<Range>);
  static_assert(sizeof(Range) % sizeof(uintptr_t) == 0);
  static_assert(std::has_unique_object_representations_v<Range>);

 public:
  // Finds the range that holds pc. Context: signal
  [[gnu::noinline]] bool Find(uintptr_t pc, Range* found) const {
    const uint32_t before = index_sequence_.load(std::memory_order_acquire);
    const uint32_t place = PlaceOf(pc);
    const bool is_found =
        place != 0 && rows_[index_[place - 1].row.load(std::memory_order_relaxed)].Read(found);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && index_sequence_.load(std::memory_order_relaxed) == before) [[likely]]
      return is_found && pc - found->begin < found->end - found->begin;
    return FindInAll(pc, found);
  }

  // Removes rows that overlap the range, since their contents are gone. If no row is free, replaces
  // the oldest one that was not added again lately.
  void Add(const Range& range) {
    Words words;
    memcpy(words.data(), &range, sizeof words);
    const uint32_t rows = used_rows_.load(std::memory_order_relaxed);
    uint32_t place = rows;
    for (uint32_t i = 0; i < rows; ++i) {
      Row& row = rows_[i];
      if (!row.IsFree() && row.Word(0) < words[1] && words[0] < row.Word(1)) {
        if (row.Holds(words)) {
          is_recent_[i] = true;
          return;
        }
        BeginChange();
        Remove(i);
      }
      if (row.IsFree()) place = i;
    }
    BeginChange();
    if (place == kRows) {
      place = TakeOldest();
      Remove(place);
    }
    rows_[place].Write(words);
    is_recent_[place] = false;
    if (place == rows) used_rows_.store(rows + 1, std::memory_order_release);
    Insert(place);
    EndChange();
  }

  // Removes the rows for which is_gone(range) is true.
  template <typename IsGone>
  void RemoveIf(const IsGone& is_gone) {
    const uint32_t rows = used_rows_.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < rows; ++i) {
      Range range;
      if (rows_[i].IsFree() || !rows_[i].Read(&range) || !is_gone(range)) continue;
      BeginChange();
      Remove(i);
      EndChange();
    }
  }

 private:
  static constexpr uint32_t kWords = sizeof(Range) / sizeof(uintptr_t);
  using Words = std::array<uintptr_t, kWords>;

  struct Row {
    std::atomic<uint32_t> sequence{0};
    std::atomic<uintptr_t> words[kWords] = {};

    bool Read(Range* range) const {
      const uint32_t before = sequence.load(std::memory_order_acquire);
      Words copy;
      for (uint32_t i = 0; i < kWords; ++i) copy[i] = words[i].load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (before % 2 != 0 || sequence.load(std::memory_order_relaxed) != before) return false;
      memcpy(static_cast<void*>(range), copy.data(), sizeof copy);
      return true;
    }
    void Write(const Words& from) {
      const uint32_t before = sequence.load(std::memory_order_relaxed);
      sequence.store(before + 1, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_release);
      for (uint32_t i = 0; i < kWords; ++i) words[i].store(from[i], std::memory_order_relaxed);
      sequence.store(before + 2, std::memory_order_release);
    }
    // Context: collector
    bool Holds(const Words& other) const {
      for (uint32_t i = 0; i < kWords; ++i)
        if (Word(i) != other[i]) return false;
      return true;
    }
    uintptr_t Word(uint32_t i) const { return words[i].load(std::memory_order_relaxed); }
    bool IsFree() const { return Word(1) == 0; }
  };

  // A row's place in the index.
  struct Entry {
    std::atomic<uintptr_t> begin{0};
    std::atomic<uint32_t> row{0};
  };

  // Number of entries that begin at or before pc. Terminates whatever the index holds.
  uint32_t PlaceOf(uintptr_t pc) const {
    uint32_t first = 0;
    for (uint32_t count = indexed_.load(std::memory_order_relaxed); count != 0;) {
      const uint32_t half = count / 2;
      if (index_[first + half].begin.load(std::memory_order_relaxed) <= pc) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first;
  }

  [[gnu::noinline]] bool FindInAll(uintptr_t pc, Range* found) const {
    const uint32_t rows = used_rows_.load(std::memory_order_acquire);
    for (uint32_t i = 0; i < rows; ++i) {
      const Row& row = rows_[i];
      const uintptr_t begin = row.words[0].load(std::memory_order_relaxed);
      if (pc - begin >= row.words[1].load(std::memory_order_relaxed) - begin) continue;
      if (row.Read(found) && pc - found->begin < found->end - found->begin) return true;
    }
    return false;
  }

  // The functions below are the writer's. Between BeginChange and EndChange the index's sequence
  // number is odd.
  void BeginChange() {
    index_sequence_.store(index_sequence_.load(std::memory_order_relaxed) | 1,
                          std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  }
  void EndChange() {
    index_sequence_.store((index_sequence_.load(std::memory_order_relaxed) | 1) + 1,
                          std::memory_order_release);
  }
  void SetEntry(uint32_t place, uintptr_t begin, uint32_t row) {
    index_[place].begin.store(begin, std::memory_order_relaxed);
    index_[place].row.store(row, std::memory_order_relaxed);
  }
  void CopyEntry(uint32_t to, uint32_t from) {
    SetEntry(to, index_[from].begin.load(std::memory_order_relaxed),
             index_[from].row.load(std::memory_order_relaxed));
  }
  [[gnu::noinline]] void Insert(uint32_t row) {
    const uint32_t place = PlaceOf(rows_[row].Word(0));
    const uint32_t count = indexed_.load(std::memory_order_relaxed);
    for (uint32_t i = count; i > place; --i) CopyEntry(i, i - 1);
    SetEntry(place, rows_[row].Word(0), row);
    indexed_.store(count + 1, std::memory_order_relaxed);
  }
  // Rows do not overlap: the last entry that begins at or before the row's begin is the row's own.
  [[gnu::noinline]] void Remove(uint32_t row) {
    const uint32_t count = indexed_.load(std::memory_order_relaxed) - 1;
    for (uint32_t i = PlaceOf(rows_[row].Word(0)) - 1; i < count; ++i) CopyEntry(i, i + 1);
    indexed_.store(count, std::memory_order_relaxed);
    rows_[row].Write({});
  }

  // The next row that was not added again since the hand last passed it. A row that was added once
  // cannot displace one that is added repeatedly.
  uint32_t TakeOldest() {
    while (is_recent_[hand_]) {
      is_recent_[hand_] = false;
      hand_ = (hand_ + 1) % kRows;
    }
    const uint32_t oldest = hand_;
    hand_ = (hand_ + 1) % kRows;
    return oldest;
  }

  Row rows_[kRows];
  // Rows that were ever used. Written by Add (release), read by Find (acquire).
  std::atomic<uint32_t> used_rows_{0};
  // The used rows, sorted by begin. Written by the writer between an odd and an even
  // index_sequence_ (release), read by Find (acquire).
  Entry index_[kRows];
  std::atomic<uint32_t> indexed_{0};
  std::atomic<uint32_t> index_sequence_{0};
  // Writer only.
  bool is_recent_[kRows] = {};
  uint32_t hand_ = 0;
};

}  // namespace stillframe::core
