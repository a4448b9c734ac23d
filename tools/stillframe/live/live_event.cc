#include "tools/stillframe/live/live_event.h"

#include <cstring>

namespace stillframe::live {

bool ParseEvent(std::span<const char> bytes, LiveEvent* event) {
  Packet& packet = event->packet;
  if (bytes.size() < sizeof packet) {
    return false;
  }
  std::memcpy(&packet, bytes.data(), sizeof packet);
  bytes = bytes.subspan(sizeof packet);
  if (packet.magic != kMagic || packet.kind < Kind::kProcess || packet.kind > Kind::kOpenRun) {
    return false;
  }
  const uint8_t* name_bytes = packet.name_bytes;
  for (std::string* text : {&event->name, &event->target, &event->callback}) {
    const size_t length = *name_bytes++;
    if (length > bytes.size()) {
      return false;
    }
    text->assign(bytes.data(), length);
    bytes = bytes.subspan(length);
  }
  return bytes.empty();
}

}  // namespace stillframe::live
