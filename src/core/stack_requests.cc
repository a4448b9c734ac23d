// SPDX-License-Identifier: Apache-2.0
#include "src/core/stack_requests.h"

#include <sys/mman.h>

namespace stillframe::core {

bool StackRequests::HasFrames() {
  if (frames_ == nullptr) {
    void* frames = mmap(nullptr, sizeof(RawFrame) * max_depth_ * kSlots, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (frames != MAP_FAILED) frames_ = static_cast<RawFrame*>(frames);
  }
  return frames_ != nullptr;
}

bool StackRequests::HasWords() {
  if (words_ == nullptr) {
    void* words = mmap(nullptr, sizeof(uintptr_t) * kCopiedWords * kLooperSlots,
                       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (words != MAP_FAILED) words_ = static_cast<uintptr_t*>(words);
  }
  return words_ != nullptr;
}

void* StackRequests::Ask(uint32_t slot_index, const Thread& thread) {
  Slot& slot = slots_[slot_index];
  const uint32_t state = slot.state.load(std::memory_order_relaxed);
  if (walk_ == nullptr || state % 4 != kFree || !HasFrames()) return nullptr;
  slot.thread = thread;
  slot.thread.wants_copy = thread.wants_copy && slot_index >= kFirstLooperSlot && HasWords();
  slot.state.store(state + kAsked, std::memory_order_release);
  return &cookies_[slot_index][state / 4 % kGenerations];
}

bool StackRequests::Read(uint32_t slot_index, Stack* stack) const {
  const Slot& slot = slots_[slot_index];
  if (slot.state.load(std::memory_order_acquire) % 4 != kAnswered) return false;
  *stack = {FramesOf(slot_index), slot.depth, slot.thread_state, slot.truncation};
  return true;
}

const StackCopy* StackRequests::CopyOf(uint32_t slot_index, const uintptr_t** words) const {
  if (slot_index < kFirstLooperSlot || !slots_[slot_index].thread.wants_copy) return nullptr;
  const StackCopy& copy = copies_[slot_index - kFirstLooperSlot];
  *words = WordsOf(slot_index);
  return copy.bytes != 0 ? &copy : nullptr;
}

bool StackRequests::Withdraw(uint32_t slot_index) {
  Slot& slot = slots_[slot_index];
  uint32_t state = slot.state.load(std::memory_order_acquire);
  if (state % 4 == kFree) return true;
  const uint32_t next = (state / 4 + 1) * 4;
  if (state % 4 == kAsked &&
      slot.state.compare_exchange_strong(state, next, std::memory_order_acquire))
    return true;
  if (state % 4 == kWalking) return false;
  slot.state.store(next, std::memory_order_relaxed);
  return true;
}

void StackRequests::Answer(const void* cookie, const ucontext_t& context) {
  const auto place = static_cast<uint32_t>(static_cast<const char*>(cookie) - &cookies_[0][0]);
  Slot& slot = slots_[place / kGenerations];
  uint32_t state = slot.state.load(std::memory_order_acquire);
  if (state % 4 != kAsked || state / 4 % kGenerations != place % kGenerations) return;
  if (!slot.state.compare_exchange_strong(state, state - kAsked + kWalking,
                                          std::memory_order_acquire))
    return;
  const arch::Registers registers = arch::RegistersOf(context);
  if (registers.sp < slot.thread.stack_low || registers.sp >= slot.thread.stack_high) {
    slot.state.store(state, std::memory_order_release);  // not the thread that was asked
    return;
  }
  const uint32_t index = place / kGenerations;
  FrameSink sink(FramesOf(index), 0, UINT64_MAX, max_depth_, FrameSink::OutermostOf(max_depth_));
  if (slot.thread.runtime_thread != 0)
    slot.thread_state = walk_(slot.thread.walker, slot.thread.runtime_thread, &registers, &sink);
  if (slot.thread.wants_copy) [[unlikely]] {
    const Thread& thread = slot.thread;
    const uintptr_t words_at =
        thread.runtime_thread != 0 ? thread.runtime_thread + thread.thread_words_at : 0;
    StackCopies::CopyOnce(context, {words_at, thread.stack_low, thread.stack_high, thread.watched},
                          kCopiedWords, WordsOf(index), &copies_[index - kFirstLooperSlot]);
  }
  slot.depth = sink.depth();
  slot.truncation = sink.truncation();
  slot.state.store(state - kAsked + kAnswered, std::memory_order_release);
}

}  // namespace stillframe::core
