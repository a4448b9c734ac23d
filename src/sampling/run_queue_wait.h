// SPDX-License-Identifier: Apache-2.0
// How long a message's thread was ready without a CPU, from its run-queue clock.
//
// Problem: the kernel's clock covers the thread's whole life, and a tick comes later than a
// message's start.
// Rule: readings are kept while nothing slow runs. A message's wait counts from the reading nearest
// to its start.
// Remaining risk: the wait is off by up to a tick of the collector. Reads no clock itself.
#pragma once

#include <cstdint>

#include <stillframe/token.h>

#include "src/core/message_slot.h"

namespace stillframe::sampling {

class RunQueueWait {
 public:
  // Nothing slow runs, and the run-queue clock reads `wait_ns` (-1: unknown).
  void Note(uint64_t now_ns, int64_t wait_ns);
  // A tick found the thread in this slow message, with its CPU clock at `cpu_ns`.
  void NoteTick(Token token, uint64_t now_ns, uint64_t cpu_ns);

  // Wait from `start_ns` until the run-queue clock reads `wait_ns`; -1: unknown.
  int64_t Since(uint64_t start_ns, int64_t wait_ns) const;

  struct Now {
    uint64_t now_ns;
    int64_t wait_ns;  // the run-queue clock
    uint64_t cpu_ns;  // the thread's CPU clock
    bool is_ready;    // the scheduler considers the thread runnable
  };
  // Wait of the running message, including the current one; -1: unknown.
  int64_t WaitedNs(const core::RunningMessage& message, const Now& now) const;

 private:
  struct Reading {
    uint64_t at_ns = 0;
    int64_t wait_ns = -1;
  };
  Reading readings_[4];  // the newest, oldest first
  // Slow message of the last tick, its CPU clock, and the last tick at which that had moved.
  Token token_ = Token::kNone;
  uint64_t cpu_ns_ = 0;
  uint64_t ran_ns_ = 0;
};

}  // namespace stillframe::sampling
