// SPDX-License-Identifier: Apache-2.0
// The ring between the signal handler and the collector.
//
// Contract: one producer (the handler, on one thread, never re-entered), one consumer (the
// collector). A sample is two header cells and one cell per frame, invisible before Commit. A full
// ring drops the new sample, never an old one. Only Create allocates. The memory is never freed,
// since a late handler may still use it.
// Context: Begin, Commit: signal. Peek, Release: collector. Create: start-up only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/core/sample.h"

namespace stillframe::core {

class SampleRing {
 public:
  static constexpr uint32_t kHeaderCells = sizeof(RawSample) / sizeof(RawFrame);

  // Rounds the size up to a power of two. False without enough memory.
  bool Create(size_t bytes);

  // Reserves space for a sample of at most max_depth frames. The sink is valid until Commit. False
  // when full.
  bool Begin(uint32_t max_depth, FrameSink* sink);

  // Publishes header and sink.depth() frames. To drop a begun sample, do not call Commit.
  void Commit(const RawSample& header);

  // Copies the oldest sample's header; false: the ring is empty. Its frames are read with FrameAt.
  bool Peek(RawSample* header) const;
  const RawFrame& FrameAt(uint32_t index) const {
    return cells_[(tail_.load(std::memory_order_relaxed) + kHeaderCells + index) & mask_];
  }
  void Release(const RawSample& header);

  size_t bytes() const { return static_cast<size_t>(mask_ + 1) * sizeof(RawFrame); }

 private:
  // Each side's fields have a cache line of their own.
  alignas(64) RawFrame* cells_ = nullptr;
  uint64_t mask_ = 0;
  // In cells, only growing. head_: written by the handler (release, pairs with Peek's acquire).
  // tail_: written by the collector (release, pairs with Begin's acquire).
  std::atomic<uint64_t> head_{0};
  uint32_t last_depth_ = 0;  // of the last sample; the handler alone uses it
  alignas(64) std::atomic<uint64_t> tail_{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
};

}  // namespace stillframe::core
