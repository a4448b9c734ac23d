// SPDX-License-Identifier: Apache-2.0
// The process that is watched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <stillframe/live.h>

namespace stillframe::live {

// What a process tells of its messages, see include/stillframe/live.h.
struct LiveEvent {
  Packet packet;
  // Clean text, all three.
  std::string name;  // of the thread, or the process
  std::string target;
  std::string callback;
  std::vector<std::string> stack;  // innermost frame first; clean text
};

// How many bytes the packet has with which `bytes` begin: as many as its head where that is not
// whole yet, 0 where no process of this version sends them.
size_t PacketBytes(std::span<const char> bytes);

// False for bytes that no process of this version sends; they are one whole packet.
bool ParseEvent(std::span<const char> bytes, LiveEvent* event);

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
