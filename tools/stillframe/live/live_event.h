// SPDX-License-Identifier: Apache-2.0
// What a process tells of its messages, see include/stillframe/live.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <stillframe/live.h>

namespace stillframe::live {

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

}  // namespace stillframe::live
