// SPDX-License-Identifier: Apache-2.0
// Who holds the monitor that the main thread waits for, by the Signal Catcher's own report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::rules {

struct LockOwner {
  std::string thread;  // clean text, "" when it is not known
  uint32_t tid = 0;    // of the kernel, 0 when it is not known
  std::string frame;   // clean text: the innermost Java frame of it, "" when it is not known
};

// `text` is what ART writes on SIGQUIT; nothing in it is believed before it is found.
LockOwner FindLockOwner(std::string_view text);

}  // namespace stillframe::rules
