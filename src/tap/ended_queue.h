// SPDX-License-Identifier: Apache-2.0
// Queue of ended messages, from the watched thread to the collector.
//
// Problem: a message's identity arrives after its end, and only for some messages.
// Rule: slots are filled in order. They are published together when the last one is described, or
// when it is clear that it will not be. A full queue gives no slot. `head_` is stored by the
// watched thread (release), `tail_` by the collector (release); each loads the other's (acquire).
// Context: the watched thread; Take: collector
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <stillframe/token.h>

namespace stillframe::tap {

// Kinds of entries of the history.
// Context: any thread
enum class EndedKind : uint8_t {
  kMessage,   // one message that was not quick
  kQuickRun,  // consecutive quick messages, merged
  kIdle,      // a long wait in the Looper's poll
  kSegment,   // neither in a message nor in the poll; made by SegmentWatch, never in this queue
};

struct EndedMessage {
  static constexpr size_t kNameBytes = 160;

  EndedKind kind;
  Token token;        // of the last message
  uint64_t start_ns;  // CLOCK_MONOTONIC
  uint64_t end_ns;
  uint64_t work_ns;       // end minus start; for a run the sum of its messages
  uint64_t start_cpu_ns;  // CLOCK_THREAD_CPUTIME_ID
  uint64_t end_cpu_ns;
  int64_t wait_ns;  // -1: unknown
  uint64_t messages;
  uint32_t group;  // number of its group of work
  int32_t what;
  uint32_t flags;  // model::kMessage*
  char target[kNameBytes];
  char callback[kNameBytes];  // for a segment its method
};

// An ended frame of the Choreographer.
struct EndedFrame {
  Token token;
  uint64_t due_ns;  // the refresh it was made for; if unknown, its start
  uint64_t start_ns;
  uint64_t end_ns;
  bool is_due_known = true;
};

// The part not handed over yet, for a dump during a hang.
struct OpenHistory {
  EndedMessage run;  // messages 0: none
  uint64_t idle_start_ns;
  uint64_t idle_end_ns;  // 0: none
};

// A queue of small values between two threads.
//
// Put and Take never wait; a full queue rejects the new value. `head` is stored by the putting
// thread (release), `tail` by the taking one (release); each loads the other's (acquire).
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

  // The next slot, empty; null if the queue is full.
  EndedMessage* Fill();
  // Like Fill, for a run or a message that is to be described.
  EndedMessage* FillRun() { return run_ = Fill(); }
  EndedMessage* FillMessage() { return message_ = Fill(); }

  bool has_filled() const { return filled_.load(std::memory_order_relaxed) > 0; }
  // Entries are not published yet. After a message is seen to have ended, false means that Take
  // gives it. Context: collector
  bool is_filling() const { return filled_.load(std::memory_order_acquire) > 0; }
  // Entry to be described; null: none.
  EndedMessage* run() { return run_; }
  EndedMessage* message() { return message_; }
  // Its description has ended. Describe the message last: it is published even if the run was not
  // described.
  void EndRun();
  void EndMessage();
  // Publishes all filled slots, described or not.
  void Publish();

  // Takes the oldest published entry; false if there is none. Context: collector
  bool Take(EndedMessage* ended);

 private:
  EndedMessage* run_ = nullptr;
  EndedMessage* message_ = nullptr;
  EndedMessage slots_[kSlots];
  std::atomic<uint32_t> head_{0};
  std::atomic<uint32_t> tail_{0};
  // Slots after the head, not yet published. Stored by the watched thread: before the message is
  // cleared (MessageSlot::Clear is the release), and after the head (release).
  std::atomic<uint32_t> filled_{0};
};

}  // namespace stillframe::tap
