// SPDX-License-Identifier: Apache-2.0
// Reads the main Looper's queue without entering the runtime.
//
// Problem: each time the main thread becomes idle, the profiler must know whether a message is due.
// No thread may attach then.
// Rule: the fields' offsets are found once. Then guarded loads read the first message, starting at
// Looper's class, whose address the garbage collector keeps up to date in its field. Where the
// release has queues beside the list (see src/jvm/concurrent_queue.h), these are read too, since
// the list is empty when one of them is in force. While the thread is in the poll, no message waits
// to be sorted into them but one that wakes it.
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
  // Without its fields (other ones on this platform, refused, ids that are indices) the queue seems
  // empty.
  void Find(JNIEnv* env);

  // MessageQueue.nativePollOnce, in which an idle Looper waits (ArtMethod*); 0: its look-up was
  // refused.
  uint64_t poll() const { return poll_; }
  // Whether it was looked for.
  bool was_sought() const { return was_sought_; }
  // A barrier is at the front: messages behind it may be due without waking the thread.
  bool HasBarrier() const;
  // Due time of the first message, CLOCK_MONOTONIC; UINT64_MAX: no message, or a barrier.
  uint64_t HeadDueNs() const;

 private:
  // Heads of the list, or of a queue's synchronous and asynchronous messages.
  static constexpr int kHeads = 2;

  void FindHeaps(JNIEnv* env, jclass queue, jclass message);
  void FindSets(JNIEnv* env, jclass queue);
  uint32_t Queue() const;
  // The first message; 0: none. A barrier is never asynchronous.
  uint32_t Head(int which) const;
  uint32_t FirstOfHeap(uint32_t heap) const;
  uint32_t FirstOfSet(uint32_t set) const;

  bool was_sought_ = false;
  uint64_t poll_ = 0;
  uintptr_t main_looper_ = 0;  // ArtField* of Looper.sMainLooper
  uint32_t queue_ = 0;         // offset in the object, as all below; 0: the release lacks it
  uint32_t messages_ = 0;
  uint32_t target_ = 0;
  uint32_t when_ = 0;
  // 17
  uint32_t stack_ = 0;
  uint32_t heaps_[kHeads] = {};
  uint32_t heap_array_ = 0;
  uint32_t heap_count_ = 0;
  uint32_t flags_ = 0;
  // 16
  uint32_t sets_[kHeads] = {};
  uint32_t set_map_ = 0;
  uint32_t map_head_ = 0;
  uint32_t index_node_ = 0;
  uint32_t node_next_ = 0;
  uint32_t node_key_ = 0;
  uint32_t node_value_ = 0;
  uint32_t key_message_ = 0;
};

}  // namespace stillframe::art
