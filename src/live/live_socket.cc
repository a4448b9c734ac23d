// SPDX-License-Identifier: Apache-2.0
// An abstract SOCK_SEQPACKET socket with one peer.
#include "src/live/live_socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

namespace stillframe::live {
namespace {

bool IsAllowed(int peer) {
  ucred credentials = {};
  socklen_t size = sizeof credentials;
  return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 &&
         (credentials.uid == getuid() || credentials.uid == 0);
}

void CloseOne(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

}  // namespace

int LiveSocket::Open(uint32_t pid) {
  listener_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) return errno;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  // A name that begins with a null byte is abstract: no file, gone with the process.
  const int length =
      snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s%u", kSocketPrefix, pid);
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length));
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
      listen(listener_, 4) == 0)
    return 0;
  const int error = errno;
  CloseOne(&listener_);
  return error;
}

bool LiveSocket::Accept() {
  if (listener_ < 0) return false;
  const int peer = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (peer < 0) {
    // Without a descriptor left it would stay readable, and the collector awake.
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) CloseOne(&listener_);
    return false;
  }
  if (has_watcher() && WatcherHasLeft()) CloseOne(&watcher_);
  if (has_watcher() || !IsAllowed(peer)) {
    close(peer);
    return false;
  }
  watcher_ = peer;
  dropped_for_watcher_ = 0;
  return true;
}

// A watcher sends nothing: there is something to read only once it is gone, an error if it left
// packets unread.
bool LiveSocket::WatcherHasLeft() const {
  char byte;
  return recv(watcher_, &byte, 1, MSG_DONTWAIT | MSG_PEEK) >= 0 || errno != EAGAIN;
}

void LiveSocket::Send(Packet packet, const Texts& texts) {
  if (!has_watcher()) return;
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
  if (send(watcher_, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return;
  if (errno == EAGAIN || errno == ENOBUFS) {
    ++dropped_;
    ++dropped_for_watcher_;
  } else {
    CloseOne(&watcher_);
  }
}

void LiveSocket::Close() {
  CloseOne(&listener_);
  CloseOne(&watcher_);
}

}  // namespace stillframe::live
