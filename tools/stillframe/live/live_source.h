// SPDX-License-Identifier: Apache-2.0
// The process that is watched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/stillframe/live/live_event.h"

namespace stillframe::live {

// Pids of the processes on this machine that can be watched, the one that started last first.
std::vector<uint32_t> WatchableProcesses();

class LiveSource {
 public:
  LiveSource() = default;
  ~LiveSource();
  LiveSource(const LiveSource&) = delete;
  LiveSource& operator=(const LiveSource&) = delete;

  // False with one line in `error` when it cannot be watched.
  bool Connect(uint32_t pid, std::string* error);
  // The same of a process behind a port of this machine, which `adb forward` leads to its socket.
  // That nobody is there is seen by Next only.
  bool ConnectTo(uint16_t port, std::string* error);

  enum class Result : uint8_t { kEvent, kNothingYet, kEnded, kBroken };
  // Waits for the next event, at most so long.
  Result Next(int timeout_ms, LiveEvent* event);

 private:
  int socket_ = -1;
  std::vector<char> bytes_;  // that came and are no whole packet yet
};

}  // namespace stillframe::live
