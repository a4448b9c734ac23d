// SPDX-License-Identifier: Apache-2.0
// Compiled code that was seen before, by address: what a pc belongs to when its frame does not hold
// the method, in a leaf without a frame or while a frame is dropped.
//
// Filled from samples as they are resolved, so that it grows with what the program runs. Rows are
// never changed; a newer row wins over an older one at the same place. What it says is checked
// against the method's own entry point, or the header before the code, before it is believed.
// Context: signal (Find), collector (Add, the only writer)
#pragma once

#include <atomic>
#include <cstdint>

namespace stillframe::walk {

class CodeIndex {
 public:
  struct Row {
    uintptr_t begin;
    uint32_t bytes;
    uintptr_t method;
  };

  // Where code was seen that has pc; null: nowhere.
  const Row* FindRow(uintptr_t pc) const {
    for (uint32_t i = count_.load(std::memory_order_acquire); i-- > 0;)
      if (pc - rows_[i].begin < rows_[i].bytes) return &rows_[i];
    return nullptr;
  }

  // The method whose code was seen at pc; 0: none.
  uintptr_t Find(uintptr_t pc) const {
    const Row* row = FindRow(pc);
    return row != nullptr ? row->method : 0;
  }

  // Full or known: nothing happens.
  void Add(uintptr_t begin, uint32_t bytes, uintptr_t method) {
    const uint32_t count = count_.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < count; ++i)
      if (rows_[i].begin == begin && rows_[i].bytes == bytes && rows_[i].method == method) return;
    if (count == kMaxRows) return;
    rows_[count] = {begin, bytes, method};
    count_.store(count + 1, std::memory_order_release);
  }

 private:
  static constexpr uint32_t kMaxRows = 1024;

  Row rows_[kMaxRows] = {};
  // Written by Add (release), read by the handler (acquire).
  std::atomic<uint32_t> count_{0};
};

}  // namespace stillframe::walk
