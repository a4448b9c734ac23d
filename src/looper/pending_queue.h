// The messages that wait in the main looper's queue: the future of an ANR.
//
// Problem: reading Java objects means entering the runtime, which holds a thread at the door while
// it collects garbage or prints traces; a dump must not wait for that. Rule: a thread of its own
// reads, and the dump waits for it a bounded time. It reads MessageQueue.mMessages without the
// queue's monitor, which a hanging main thread may hold. Surviving risk: a queue that changes
// meanwhile may be seen half before and half after the change; the walk is bounded, so it ends all
// the same.
#pragma once

#include <jni.h>
#include <pthread.h>

#include <string>
#include <vector>

#include "src/dump/document.h"

namespace stillframe::looper {

struct PendingMessages {
  std::vector<dump::PendingMessage> messages;  // in queue order
  std::string source;                          // "MessageQueue.mMessages", or "" when not read
  std::string absent;                          // why not
};

class PendingQueueReader {
 public:
  // Starts the reading thread, with the caller's signal mask. False when it cannot be created.
  // Context: collector, at start-up
  bool Start(JavaVM* vm);

  // The queue as it is now, at most `limit` messages, or the reason why it was not read within
  // `timeout_ms`. Context: collector
  PendingMessages Read(size_t limit, uint32_t timeout_ms);

 private:
  static void* RunThread(void* reader);
  void Run();

  JavaVM* vm_ = nullptr;
  bool is_started_ = false;
  pthread_t thread_ = {};
  // All below: under mutex_. A request is answered when answered_ reaches its number.
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  uint32_t requested_ = 0;
  uint32_t answered_ = 0;
  size_t limit_ = 0;
  PendingMessages answer_;
};

}  // namespace stillframe::looper
