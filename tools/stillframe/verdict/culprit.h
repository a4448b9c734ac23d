// SPDX-License-Identifier: Apache-2.0
// The method that held the main thread during one message.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/trace/frame.h"

namespace stillframe::verdict {

struct Culprit {
  std::string method;    // "fixture.Decimal.multiply", clean text
  std::string place;     // "Decimal.java:23": its hottest line
  uint64_t held_us = 0;  // time with the method on the stack
  uint64_t line_us = 0;  // time at the hottest line
  // Called by it and sharing its time, each with a twentieth of it or more, the heaviest first,
  // where its own code has less than half of it; the rest of them are `more_callees`.
  std::vector<std::pair<std::string, uint64_t>> callees;  // name and microseconds
  uint32_t more_callees = 0;
  // Off the way to it, each with a fifth of the message's time or more, the heaviest first: what it
  // was in besides, "app.Feed.sort" of the application's own where that is known.
  std::vector<std::pair<std::string, uint64_t>> besides;  // name and microseconds
  std::string leaf;  // the deepest method that holds half of the time; may be the same
  std::string leaf_place;
  std::string caller;  // of the outermost call on the path, "" if it is the message's own entry
  std::string caller_place;
  trace::ThreadState state = trace::ThreadState::kUnknown;  // what the thread mostly did in it
  uint64_t state_us = 0;

  // The thread waited, slept or was blocked for most of the time.
  bool IsStandstill() const;
};

}  // namespace stillframe::verdict
