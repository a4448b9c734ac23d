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
#include <cstdint>

#include "src/tap/ended_message.h"

namespace stillframe::tap {

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
