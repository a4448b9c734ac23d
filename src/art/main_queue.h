// SPDX-License-Identifier: Apache-2.0
// Reads the main Looper's queue without entering the runtime.
//
// Problem: each time the main thread becomes idle, the profiler must know whether a message is due.
// No thread may attach then.
// Rule: the fields' offsets are found once. Then guarded loads read the list's head, starting at
// Looper's class, whose address the garbage collector keeps up to date in its field.
// Surviving risk: objects may move meanwhile; then the result is an old copy of the head, or
// nothing.
// Context: Find: an attached thread. Others: collector
#pragma once

#include <jni.h>

#include <cstdint>

namespace stillframe::art {

// The runtime's structure (art::Thread) of the main Looper's thread. 0: without a main Looper, or
// if the platform has other fields. Context: an attached thread
uintptr_t FindMainThread(JNIEnv* env);

class MainQueue {
 public:
  // False if the platform has other fields, or if ids are indices.
  bool Find(JNIEnv* env);

  // Whether this is MessageQueue.nativePollOnce, in which an idle Looper waits.
  bool IsPoll(uint64_t method) const { return poll_ != 0 && method == poll_; }
  bool is_known() const { return poll_ != 0; }
  // A barrier is at the front: messages behind it may be due without waking the thread.
  bool HasBarrier() const;
  // Due time of the first message, CLOCK_MONOTONIC; UINT64_MAX: no message, or a barrier.
  uint64_t HeadDueNs() const;

 private:
  uint32_t Head() const;

  uint64_t poll_ = 0;          // ArtMethod*; 0: unknown
  uintptr_t main_looper_ = 0;  // ArtField* of Looper.sMainLooper
  uint32_t queue_ = 0;         // offset in the object, as all below
  uint32_t messages_ = 0;
  uint32_t target_ = 0;
  uint32_t when_ = 0;
};

}  // namespace stillframe::art
