// SPDX-License-Identifier: Apache-2.0
// What the Signal Catcher's own report says of the main thread: who holds the monitor that it waits
// for, and where it stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::rules {

struct LockOwner {
  std::string thread;  // clean text, "" when it is not known
  uint32_t tid = 0;    // of the kernel, 0 when it is not known
  std::string frame;   // clean text: the innermost Java frame of it, "" when it is not known
  std::string caller;  // clean text: the innermost one of the application, if that is another
};

// `text` is what ART writes on SIGQUIT; nothing in it is believed before it is found.
LockOwner FindLockOwner(std::string_view text);

// What the main thread was in: its first frame of the application, or else its innermost one. ""
// when it waited for messages, or is not in the report.
std::string MainFrame(std::string_view text);

}  // namespace stillframe::rules
