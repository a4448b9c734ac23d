// SPDX-License-Identifier: Apache-2.0
// One packet into one event, or nothing.
#include "tools/stillframe/live/live_event.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tools/stillframe/text/clean_text.h"

namespace stillframe::live {

namespace {

std::vector<std::string> FramesOf(std::string_view lines) {
  std::vector<std::string> frames;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    frames.push_back(text::CleanText(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return frames;
}

}  // namespace

size_t PacketBytes(std::span<const char> bytes) {
  Packet packet;
  if (bytes.size() < sizeof packet) return sizeof packet;
  std::memcpy(&packet, bytes.data(), sizeof packet);
  if (packet.magic != kMagic || packet.kind < Kind::kProcess || packet.kind > Kind::kSegment ||
      packet.stack_bytes > kMaxStackBytes)
    return 0;
  size_t size = sizeof packet + packet.stack_bytes;
  for (const uint8_t length : packet.name_bytes) size += length;
  return size;
}

bool ParseEvent(std::span<const char> bytes, LiveEvent* event) {
  Packet& packet = event->packet;
  if (bytes.size() < sizeof packet || PacketBytes(bytes) != bytes.size()) return false;
  std::memcpy(&packet, bytes.data(), sizeof packet);
  bytes = bytes.subspan(sizeof packet);
  const uint8_t* name_bytes = packet.name_bytes;
  for (std::string* name : {&event->name, &event->target, &event->callback}) {
    const size_t length = *name_bytes++;
    *name = text::CleanText({bytes.data(), length});
    bytes = bytes.subspan(length);
  }
  event->stack = FramesOf({bytes.data(), bytes.size()});
  return true;
}

}  // namespace stillframe::live
