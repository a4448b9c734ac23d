// The method that held the main thread during one message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/stillframe/calltree/call_tree.h"

namespace stillframe::verdict {

struct Culprit {
  std::string method;    // "fixture.Decimal.multiply", clean text
  std::string place;     // "Decimal.java:23": its hottest line
  uint64_t held_us = 0;  // time with the method on the stack
  uint64_t line_us = 0;  // time at the hottest line
  std::string leaf;      // the deepest method that holds half of the time; may be the same
  std::string leaf_place;
  std::string caller;  // of the outermost call on the path, "" if it is the message's own entry
  std::string caller_place;
  trace::ThreadState state = trace::ThreadState::kUnknown;  // what the thread mostly did in it
  uint64_t state_us = 0;

  // The thread waited, slept or was blocked for most of the time.
  bool IsStandstill() const;
};

// Goes down the heaviest path as long as it holds half of the message's time, and names the deepest
// method on it that is the application's, else the deepest one. Nothing if the time is spread over
// many methods.
std::optional<Culprit> FindCulprit(const calltree::CallTree& tree, bool is_nested);

}  // namespace stillframe::verdict
