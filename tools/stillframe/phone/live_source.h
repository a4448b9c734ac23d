// SPDX-License-Identifier: Apache-2.0
// The watched process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <stillframe/live.h>

namespace stillframe::live {

// A process's report on its messages, see include/stillframe/live.h.
struct LiveEvent {
  Packet packet;
  // These three are clean text.
  std::string name;  // of the thread, or the process
  std::string target;
  std::string callback;
  std::vector<std::string> stack;  // innermost frame first; clean text
};

// Length in bytes of the first packet in `bytes`; the head's length if the head is incomplete. 0 if
// no process of this version sends such bytes.
size_t PacketBytes(std::span<const char> bytes);

// `bytes` are one complete packet. False if no process of this version sends them.
bool ParseEvent(std::span<const char> bytes, LiveEvent* event);

// Pids of local processes that can be watched, latest start first.
std::vector<uint32_t> WatchableProcesses();

class LiveSource {
 public:
  LiveSource() = default;
  ~LiveSource();
  LiveSource(const LiveSource&) = delete;
  LiveSource& operator=(const LiveSource&) = delete;

  // False, with one line in `error`, if it cannot be watched.
  bool Connect(uint32_t pid, std::string* error);
  // The same through a local port that `adb forward` leads to the process's socket. Only Next
  // detects that no process listens.
  bool ConnectTo(uint16_t port, std::string* error);

  enum class Result : uint8_t { kEvent, kNothingYet, kEnded, kBroken };
  // Waits for the next event, at most `timeout_ms`.
  Result Next(int timeout_ms, LiveEvent* event);

 private:
  int socket_ = -1;
  std::vector<char> bytes_;  // incomplete packet
};

}  // namespace stillframe::live
