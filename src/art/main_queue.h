// SPDX-License-Identifier: Apache-2.0
// The main Looper's queue, looked at without entering the runtime.
//
// Problem: whether the main thread has something due must be known each time it comes to rest,
// when no thread may attach. Rule: the fields' places are asked for once; from then on the list's
// head is read by guarded loads from the class of Looper on, whose address the collector of garbage
// keeps up to date in its field. Surviving risk: objects move meanwhile; then what is read is an
// old copy of the head, or nothing.
// Context: Find: an attached thread. Others: collector
#pragma once

#include <jni.h>

#include <cstdint>

namespace stillframe::art {

// The runtime's own structure of the main Looper's thread (art::Thread); 0: there is no main
// Looper, or the platform has other fields. Context: an attached thread
uintptr_t FindMainThread(JNIEnv* env);

class MainQueue {
 public:
  // False where the platform has other fields, or ids that are no pointers.
  bool Find(JNIEnv* env);

  // Whether this is MessageQueue.nativePollOnce, in which a Looper with nothing to do stands.
  bool IsPoll(uint64_t method) const { return poll_ != 0 && method == poll_; }
  bool is_known() const { return poll_ != 0; }
  // A barrier is in front: what waits behind it may be due without waking the thread.
  bool HasBarrier() const;
  // When the message in front is due, CLOCK_MONOTONIC; UINT64_MAX: there is none, or a barrier.
  uint64_t HeadDueNs() const;

 private:
  uint32_t Head() const;

  uint64_t poll_ = 0;          // ArtMethod*; 0: not known
  uintptr_t main_looper_ = 0;  // ArtField* of Looper.sMainLooper
  uint32_t queue_ = 0;         // offsets in the objects
  uint32_t messages_ = 0;
  uint32_t target_ = 0;
  uint32_t when_ = 0;
};

}  // namespace stillframe::art
