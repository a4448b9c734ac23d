// SPDX-License-Identifier: Apache-2.0
#include "src/native/stack_slice.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace stillframe::native {

StackSlice::~StackSlice() {
  if (memory_ != 0) munmap(reinterpret_cast<void*>(memory_), memory_bytes_);
}

bool StackSlice::Create(uint32_t bytes) {
  // Keep the offset within a page: frames are found by their alignment.
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t open = (bytes + page - 1) / page * page + page;
  void* const memory =
      mmap(nullptr, open + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = reinterpret_cast<uintptr_t>(memory);
  memory_bytes_ = open + page;
  closed_ = memory_ + open;
  lost_ = closed_ + page / 2;
  capacity_ = bytes;
  return mprotect(reinterpret_cast<void*>(memory_ + open), page, PROT_NONE) == 0;
}

void StackSlice::Load(const core::StackCopy& copy, const uintptr_t* words, uintptr_t stack_low,
                      uintptr_t stack_high) {
  // Place the slice as close before the unreadable page as its page offset allows. The gap gets
  // addresses of lost memory.
  constexpr uintptr_t kPlace = 4096;
  begin_ = copy.begin;
  bytes_ = std::min(copy.bytes, capacity_);
  const uintptr_t end = begin_ + bytes_;
  const uintptr_t here_end = closed_ - (closed_ - end) % kPlace;
  delta_ = here_end - end;
  stack_low_ = stack_low;
  stack_high_ = stack_high;
  auto* const here = reinterpret_cast<uintptr_t*>(low());
  for (uint32_t i = 0; i < bytes_ / sizeof(uintptr_t); ++i) here[i] = Here(words[i]);
  for (uintptr_t at = here_end; at < closed_; at += sizeof(uintptr_t))
    *reinterpret_cast<uintptr_t*>(at) = lost_;
  if constexpr (sizeof(uintptr_t) == 8) MoveHalfAligned(words);
  for (uint32_t i = 0; i < core::kThreadWords; ++i) thread_words_[i] = Here(copy.thread_words[i]);
  for (uint32_t i = 0; i < arch::kDwarfRegisters; ++i)
    registers_.values[i] = Here(copy.registers.values[i]);
}

// nterp's pointers follow its registers of four bytes each, so they may be unaligned (ART 11
// runtime/interpreter/mterp/x86_64ng/main.S, SETUP_STACK_FRAME).
void StackSlice::MoveHalfAligned(const uintptr_t* words) {
  constexpr size_t kHalf = sizeof(uint32_t);
  for (uint32_t i = 0; i + 1 < bytes_ / sizeof(uintptr_t); ++i) {
    uintptr_t word = 0;
    memcpy(&word, reinterpret_cast<const char*>(words + i) + kHalf, sizeof word);
    const uintptr_t here = Here(word);
    if (here == word || Here(words[i]) != words[i] || Here(words[i + 1]) != words[i + 1]) continue;
    memcpy(reinterpret_cast<char*>(low()) + i * sizeof(uintptr_t) + kHalf, &here, sizeof here);
  }
}

}  // namespace stillframe::native
