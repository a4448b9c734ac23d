// SPDX-License-Identifier: Apache-2.0
// The messages that wait in the main looper's queue: what an ANR delays.
//
// Problem: the hung thread itself may hold the queue's monitor.
// Rule: the list is read without the monitor until two consecutive readings agree. Count and time
// are bounded.
// Remaining risk: if no two agree, or there is no time for a second reading, the list may mix the
// states before and after a change. `source` then says so.
//
// Platforms without a readable list (AOSP 17: mMessages is null) are asked through Looper.dump. It
// may take locks, and calls toString of the messages' objects.
// Context: a thread that may be held up by the runtime
#pragma once

#include <jni.h>

#include <string>
#include <vector>

#include "src/model/message.h"

namespace stillframe::jvm {

struct PendingMessages {
  std::vector<model::PendingMessage> messages;  // in queue order
  uint64_t total = 0;                           // in the queue; 0: unknown
  bool is_truncated = false;                    // there may be more than `total`
  std::string source;                           // how it was read; "": it was not
  std::string absent;                           // why not
};

enum class Details : uint8_t {
  kNone,
  kObjects,  // type of a message's object, without its text
  kTexts,    // with its text: runs code of the application, which may block
};

// The queue now, with its first `limit` messages described. `through_looper_dump`: through
// Looper.dump.
PendingMessages ReadPendingQueue(JNIEnv* env, size_t limit, bool through_looper_dump,
                                 Details details);

// Copies texts from `texts`, a later reading, to the same messages in `pending`.
void AddTexts(const PendingMessages& texts, PendingMessages* pending);

}  // namespace stillframe::jvm
