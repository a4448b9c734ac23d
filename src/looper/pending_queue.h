// The messages that wait in the main looper's queue: the future of an ANR.
//
// Read through JNI from MessageQueue.mMessages, without the queue's monitor: a main thread that
// hangs while it holds the monitor must not hang the collector too. Surviving risk: a queue that
// changes meanwhile may be seen half before and half after the change; the walk is bounded, so it
// ends all the same.
// Context: collector, attached
#pragma once

#include <jni.h>

#include <string>
#include <vector>

#include "src/dump/document.h"

namespace stillframe::looper {

struct PendingMessages {
  std::vector<dump::PendingMessage> messages;  // in queue order
  std::string source;                          // "MessageQueue.mMessages", or "" when not read
  std::string absent;                          // why not
};

// At most `limit` messages. `now_ms` is SystemClock.uptimeMillis().
PendingMessages ReadPendingMessages(JNIEnv* env, int64_t now_ms, size_t limit);

}  // namespace stillframe::looper
