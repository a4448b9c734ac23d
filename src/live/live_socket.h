// SPDX-License-Identifier: Apache-2.0
// The socket on which a process tells a watcher of its messages; see include/stillframe/live.h.
//
// Rule: nothing here waits. What finds no room in the socket is dropped and counted, and a watcher
// that is gone is forgotten at the next packet.
#pragma once

#include <cstdint>
#include <string_view>

#include <stillframe/live.h>

namespace stillframe::live {

class LiveSocket {
 public:
  LiveSocket() = default;
  ~LiveSocket() { Close(); }
  LiveSocket(const LiveSocket&) = delete;
  LiveSocket& operator=(const LiveSocket&) = delete;

  // Listens. Returns 0 or errno. Context: start-up only
  int Open(uint32_t pid);
  // The descriptor that becomes readable when somebody connects; -1 when nothing listens.
  int listener() const { return listener_; }

  // Takes whoever has connected, in the place of a watcher that has left. True when there is a new
  // watcher.
  bool Accept();
  bool has_watcher() const { return watcher_ >= 0; }
  // What follows a packet; each is cut to its bound.
  struct Texts {
    std::string_view name;
    std::string_view target = {};
    std::string_view callback = {};
    std::string_view stack = {};
  };
  void Send(Packet packet, const Texts& texts);
  uint64_t dropped() const { return dropped_; }

  // In the child of a fork too, whose copies would outlive its parent's.
  void Close();

 private:
  bool WatcherHasLeft() const;

  int listener_ = -1;
  int watcher_ = -1;
  uint64_t dropped_ = 0;  // all of them
  uint32_t dropped_for_watcher_ = 0;
};

}  // namespace stillframe::live
