// SPDX-License-Identifier: Apache-2.0
// Parses the text of Looper.dump into pending messages, for platforms whose list of messages cannot
// be read.
// Source: AOSP 8 to 16, core/java/android/os/{Looper,MessageQueue,Message}.java, and TimeUtils.java
// for the durations. Objects print what they like, so a line may hold anything.
// Context: any thread
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/model/message.h"

namespace stillframe::jvm {

struct LooperDump {
  std::vector<model::PendingMessage> messages;  // the first ones, in queue order
  uint64_t total = 0;                           // as the text says; 0: unknown
};

// At most `limit` messages. Other lines are skipped.
LooperDump ParseLooperDump(std::string_view text, size_t limit);

// "-1m0s250ms" in milliseconds; false for other text.
bool ParseDuration(std::string_view text, int64_t* ms);

}  // namespace stillframe::jvm
