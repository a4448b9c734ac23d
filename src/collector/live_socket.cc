// SPDX-License-Identifier: Apache-2.0
#include "src/collector/live_socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

#include "src/core/counters.h"
#include "src/core/wake_signal.h"
#include "src/os/log.h"

namespace stillframe::live {
int LiveSocket::Open(uint32_t pid, bool is_debuggable) {
  is_debuggable_ = is_debuggable;
  if (!listener_.Take(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))) return errno;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  // A name that begins with a null byte is abstract: no file, removed with the process.
  const int length =
      snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s%u", kSocketPrefix, pid);
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length));
  listener_.SignalOnInput(core::kWakeSignal);
  if (bind(listener_.fd(), reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
      listen(listener_.fd(), 4) == 0)
    return 0;
  const int error = errno;
  listener_.Close();
  return error;
}

bool LiveSocket::IsAllowed(int peer) const {
  ucred credentials = {};
  socklen_t size = sizeof credentials;
  return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 &&
         MayWatch(credentials.uid, getuid(), is_debuggable_);
}

bool LiveSocket::Accept() {
  if (!listener_.is_open()) return false;
  if (!listener_.IsOurs()) {
    listener_.Close();
    os::Log("the socket for 'stillframe live' was closed");
    return false;
  }
  bool is_new = false;
  // One signal may stand for several connections.
  constexpr int kMostAtOnce = 8;
  for (int i = 0; i < kMostAtOnce; ++i) {
    const int peer = accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) return is_new;
    if (has_watcher() && WatcherHasLeft()) watcher_.Close();
    if (has_watcher() || !IsAllowed(peer)) {
      close(peer);
      continue;
    }
    is_new = watcher_.Take(peer);
    dropped_for_watcher_ = 0;
    rest_bytes_ = 0;
  }
  return is_new;
}

// Watchers send nothing: readable means that it has left, and an error that it left packets unread.
bool LiveSocket::WatcherHasLeft() const {
  char byte;
  return recv(watcher_.fd(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) >= 0 || errno != EAGAIN;
}

size_t LiveSocket::Write(const char* bytes, size_t size) {
  const ssize_t written =
      watcher_.IsOurs() ? send(watcher_.fd(), bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) : -1;
  if (written >= 0) return static_cast<size_t>(written);
  if (!watcher_.IsOurs() || (errno != EAGAIN && errno != ENOBUFS)) watcher_.Close();
  return 0;
}

void LiveSocket::Send(Packet packet, const Texts& texts) {
  if (!has_watcher()) return;
  if (rest_bytes_ != 0) {
    const size_t written = Write(rest_, rest_bytes_);
    rest_bytes_ -= written;
    memmove(rest_, rest_ + written, rest_bytes_);
    if (!has_watcher()) return;
  }
  char bytes[kMaxPacketBytes];
  size_t size = sizeof packet;
  const auto append = [&bytes, &size](std::string_view text, size_t most) {
    const size_t length = std::min(text.size(), most);
    if (length != 0) memcpy(bytes + size, text.data(), length);
    size += length;
    return length;
  };
  uint8_t* name_bytes = packet.name_bytes;
  for (const std::string_view name : {texts.name, texts.target, texts.callback})
    *name_bytes++ = static_cast<uint8_t>(append(name, kMaxNameBytes));
  packet.stack_bytes = static_cast<uint16_t>(append(texts.stack, kMaxStackBytes));
  packet.dropped = dropped_for_watcher_;
  memcpy(bytes, &packet, sizeof packet);
  const size_t written = rest_bytes_ == 0 ? Write(bytes, size) : 0;
  if (!has_watcher()) return;
  if (written == 0) {
    core::Counters::Add(Counter::kLiveDropped);
    ++dropped_for_watcher_;
  } else if (written < size) {
    rest_bytes_ = size - written;
    memcpy(rest_, bytes + written, rest_bytes_);
  }
}

void LiveSocket::Close() {
  listener_.Close();
  watcher_.Close();
}

}  // namespace stillframe::live
