// SPDX-License-Identifier: Apache-2.0
// Whose fault it was, in one sentence, with the evidence: what the rules say and outputs show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/verdict/anr.h"
#include "tools/stillframe/verdict/contributor.h"
#include "tools/stillframe/verdict/culprit.h"

namespace stillframe::verdict {

// Values are written out by `inspect --json`; the names are in KindName().
enum class Kind : uint8_t {
  kNothingSlow,    // nothing held the main thread for long: a healthy program
  kNotEnoughData,  // something was late, and what was recorded does not say why
  kNoSamples,      // a slow message, but nobody looked at what it did
  kMethod,         // a method held the main thread
  kStandstill,     // a method waited or slept
  kBlocked,        // a method was blocked on a monitor
  kBinderCall,     // another process was asked and did not answer
  kInputOutput,    // a file, a database or a socket
  kSpread,         // the time went to many methods
  kEarlier,        // messages that had ended ate the time of the one that waits
  kFlood,          // too many messages of one kind wait
  kLeakedBarrier,  // a synchronization barrier that nobody removes
  kStarved,        // the main thread was ready to run and got no CPU
  kShortOfMemory,  // the system had no memory
  kProcessFrozen,  // the process was not run at all
  kRuntimeWait,    // the runtime made the main thread wait: its garbage collector, mostly
};

enum class Confidence : uint8_t { kLow, kMedium, kHigh };

struct Verdict {
  Kind kind = Kind::kNothingSlow;
  Confidence confidence = Confidence::kHigh;
  std::string sentence;               // clean text, one sentence
  std::vector<std::string> evidence;  // one sentence each
  std::optional<uint64_t> token;      // the message it is about
  std::vector<uint64_t> tokens;       // all messages to blame, the costliest first
  std::vector<std::string> threads;   // other threads to blame, clean text
  std::optional<Culprit> culprit;
  std::optional<Anr> anr;  // none is known of
  // Who took the time in question, the largest first; together it is window_ns.
  uint64_t window_ns = 0;
  std::vector<Contributor> contributors;
};

std::string_view KindName(Kind kind);

// "low", "medium", "high"
std::string_view ConfidenceName(Confidence confidence);

}  // namespace stillframe::verdict
