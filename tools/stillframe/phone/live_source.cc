// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/phone/live_source.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "tools/stillframe/index/clean_text.h"

namespace stillframe::live {
namespace {

std::vector<std::string> FramesOf(std::string_view lines) {
  std::vector<std::string> frames;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    frames.push_back(index::CleanText(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return frames;
}

// In ticks since boot: field 22 of stat in proc(5). Fields are counted after the name, which ends
// at the last parenthesis.
uint64_t StartOf(uint32_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  size_t at = line.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  uint64_t start = 0;
  if (at != std::string::npos)
    std::from_chars(line.data() + at + 1, line.data() + line.size(), start);
  return start;
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
    *name = index::CleanText({bytes.data(), length});
    bytes = bytes.subspan(length);
  }
  event->stack = FramesOf({bytes.data(), bytes.size()});
  return true;
}

std::vector<uint32_t> WatchableProcesses() {
  std::vector<std::pair<uint64_t, uint32_t>> found;
  std::ifstream sockets("/proc/net/unix");
  const std::string prefix = std::string(" @") + kSocketPrefix;
  for (std::string line; std::getline(sockets, line);) {
    const size_t at = line.rfind(prefix);
    uint32_t pid = 0;
    if (at != std::string::npos)
      std::from_chars(line.data() + at + prefix.size(), line.data() + line.size(), pid);
    if (pid != 0) found.emplace_back(StartOf(pid), pid);
  }
  std::sort(found.rbegin(), found.rend());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<uint32_t> pids;
  pids.reserve(found.size());
  for (const auto& [start, pid] : found) pids.push_back(pid);
  return pids;
}

LiveSource::~LiveSource() {
  if (socket_ >= 0) close(socket_);
}

bool LiveSource::Connect(uint32_t pid, std::string* error) {
  socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string name = kSocketPrefix + std::to_string(pid);
  name.copy(address.sun_path + 1, name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (socket_ < 0 || connect(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    *error =
        fmt::format("cannot be watched: {}; start it with STILLFRAME_LIVE=1", std::strerror(errno));
    return false;
  }
  ucred peer = {};
  socklen_t peer_size = sizeof peer;
  if (getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size) != 0 ||
      peer.pid != static_cast<pid_t>(pid)) {
    *error = "another process has taken its name; it is not watched";
    return false;
  }
  return true;
}

bool LiveSource::ConnectTo(uint16_t port, std::string* error) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (socket_ >= 0 &&
      connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return true;
  *error =
      fmt::format("cannot be watched: {}; adb forward leads a port to it", std::strerror(errno));
  return false;
}

LiveSource::Result LiveSource::Next(int timeout_ms, LiveEvent* event) {
  if (PacketBytes(bytes_) > bytes_.size()) {
    pollfd ready = {socket_, POLLIN, 0};
    if (poll(&ready, 1, timeout_ms) <= 0) return Result::kNothingYet;
    std::array<char, 4 * kMaxPacketBytes> came;
    const ssize_t size = recv(socket_, came.data(), came.size(), 0);
    if (size < 0 && errno == EINTR) return Result::kNothingYet;
    if (size <= 0) return Result::kEnded;
    bytes_.insert(bytes_.end(), came.begin(), came.begin() + size);
  }
  const size_t size = PacketBytes(bytes_);
  if (size > bytes_.size()) return Result::kNothingYet;
  if (size == 0 || !ParseEvent({bytes_.data(), size}, event)) return Result::kBroken;
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
  return Result::kEvent;
}

}  // namespace stillframe::live
