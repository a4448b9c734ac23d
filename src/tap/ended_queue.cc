// SPDX-License-Identifier: Apache-2.0
#include "src/tap/ended_queue.h"

#include "src/model/document.h"

namespace stillframe::tap {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kAcquire = std::memory_order_acquire;

}  // namespace

EndedMessage* EndedQueue::Fill() {
  const uint32_t filled = filled_.load(kRelaxed);
  const uint32_t next = head_.load(kRelaxed) + filled;
  if (next - tail_.load(kAcquire) == kSlots) return nullptr;
  EndedMessage& slot = slots_[next % kSlots];
  slot = EndedMessage{};
  slot.wait_ns = model::kTimeUnknown;
  filled_.store(filled + 1, kRelaxed);
  return &slot;
}

void EndedQueue::EndRun() {
  run_ = nullptr;
  if (message_ == nullptr) Publish();
}

void EndedQueue::EndMessage() {
  message_ = nullptr;
  Publish();
}

void EndedQueue::Publish() {
  const uint32_t filled = filled_.load(kRelaxed);
  if (filled == 0) return;
  const uint32_t head = head_.load(kRelaxed);
  for (uint32_t i = 0; i < filled; ++i) {
    EndedMessage& ended = slots_[(head + i) % kSlots];
    if (ended.target[0] == '\0') ended.flags |= model::kMessageIdentityUnknown;
  }
  head_.store(head + filled, kRelease);
  filled_.store(0, kRelease);
  run_ = nullptr;
  message_ = nullptr;
}

bool EndedQueue::Take(EndedMessage* ended) {
  const uint32_t tail = tail_.load(kRelaxed);
  if (head_.load(kAcquire) == tail) return false;
  *ended = slots_[tail % kSlots];
  tail_.store(tail + 1, kRelease);
  return true;
}

}  // namespace stillframe::tap
