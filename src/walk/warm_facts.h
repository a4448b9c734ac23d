// SPDX-License-Identifier: Apache-2.0
// Shapes and places that walks of the watched thread leave for the next one, which finds the caches
// cold.
//
// Problem: a method, its class, its dex file and its code item are a cache line each, and the next
// frame is known only when they are read.
// Rule: a method's shape is kept, and used only for a frame that confirms it: both words that nterp
// stored in the frame must fit the shape, its stack pointer by the frame's size and its dex pc by
// the method's instructions. Only one place of a frame holds such a pair, so a shape of an unloaded
// method at the same address fits no frame of the new one. Places of frames are hints: the next
// walk asks for the memory there in advance, and reads each link all the same.
// Surviving risk: as for WalkMethodTag.
// Context: signal, walks of one thread one after the other
#pragma once

#include <atomic>
#include <cstdint>

#include "src/core/prefetch.h"
#include "src/walk/nterp_frame.h"

namespace stillframe::walk {

class WarmFacts {
 public:
  // Asks for the frames of the last walk. True: no tag is to be taken from the sample before, so
  // that this walk meets each frame.
  [[gnu::always_inline]] bool Begin() {
    for (uint32_t i = 0; i < kPlaces; ++i) {
      core::PrefetchLine(places_[i]);
      core::PrefetchLine(places_[i] + kReadBytes);
    }
    return ++walks_ % kWalksToMeetAll == 0;
  }

  // A walk has met a frame at `place`.
  [[gnu::always_inline]] void Note(uintptr_t place) { places_[noted_++ % kPlaces] = place; }

  // The shape that `frame` of `method` confirms; null: none.
  [[gnu::always_inline]] const NterpShape* Find(uintptr_t method, uintptr_t frame) const {
    const Row& row = RowOf(method);
    return method != 0 && row.method == method && IsConfirmed(row.shape, frame) ? &row.shape
                                                                                : nullptr;
  }
  // Keeps a shape of a method that is not native, if `frame` confirms it.
  void Keep(uintptr_t method, uintptr_t frame, const NterpShape& shape) {
    if (!IsConfirmed(shape, frame)) return;
    Row& row = RowOf(method);
    // A fault may end the handler between the stores.
    row.method = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    row.shape = shape;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    row.method = method;
  }

 private:
  static constexpr uint32_t kPlaces = 32;
  static constexpr uint32_t kWalksToMeetAll = 32;
  static constexpr uint32_t kRowBits = 8;
  // Distance of the words that a walk reads in a frame.
  static constexpr uintptr_t kReadBytes = 5 * sizeof(uintptr_t);

  struct Row {
    uintptr_t method = 0;
    NterpShape shape = {};
  };

  static bool IsConfirmed(const NterpShape& shape, uintptr_t frame) {
    NterpFrame read;
    return ReadNterpFrame(frame, shape, &read) && read.dex_pc != core::kNoDexPc;
  }
  Row& RowOf(uintptr_t method) { return rows_[IndexOf(method)]; }
  const Row& RowOf(uintptr_t method) const { return rows_[IndexOf(method)]; }
  static uint32_t IndexOf(uintptr_t method) {
    return static_cast<uint32_t>(method >> 3) * 0x9e3779b1U >> (32 - kRowBits);
  }

  uint32_t walks_ = 0;
  uint32_t noted_ = 0;
  uintptr_t places_[kPlaces] = {};
  alignas(64) Row rows_[1U << kRowBits];
};

}  // namespace stillframe::walk
