// SPDX-License-Identifier: Apache-2.0
// The messages of a running process: a table for a terminal, newest first, or one line for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include <stillframe/token.h>

#include "tools/stillframe/phone/live_source.h"

namespace stillframe::live {

class LiveView {
 public:
  static constexpr size_t kMaxRows = 200;

  void Add(const LiveEvent& event);

  // A line when something ends, so that lines are in the order of events. A running slow message
  // gets one line a second, with its stack below. "" for other events.
  std::string Lines(const LiveEvent& event);
  // The same for slow messages only: a line at the end, and one a second until then.
  std::string SlowLines(const LiveEvent& event);
  // Fits the given rows and columns.
  std::string Table(size_t rows, size_t columns) const;

 private:
  enum class Class : uint8_t { kQuick, kNormal, kSlow, kFrame, kSystem, kIdle };
  struct Tick {
    Token token = Token::kNone;
    uint64_t seconds = 0;
  };

  Class ClassOf(const LiveEvent& event) const;
  std::string Facts(const LiveEvent& event) const;
  std::string Row(const LiveEvent& event, size_t columns, uint64_t longest_ns) const;

  std::string process_ = "?";
  uint64_t pid_ = 0;
  uint64_t begin_ns_ = 0;
  uint64_t slow_ns_ = 0;
  uint64_t messages_ = 0;
  uint64_t slow_ = 0;
  uint64_t dropped_ = 0;
  std::deque<LiveEvent> ended_;           // newest first
  std::map<uint8_t, LiveEvent> running_;  // by Looper
  std::map<uint8_t, LiveEvent> open_;
  std::map<uint8_t, Tick> ticks_;  // by Looper: last line of what runs
};

}  // namespace stillframe::live
