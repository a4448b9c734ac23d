// SPDX-License-Identifier: Apache-2.0
// The messages that wait in the main looper's queue: the future of an ANR.
//
// Problem: the queue's monitor may be held by the very thread that hangs. Rule: the list is read
// without it, twice, until two readings in a row agree: a queue that stands still is read as it is.
// Surviving risk: where it never stands still, or is so long that there is no time for a second
// reading, the list may be seen half before and half after a change, which the source then says;
// the walk is bounded by count and time, so it ends all the same.
//
// Platforms whose list cannot be had (AOSP 17: a queue without locks leaves mMessages null) are
// asked through Looper.dump, which takes what locks it likes and calls toString of the messages'
// objects.
// Context: a thread that may be held up by the runtime
#pragma once

#include <jni.h>

#include <string>
#include <vector>

#include "src/model/message.h"

namespace stillframe::jvm {

struct PendingMessages {
  std::vector<model::PendingMessage> messages;  // in queue order
  uint64_t total = 0;                           // in the queue; 0: not known
  bool is_truncated = false;                    // there may be more than `total`
  std::string source;                           // how it was read, or "" when it was not
  std::string absent;                           // why not
};

enum class Details : uint8_t {
  kNone,
  kObjects,  // what messages carry, without the objects' texts
  kTexts,    // with them: code of the application runs, which may take any time
};

// The queue as it is now, its first `limit` messages described. `by_dump`: through Looper.dump.
PendingMessages ReadPendingQueue(JNIEnv* env, size_t limit, bool by_dump, Details details);

// Gives `pending` the texts of the same messages in `texts`, a later reading.
void AddTexts(const PendingMessages& texts, PendingMessages* pending);

}  // namespace stillframe::jvm
