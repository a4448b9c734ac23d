// SPDX-License-Identifier: Apache-2.0
// The socket for the live feed of a process; see include/stillframe/live.h.
//
// Rule: nothing here waits. A packet that the socket does not take is dropped and counted. A
// watcher that has left is removed at the next packet.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <stillframe/live.h>

#include "src/os/own_descriptor.h"

namespace stillframe::live {

// User of adb's shell, and of adbd, which connects for `adb forward` (AOSP 8 to 16
// system/core/libcutils/include/private/android_filesystem_config.h, AID_SHELL).
constexpr uid_t kShellUser = 2000;

// Whether user `peer` may watch a process of user `own`. Adb's shell may watch debuggable
// applications (whose data run-as gives it anyway) and no others.
constexpr bool MayWatch(uid_t peer, uid_t own, bool is_debuggable) {
  return peer == own || peer == 0 || (peer == kShellUser && is_debuggable);
}

class LiveSocket {
 public:
  // Listens. `is_debuggable`: for MayWatch. A connection wakes the calling thread, if it waits for
  // core::Waker's signal. Returns 0 or errno. Context: start-up only
  int Open(uint32_t pid, bool is_debuggable);

  // Accepts connections; a new one replaces a watcher that has left. True if there is a new
  // watcher.
  bool Accept();
  bool has_watcher() const { return watcher_.is_open(); }
  // Texts after a packet, each cut to its limit.
  struct Texts {
    std::string_view name;
    std::string_view target = {};
    std::string_view callback = {};
    std::string_view stack = {};
  };
  void Send(Packet packet, const Texts& texts);

  // Call in the child of a fork too: its copies would outlive the parent's.
  void Close();

 private:
  bool IsAllowed(int peer) const;
  bool WatcherHasLeft() const;
  // Writes as many of `size` bytes as the socket takes now. 0 if the watcher has left; it is
  // removed.
  size_t Write(const char* bytes, size_t size);

  os::OwnDescriptor listener_;
  os::OwnDescriptor watcher_;
  bool is_debuggable_ = false;
  uint32_t dropped_for_watcher_ = 0;
  // Remainder of a partly written packet; must be sent first.
  char rest_[kMaxPacketBytes];
  size_t rest_bytes_ = 0;
};

}  // namespace stillframe::live
