// SPDX-License-Identifier: Apache-2.0
// Methods in which the main thread waits for something outside the process.
#pragma once

#include <cstdint>

#include "src/trace/frame_table.h"

namespace stillframe::index {

enum class Outside : uint8_t { kNothing, kBinder, kInputOutput };

// What a method says that is on a stack. A truncation says nothing.
Outside WaitedFor(const trace::FrameTable& frames, trace::FrameId id);

}  // namespace stillframe::index
