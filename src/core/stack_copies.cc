// SPDX-License-Identifier: Apache-2.0
#include "src/core/stack_copies.h"

#include <sys/mman.h>

#include <algorithm>

#include "src/core/clock.h"
#include "src/core/counters.h"

namespace stillframe::core {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// Returns the number of words copied.
[[gnu::noinline]] uint32_t CopyWords(uintptr_t from, uint32_t words, uintptr_t* to) {
  uint32_t i = 0;
  for (; i + 4 <= words; i += 4) {
    const uintptr_t at = from + i * kWord;
    if (!arch::GuardedLoadWord(at, &to[i]) || !arch::GuardedLoadWord(at + kWord, &to[i + 1]) ||
        !arch::GuardedLoadWord(at + 2 * kWord, &to[i + 2]) ||
        !arch::GuardedLoadWord(at + 3 * kWord, &to[i + 3]))
      return i;
  }
  for (; i < words; ++i)
    if (!arch::GuardedLoadWord(from + i * kWord, &to[i])) return i;
  return i;
}

}  // namespace

bool StackCopies::Create(const Setup& setup) {
  setup_ = setup;
  const size_t bytes = kSlots * sizeof(StackCopy) + setup.ring_bytes;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  copies_ = static_cast<StackCopy*>(memory);
  words_ = reinterpret_cast<uintptr_t*>(copies_ + kSlots);
  ring_words_ = setup.ring_bytes / kWord;
  return true;
}

[[gnu::noinline]] void StackCopies::Take(uint64_t wall_ns, const ucontext_t& context,
                                         uintptr_t thread) {
  const uint64_t head = head_.load(std::memory_order_relaxed);
  if (head - tail_.load(std::memory_order_acquire) >= kSlots)
    return Counters::Add(Counter::kNativeCopiesNoSlot);
  StackCopy& copy = copies_[head % kSlots];
  copy.wall_ns = wall_ns;
  if (!Fill(context, thread, &copy)) return;
  next_word_ = copy.words_at + copy.bytes / kWord;
  head_.store(head + 1, std::memory_order_release);
  Counters::Add(Counter::kNativeCopies);
}

void StackCopies::CopyWatched(const Watched& watched, StackCopy* copy) {
  copy->watched_at = 0;
  uintptr_t there = 0;
  if (watched.address == 0 || !arch::GuardedLoadWord(watched.lead, &there) ||
      there != watched.address)
    return;
  for (uint32_t i = 0; i < kWatchedWords; ++i)
    if (!arch::GuardedLoadWord(watched.address + i * kWord, &copy->watched[i])) return;
  copy->watched_at = watched.address;
}

// Words of a copy are adjacent: one that does not fit before the ring's end begins at its start.
bool StackCopies::FindWords(uint64_t count, StackCopy* copy) const {
  const uint64_t before_end = ring_words_ - next_word_ % ring_words_;
  copy->words_at = count <= before_end ? next_word_ : next_word_ + before_end;
  return copy->words_at + count - first_word_.load(std::memory_order_acquire) <= ring_words_;
}

bool StackCopies::Fill(const ucontext_t& context, uintptr_t thread, StackCopy* copy) {
  arch::FillUnwindRegisters(context, &copy->registers);
  const uintptr_t sp = copy->registers.sp();
  if (sp < setup_.stack_low || sp >= setup_.stack_high || sp % kWord != 0) {
    Counters::Add(Counter::kNativeCopiesOtherStack);
    return false;
  }
  for (uint32_t i = 0; i < kThreadWords; ++i) {
    if (arch::GuardedLoadWord(thread + setup_.thread_words_at + i * kWord, &copy->thread_words[i]))
      continue;
    Counters::Add(Counter::kNativeCopiesThreadUnread);
    return false;
  }
  CopyWatched(
      {watched_at_.load(std::memory_order_relaxed), watched_lead_.load(std::memory_order_relaxed)},
      copy);
  copy->begin = std::max(sp - kRedZoneBytes, setup_.stack_low);
  const uintptr_t bytes = std::min<uintptr_t>(setup_.stack_high - copy->begin, setup_.bytes);
  if (!FindWords(bytes / kWord, copy)) {
    Counters::Add(Counter::kNativeCopiesNoSlot);
    return false;
  }
  const uint32_t count =
      CopyWords(copy->begin, static_cast<uint32_t>(bytes / kWord), WordsAt(copy->words_at));
  copy->bytes = static_cast<uint32_t>(count * kWord);
  if (copy->bytes + kWord <= bytes) Counters::Add(Counter::kNativeCopiesUnreadable);
  return copy->begin + copy->bytes > sp;
}

[[gnu::noinline]] void StackCopies::CopyOnce(const ucontext_t& context, const Source& source,
                                             uint32_t most_words, uintptr_t* words,
                                             StackCopy* copy) {
  copy->bytes = 0;
  copy->wall_ns = MonotonicNs();
  arch::FillUnwindRegisters(context, &copy->registers);
  const uintptr_t sp = copy->registers.sp();
  if (sp < source.stack_low || sp >= source.stack_high || sp % kWord != 0) return;
  for (uint32_t i = 0; i < kThreadWords; ++i) {
    copy->thread_words[i] = 0;
    if (source.thread_words_at != 0 &&
        !arch::GuardedLoadWord(source.thread_words_at + i * kWord, &copy->thread_words[i]))
      return;
  }
  CopyWatched(source.watched, copy);
  copy->begin = std::max(sp - kRedZoneBytes, source.stack_low);
  const auto wanted = static_cast<uint32_t>(
      std::min<uintptr_t>((source.stack_high - copy->begin) / kWord, most_words));
  const auto bytes = static_cast<uint32_t>(CopyWords(copy->begin, wanted, words) * kWord);
  if (copy->begin + bytes > sp) copy->bytes = bytes;
}

const StackCopy* StackCopies::Peek(const uintptr_t** words) const {
  const uint64_t tail = tail_.load(std::memory_order_relaxed);
  if (head_.load(std::memory_order_acquire) == tail) return nullptr;
  const StackCopy& oldest = copies_[tail % kSlots];
  *words = WordsAt(oldest.words_at);
  return &oldest;
}

void StackCopies::Release() {
  const uint64_t tail = tail_.load(std::memory_order_relaxed);
  const StackCopy& oldest = copies_[tail % kSlots];
  first_word_.store(oldest.words_at + oldest.bytes / kWord, std::memory_order_release);
  tail_.store(tail + 1, std::memory_order_release);
}

}  // namespace stillframe::core
