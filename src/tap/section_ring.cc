// SPDX-License-Identifier: Apache-2.0
#include "src/tap/section_ring.h"

#include <string.h>
#include <sys/mman.h>

#include <algorithm>

namespace stillframe::tap {

bool SectionRing::Create() {
  void* memory = mmap(nullptr, kCells * sizeof(Cell), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  cells_ = static_cast<Cell*>(memory);
  return true;
}

// A reader that sees the new payload also sees word 0 as 0 or changed.
void SectionRing::Put(uint64_t number, uint64_t tag, const uint64_t (&payload)[kWords - 1]) {
  Cell& cell = cells_[number & (kCells - 1)];
  cell.words[0].store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (uint32_t i = 1; i < kWords; ++i)
    cell.words[i].store(payload[i - 1], std::memory_order_relaxed);
  cell.words[0].store(tag, std::memory_order_release);
}

void SectionRing::Write(uint64_t now_ns, std::string_view text) {
  // Only this thread's own signal handlers can come between the load and the store.
  if (is_writing_.load(std::memory_order_relaxed)) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  is_writing_.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  text = text.substr(0, kMaxText);
  uint64_t number = head_.load(std::memory_order_relaxed);
  uint64_t payload[kWords - 1] = {now_ns, text.size()};
  size_t bytes = std::min(text.size(), kFirstBytes);
  memcpy(&payload[2], text.data(), bytes);
  for (uint64_t is_first = 1;; is_first = 0) {
    Put(number, (number + 1) << 1 | is_first, payload);
    ++number;
    text.remove_prefix(bytes);
    if (text.empty()) break;
    bytes = std::min(text.size(), kNextBytes);
    memcpy(payload, text.data(), bytes);
  }
  texts_.fetch_add(1, std::memory_order_relaxed);
  head_.store(number, std::memory_order_release);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  is_writing_.store(false, std::memory_order_relaxed);
}

bool SectionRing::Copy(uint64_t number, uint64_t (&words)[kWords]) const {
  const Cell& cell = cells_[number & (kCells - 1)];
  words[0] = cell.words[0].load(std::memory_order_acquire);
  for (uint32_t i = 1; i < kWords; ++i) words[i] = cell.words[i].load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  return cell.words[0].load(std::memory_order_relaxed) == words[0] && words[0] >> 1 == number + 1;
}

uint64_t SectionRing::Read(Use use, void* argument) const {
  const uint64_t head = head_.load(std::memory_order_acquire);
  uint64_t words[kWords];
  char text[kMaxText];
  for (uint64_t number = head > kCells ? head - kCells : 0; number < head; ++number) {
    if (!Copy(number, words) || (words[0] & 1) == 0 || words[2] > kMaxText) continue;
    const uint64_t at_ns = words[1];
    const auto bytes = static_cast<size_t>(words[2]);
    size_t copied = std::min(bytes, kFirstBytes);
    memcpy(text, &words[3], copied);
    bool is_whole = true;
    for (uint64_t next = number + 1; is_whole && copied < bytes; ++next) {
      is_whole = Copy(next, words) && (words[0] & 1) == 0;
      const size_t more = std::min(bytes - copied, kNextBytes);
      memcpy(text + copied, &words[1], more);
      copied += more;
    }
    if (is_whole) use(argument, at_ns, {text, bytes});
  }
  return texts_.load(std::memory_order_relaxed);
}

}  // namespace stillframe::tap
