// SPDX-License-Identifier: Apache-2.0
// How long the thread of a message was ready without a CPU, from readings of its run-queue clock.
//
// Problem: the kernel's clock runs over all of a thread's life, and a tick comes later than a
// message's start. Rule: readings are kept while nothing slow runs; a message's wait is counted
// from the one nearest to its start. Surviving risk: that is up to a tick of the collector too much
// or too little. Reads no clock itself.
#pragma once

#include <cstdint>

#include <stillframe/token.h>

#include "src/core/message_slot.h"

namespace stillframe::sampling {

class RunQueueWait {
 public:
  // The run-queue clock reads `wait_ns` (-1: not known) while nothing slow runs.
  void Note(uint64_t now_ns, int64_t wait_ns);
  // A tick found the thread in this slow message, its CPU clock at `cpu_ns`.
  void NoteTick(Token token, uint64_t now_ns, uint64_t cpu_ns);

  // From `start_ns` up to where the run-queue clock reads `wait_ns`; -1 is unknown.
  int64_t Since(uint64_t start_ns, int64_t wait_ns) const;

  struct Now {
    uint64_t now_ns;
    int64_t wait_ns;  // the run-queue clock
    uint64_t cpu_ns;  // the thread's CPU clock
    bool is_ready;    // the scheduler holds the thread for one that can run
  };
  // Of the running message, with the wait that still goes on; -1 is unknown.
  int64_t SoFar(const core::RunningMessage& message, const Now& now) const;

 private:
  struct Reading {
    uint64_t at_ns = 0;
    int64_t wait_ns = -1;
  };
  Reading readings_[4];  // the latest, oldest first
  // The slow message of the last tick, the CPU clock then, and the tick that found it changed last.
  Token token_ = Token::kNone;
  uint64_t cpu_ns_ = 0;
  uint64_t ran_ns_ = 0;
};

}  // namespace stillframe::sampling
