// SPDX-License-Identifier: Apache-2.0
// The socket on which a process tells a watcher of its messages; see include/stillframe/live.h.
//
// Rule: nothing here waits. What finds no room in the socket is dropped and counted, and a watcher
// that is gone is forgotten at the next packet.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <stillframe/live.h>

#include "src/os/own_descriptor.h"

namespace stillframe::live {

// The user of adb's shell and of adbd, which connects for `adb forward` (AOSP 8 to 16
// system/core/libcutils/include/private/android_filesystem_config.h, AID_SHELL).
constexpr uid_t kShellUser = 2000;

// Whether a process of user `own` may be watched by one of user `peer`. Adb's shell may see of a
// debuggable application what run-as gives it, and of others nothing.
constexpr bool MayWatch(uid_t peer, uid_t own, bool is_debuggable) {
  return peer == own || peer == 0 || (peer == kShellUser && is_debuggable);
}

class LiveSocket {
 public:
  // Listens; `is_debuggable` is what MayWatch asks. Who connects wakes the calling thread, if it
  // sleeps for core::Waker's signal. Returns 0 or errno. Context: start-up only
  int Open(uint32_t pid, bool is_debuggable);

  // Takes whoever has connected, in the place of a watcher that has left. True when there is a new
  // watcher.
  bool Accept();
  bool has_watcher() const { return watcher_.is_open(); }
  // What follows a packet; each is cut to its bound.
  struct Texts {
    std::string_view name;
    std::string_view target = {};
    std::string_view callback = {};
    std::string_view stack = {};
  };
  void Send(Packet packet, const Texts& texts);

  // In the child of a fork too, whose copies would outlive its parent's.
  void Close();

 private:
  bool IsAllowed(int peer) const;
  bool WatcherHasLeft() const;
  // Of `size` bytes as many as the socket takes now; none when the watcher is gone, who is
  // forgotten.
  size_t Write(const char* bytes, size_t size);

  os::OwnDescriptor listener_;
  os::OwnDescriptor watcher_;
  bool is_debuggable_ = false;
  uint32_t dropped_for_watcher_ = 0;
  // The end of a packet of which the socket took the beginning: it goes before all else.
  char rest_[kMaxPacketBytes];
  size_t rest_bytes_ = 0;
};

}  // namespace stillframe::live
