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

bool ParseEvent(std::span<const char> bytes, LiveEvent* event) {
  Packet& packet = event->packet;
  if (bytes.size() < sizeof packet) return false;
  std::memcpy(&packet, bytes.data(), sizeof packet);
  bytes = bytes.subspan(sizeof packet);
  if (packet.magic != kMagic || packet.kind < Kind::kProcess || packet.kind > Kind::kSegment)
    return false;
  const uint8_t* name_bytes = packet.name_bytes;
  for (std::string* name : {&event->name, &event->target, &event->callback}) {
    const size_t length = *name_bytes++;
    if (length > bytes.size()) return false;
    *name = text::CleanText({bytes.data(), length});
    bytes = bytes.subspan(length);
  }
  event->stack = FramesOf({bytes.data(), bytes.size()});
  return bytes.size() == packet.stack_bytes;
}

}  // namespace stillframe::live
