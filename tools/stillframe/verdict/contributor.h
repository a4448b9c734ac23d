// SPDX-License-Identifier: Apache-2.0
// Who took the time that a verdict is about: one entry of the list that all outputs show.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::verdict {

// Written out by `inspect --json`; the names are in CauseName().
enum class Cause : uint8_t {
  kWork,         // a message's own: it computed, or was in native code
  kQuick,        // messages that were quick, each alone
  kSleep,        // Thread.sleep
  kWait,         // Object.wait, a lock of java.util.concurrent, a future, a latch
  kLock,         // blocked on a monitor
  kBinder,       // another process was asked
  kInputOutput,  // a file, a database or a socket
  kRuntime,      // the runtime made the thread wait: its garbage collector, mostly
  kNoCpu,        // ready to run, without a CPU
  kStill,        // a message stood still, and nobody saw why
  kOutside,      // not within a message: an idle handler, input, a native callback
  kBarrier,      // a synchronization barrier held the queue back
  kFrozen,       // the process was not run
  kUnseen,       // nothing is recorded
};

std::string_view CauseName(Cause cause);

struct MethodTime {
  std::string method;  // clean text, as `place`
  std::string place;
  uint64_t us = 0;
};

struct Contributor {
  Cause cause = Cause::kUnseen;
  uint64_t ns = 0;
  std::string text;              // clean: "the ended message Runnable app.Sync"
  bool is_running = false;       // it is the running message's, for the most part
  std::vector<uint64_t> tokens;  // the messages in which it was, the costliest first
  // Where it was, most time first: a stack's time is its innermost method's of the application's,
  // or else its innermost one's.
  std::vector<MethodTime> methods;
};

}  // namespace stillframe::verdict
