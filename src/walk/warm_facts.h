// SPDX-License-Identifier: Apache-2.0
// Shapes and places that walks of the watched thread leave for the next one, which finds the caches
// cold.
//
// Problem: a method, its class, its dex file and its code item are a cache line each, and the next
// frame is known only when they are read.
// Rule: a method's shape is kept with the words of the method from which it follows, and used only
// if they are the same, and if the frame confirms it by both words that nterp stored in it. Places
// of frames and methods are hints: the next walk asks for the memory there in advance, and reads
// each link all the same.
// Surviving risk: a method that is unloaded while the same message runs, and replaced at the same
// address, has the tag of the sample before until the collector sees that it is wrong.
// Context: signal, walks of one thread one after the other; Doubt: collector
#pragma once

#include <atomic>
#include <cstdint>

#include "src/core/prefetch.h"
#include "src/walk/nterp_frame.h"

namespace stillframe::walk {

class WarmFacts {
 public:
  // Asks for the memory that the last walk read. True: no tag is to be taken from the sample
  // before, so that this walk meets each frame.
  [[gnu::always_inline]] bool Begin() {
    const bool is_in_doubt = is_in_doubt_.load(std::memory_order_relaxed);
    if (is_in_doubt) is_in_doubt_.store(false, std::memory_order_relaxed);
    for (uint32_t i = 0; i < kPlaces; ++i) {
      core::PrefetchLine(places_[i]);
      core::PrefetchLine(places_[i] + kReadBytes);
    }
    return ++walks_ % kWalksToMeetAll == 0 || is_in_doubt;
  }
  // A tag was wrong: the next walk reads all anew.
  void Doubt() { is_in_doubt_.store(true, std::memory_order_relaxed); }

  // A walk has met a frame or a method at `place`.
  [[gnu::always_inline]] void Note(uintptr_t place) { places_[noted_++ % kPlaces] = place; }

  // The shape of `method`, as it is now, that `frame` confirms; null: none.
  const NterpShape* Find(const Layout& layout, uintptr_t method, uintptr_t frame) const {
    const Row& row = RowOf(method);
    Words words;
    const bool is_same = method != 0 && row.method == method && ReadWords(layout, method, &words) &&
                         words == row.words;
    return is_same && IsConfirmed(row.shape, frame) ? &row.shape : nullptr;
  }
  // Keeps a shape of a method that is not native, if `frame` confirms it.
  void Keep(const Layout& layout, uintptr_t method, uintptr_t frame, const NterpShape& shape) {
    Words words;
    if (!IsConfirmed(shape, frame) || !ReadWords(layout, method, &words)) return;
    Row& row = RowOf(method);
    // A fault may end the handler between the stores.
    row.method = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    row.words = words;
    row.shape = shape;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    row.method = method;
  }

 private:
  static constexpr uint32_t kPlaces = 128;
  static constexpr uint32_t kWalksToMeetAll = 32;
  static constexpr uint32_t kRowBits = 8;
  // Distance of the words that a walk reads in a frame.
  static constexpr uintptr_t kReadBytes = 5 * sizeof(uintptr_t);

  // They are side by side in a method.
  struct Words {
    uint32_t declaring_class = 0;
    uint32_t dex_index = 0;
    uint32_t code_item = 0;  // the lower half of a pointer

    bool operator==(const Words&) const = default;
  };
  struct Row {
    uintptr_t method = 0;
    Words words = {};
    NterpShape shape = {};
  };

  static bool ReadWords(const Layout& layout, uintptr_t method, Words* words) {
    return arch::GuardedLoad32(method + layout.method_declaring_class, &words->declaring_class) &&
           arch::GuardedLoad32(method + layout.method_dex_index, &words->dex_index) &&
           arch::GuardedLoad32(method + layout.method_code_item, &words->code_item);
  }
  static bool IsConfirmed(const NterpShape& shape, uintptr_t frame) {
    NterpFrame read;
    return ReadNterpFrame(frame, shape, &read) && read.dex_pc != core::kNoDexPc;
  }
  Row& RowOf(uintptr_t method) { return rows_[IndexOf(method)]; }
  const Row& RowOf(uintptr_t method) const { return rows_[IndexOf(method)]; }
  static uint32_t IndexOf(uintptr_t method) {
    return static_cast<uint32_t>(method >> 3) * 0x9e3779b1U >> (32 - kRowBits);
  }

  std::atomic<bool> is_in_doubt_{false};
  uint32_t walks_ = 0;
  uint32_t noted_ = 0;
  uintptr_t places_[kPlaces] = {};
  alignas(64) Row rows_[1U << kRowBits];
};

}  // namespace stillframe::walk
