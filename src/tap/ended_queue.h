// SPDX-License-Identifier: Apache-2.0
// The queue of what ended, from the watched thread to the collector.
//
// Problem: who a message was is told after its end, and only for some. Rule: slots are filled in
// order and published together, once the last of them is described or nobody will; a full queue
// gives no slot. `head_` is stored by the watched thread (release), `tail_` by the collector
// (release); each loads the other's (acquire).
// Context: the watched thread; Take: collector
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <stillframe/token.h>

namespace stillframe::tap {

// What the watched thread hands over to the collector.
// Context: any thread
enum class EndedKind : uint8_t {
  kMessage,   // one message that was not quick
  kQuickRun,  // consecutive quick messages, merged
  kIdle,      // the looper had nothing to do, for long
  kSegment,   // the thread was in no message and not in the poll; the collector's own
};

struct EndedMessage {
  static constexpr size_t kNameBytes = 160;

  EndedKind kind;
  Token token;        // of the last message
  uint64_t start_ns;  // CLOCK_MONOTONIC
  uint64_t end_ns;
  uint64_t work_ns;       // end minus start, of a run the sum of its messages
  uint64_t start_cpu_ns;  // CLOCK_THREAD_CPUTIME_ID
  uint64_t end_cpu_ns;
  int64_t wait_ns;  // -1: not known
  uint64_t messages;
  uint32_t group;  // messages of one number make a group
  int32_t what;
  uint32_t flags;  // dump::kMessage*
  char target[kNameBytes];
  char callback[kNameBytes];  // of a segment its method
};

// A frame of the Choreographer that ended.
struct EndedFrame {
  Token token;
  uint64_t due_ns;  // the refresh it was made for; the start where nobody knows it
  uint64_t start_ns;
  uint64_t end_ns;
  bool is_due_known = true;
};

// What is not handed over yet, for a dump while the thread hangs.
struct OpenHistory {
  EndedMessage run;  // messages 0: none
  uint64_t idle_start_ns;
  uint64_t idle_end_ns;  // 0: none
};

// A queue of small values from one thread to one other.
//
// Put and Take never wait; a full queue refuses the new value. `head` is stored by
// the putting thread (release), `tail` by the taking one (release); each loads the other's
// (acquire).
template <typename Value, uint32_t kSlots>
class SpscQueue {
 public:
  bool Put(const Value& value) {
    const uint32_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == kSlots) return false;
    values_[head % kSlots] = value;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  bool Take(Value* value) {
    const uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (head_.load(std::memory_order_acquire) == tail) return false;
    *value = values_[tail % kSlots];
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

 private:
  Value values_[kSlots];
  std::atomic<uint32_t> head_{0};
  std::atomic<uint32_t> tail_{0};
};

class EndedQueue {
 public:
  static constexpr uint32_t kSlots = 64;

  // The next slot, empty; null when the queue is full.
  EndedMessage* Fill();
  // As Fill; the run, or the message, then waits for its description.
  EndedMessage* FillRun() { return run_ = Fill(); }
  EndedMessage* FillMessage() { return message_ = Fill(); }

  bool has_filled() const { return filled_ > 0; }
  // What waits for its description; null: nothing does.
  EndedMessage* run() { return run_; }
  EndedMessage* message() { return message_; }
  // It waits no more. The message comes last: a run that nobody described does not keep it.
  void EndRun();
  void EndMessage();
  // All that is filled, described or not.
  void Publish();

  // The oldest that was published and not taken; false when there is none. Context: collector
  bool Take(EndedMessage* ended);

 private:
  uint32_t filled_ = 0;  // slots after the head that are not published
  EndedMessage* run_ = nullptr;
  EndedMessage* message_ = nullptr;
  EndedMessage slots_[kSlots];
  std::atomic<uint32_t> head_{0};
  std::atomic<uint32_t> tail_{0};
};

}  // namespace stillframe::tap
