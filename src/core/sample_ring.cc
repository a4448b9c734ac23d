// SPDX-License-Identifier: Apache-2.0
#include "src/core/sample_ring.h"

#include <sys/mman.h>

#include "src/core/prefetch.h"

namespace stillframe::core {

bool SampleRing::Create(size_t bytes) {
  size_t cells = 64;
  while (cells * sizeof(RawFrame) < bytes) cells *= 2;
  void* memory = mmap(nullptr, cells * sizeof(RawFrame), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  cells_ = static_cast<RawFrame*>(memory);
  mask_ = cells - 1;
  return true;
}

SF_EACH_SAMPLE bool SampleRing::Begin(uint32_t max_depth, FrameSink* sink) {
  const uint64_t head = head_.load(std::memory_order_relaxed);
  const uint64_t used = head - tail_.load(std::memory_order_acquire);
  const uint64_t free_cells = mask_ + 1 - used;
  // All or nothing: a stack cut for lack of space could not be distinguished from one that is too
  // deep.
  if (free_cells < kHeaderCells + max_depth) return false;
  *sink =
      FrameSink(cells_, head + kHeaderCells, mask_, max_depth, FrameSink::OutermostOf(max_depth));
  // Only the handler writes cells, and the last sample's are before those of this one.
  const uint64_t end = head & mask_;
  if (end >= last_depth_ && last_depth_ + kHeaderCells + max_depth <= mask_)
    sink->SetEarlier(last_depth_);
  return true;
}

SF_EACH_SAMPLE void SampleRing::Commit(const RawSample& header) {
  const uint64_t head = head_.load(std::memory_order_relaxed);
  RawFrame cells[kHeaderCells];
  __builtin_memcpy(cells, &header, sizeof header);
  for (uint32_t i = 0; i < kHeaderCells; ++i) cells_[(head + i) & mask_] = cells[i];
  head_.store(head + kHeaderCells + header.depth, std::memory_order_release);
  last_depth_ = header.depth;
}

bool SampleRing::Peek(RawSample* header) const {
  const uint64_t tail = tail_.load(std::memory_order_relaxed);
  if (head_.load(std::memory_order_acquire) == tail) return false;
  RawFrame cells[kHeaderCells];
  for (uint32_t i = 0; i < kHeaderCells; ++i) cells[i] = cells_[(tail + i) & mask_];
  __builtin_memcpy(header, cells, sizeof *header);
  return true;
}

void SampleRing::Release(const RawSample& header) {
  tail_.store(tail_.load(std::memory_order_relaxed) + kHeaderCells + header.depth,
              std::memory_order_release);
}

}  // namespace stillframe::core
