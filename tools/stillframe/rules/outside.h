// SPDX-License-Identifier: Apache-2.0
// Methods in which the main thread waits for something outside the process.
#pragma once

#include <cstdint>

#include "tools/stillframe/calltree/call_tree.h"

namespace stillframe::rules {

enum class Outside : uint8_t { kNothing, kBinder, kInputOutput };

// What the methods say that at least half of the message's time went through.
Outside WaitedFor(const calltree::CallTree& tree);

}  // namespace stillframe::rules
