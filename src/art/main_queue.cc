// SPDX-License-Identifier: Apache-2.0
// Fields are those of AOSP 8-17, core/java/android/os/{Looper,MessageQueue,Message}.java:
// sMainLooper.mQueue.mMessages.{target,when}; target is null for a barrier. 16:
// CombinedMessageQueue/MessageQueue.java; 17: MessageStack.java and MessageHeap.java.
#include "src/art/main_queue.h"

#include <algorithm>

#include "arch/arch.h"
#include "src/art/field_offset.h"
#include "src/art/framework_members.h"
#include "src/os/duration.h"

namespace stillframe::art {

// Looper.sMainLooper.mThread.nativePeer (AOSP 8-14, libcore/ojluni/src/main/java/java/lang/
// Thread.java).
uintptr_t FindMainThread(JNIEnv* env) {
  jlong peer = 0;
  env->PushLocalFrame(4);
  jclass looper = env->FindClass(framework::kLooper);
  jclass thread = env->ExceptionCheck() ? nullptr : env->FindClass(framework::kThread);
  const jfieldID main_looper =
      env->ExceptionCheck() ? nullptr : IdOf(env, looper, framework::kMainLooper);
  const jfieldID in_looper =
      env->ExceptionCheck() ? nullptr : IdOf(env, looper, framework::kLooperThread);
  const jfieldID in_thread =
      env->ExceptionCheck() ? nullptr : IdOf(env, thread, framework::kNativePeer);
  if (!env->ExceptionCheck()) {
    jobject main = env->GetStaticObjectField(looper, main_looper);
    jobject its_thread = main == nullptr ? nullptr : env->GetObjectField(main, in_looper);
    if (its_thread != nullptr) peer = env->GetLongField(its_thread, in_thread);
  }
  env->ExceptionClear();
  env->PopLocalFrame(nullptr);
  return static_cast<uintptr_t>(peer);
}

namespace {

// Message.FLAG_REMOVED (AOSP 17 core/java/android/os/Message.java).
constexpr uint32_t kRemoved = 1 << 2;
// The first element of an array of references: after the class, the lock word and the length (ART
// 8-16 runtime/mirror/array.h).
constexpr uint32_t kFirstElement = 12;

// 0, without an exception, for a class or field that the release lacks.
uint32_t OffsetOf(JNIEnv* env, jclass type, framework::Field row) {
  uint32_t offset = 0;
  return LoadFieldOffset(framework::IdOrNull(env, type, row), &offset) ? offset : 0;
}

}  // namespace

void MainQueue::Find(JNIEnv* env) {
  constexpr jint kMostClasses = 12;
  was_sought_ = true;
  env->PushLocalFrame(kMostClasses);
  jclass looper = framework::ClassOrNull(env, framework::kLooper);
  jclass queue = framework::ClassOrNull(env, framework::kMessageQueue);
  jclass message = framework::ClassOrNull(env, framework::kMessage);
  const bool has_all = looper != nullptr && queue != nullptr && message != nullptr;
  if (has_all) {
    main_looper_ = PointerOfId(framework::IdOrNull(env, looper, framework::kMainLooper));
    poll_ = PointerOfId(framework::IdOrNull(env, queue, framework::kPollOnce));
    queue_ = OffsetOf(env, looper, framework::kLooperQueue);
    target_ = OffsetOf(env, message, framework::kMessageTarget);
    when_ = OffsetOf(env, message, framework::kMessageWhen);
    messages_ = OffsetOf(env, queue, framework::kQueueMessages);
    FindHeaps(env, queue, message);
    FindSets(env, queue);
  }
  env->PopLocalFrame(nullptr);
  if (main_looper_ == 0 || queue_ == 0 || target_ == 0 || when_ == 0 ||
      (messages_ == 0 && stack_ == 0 && set_map_ == 0))
    main_looper_ = 0;
}

void MainQueue::FindHeaps(JNIEnv* env, jclass queue, jclass message) {
  stack_ = OffsetOf(env, queue, framework::kQueueStack);
  if (stack_ == 0) return;
  jclass stack = framework::ClassOrNull(env, framework::kMessageStack);
  jclass heap = framework::ClassOrNull(env, framework::kMessageHeap);
  heaps_[0] = OffsetOf(env, stack, framework::kSyncHeap);
  heaps_[1] = OffsetOf(env, stack, framework::kAsyncHeap);
  heap_array_ = OffsetOf(env, heap, framework::kHeapArray);
  heap_count_ = OffsetOf(env, heap, framework::kHeapCount);
  flags_ = OffsetOf(env, message, framework::kMessageFlags);
  if (heaps_[0] == 0 || heaps_[1] == 0 || heap_array_ == 0 || heap_count_ == 0 || flags_ == 0)
    stack_ = 0;
}

// The set's map is a skip list (JDK 9-21 java/util/concurrent/ConcurrentSkipListMap.java): its head
// leads to a node without a key, which is followed by the list.
void MainQueue::FindSets(JNIEnv* env, jclass queue) {
  sets_[0] = OffsetOf(env, queue, framework::kQueueSet);
  if (sets_[0] == 0) return;
  sets_[1] = OffsetOf(env, queue, framework::kQueueAsyncSet);
  jclass map = framework::ClassOrNull(env, framework::kSkipListMap);
  jclass index = framework::ClassOrNull(env, framework::kSkipListIndex);
  jclass node = framework::ClassOrNull(env, framework::kSkipListNode);
  set_map_ =
      OffsetOf(env, framework::ClassOrNull(env, framework::kSkipListSet), framework::kSetMap);
  map_head_ = OffsetOf(env, map, framework::kMapHead);
  if (map_head_ == 0)  // up to Android 13
    map_head_ = OffsetOf(env, map, framework::kMapHeadUntil8);
  index_node_ = OffsetOf(env, index, framework::kIndexNode);
  node_next_ = OffsetOf(env, node, framework::kListNext);
  node_key_ = OffsetOf(env, node, framework::kListKey);
  node_value_ = OffsetOf(env, node, framework::kListValue);
  if (node_value_ == 0) node_value_ = OffsetOf(env, node, framework::kListValueUntil8);
  key_message_ =
      OffsetOf(env, framework::ClassOrNull(env, framework::kMessageNode), framework::kNodeMessage);
  if (sets_[1] == 0 || map_head_ == 0 || index_node_ == 0 || node_next_ == 0 || node_key_ == 0 ||
      node_value_ == 0 || key_message_ == 0)
    set_map_ = 0;
}

uint32_t MainQueue::Queue() const {
  uint32_t offset = 0;
  if (main_looper_ == 0 || !arch::GuardedLoad32(main_looper_ + kFieldOffset, &offset)) return 0;
  return LoadReference(LoadReference(LoadReference(main_looper_, 0), offset), queue_);
}

uint32_t MainQueue::FirstOfHeap(uint32_t heap) const {
  uint32_t count = 0;
  uint32_t flags = 0;
  if (heap == 0 || !arch::GuardedLoad32(heap + heap_count_, &count) || count == 0) return 0;
  const uint32_t message = LoadReference(LoadReference(heap, heap_array_), kFirstElement);
  const bool is_there = message != 0 && arch::GuardedLoad32(message + flags_, &flags);
  return is_there && (flags & kRemoved) == 0 ? message : 0;
}

uint32_t MainQueue::FirstOfSet(uint32_t set) const {
  constexpr int kMostNodes = 64;  // nodes without key or value are being deleted
  uint32_t node =
      LoadReference(LoadReference(LoadReference(set, set_map_), map_head_), index_node_);
  for (int i = 0; i < kMostNodes; ++i) {
    node = LoadReference(node, node_next_);
    if (node == 0) return 0;
    const uint32_t key = LoadReference(node, node_key_);
    if (key != 0 && LoadReference(node, node_value_) != 0) return LoadReference(key, key_message_);
  }
  return 0;
}

uint32_t MainQueue::Head(int which) const {
  const uint32_t queue = Queue();
  if (queue == 0) return 0;
  const uint32_t first = messages_ != 0 && which == 0 ? LoadReference(queue, messages_) : 0;
  if (first != 0) return first;
  if (stack_ != 0) return FirstOfHeap(LoadReference(LoadReference(queue, stack_), heaps_[which]));
  return set_map_ != 0 ? FirstOfSet(LoadReference(queue, sets_[which])) : 0;
}

uint64_t MainQueue::HeadDueNs() const {
  uint64_t due_ns = UINT64_MAX;
  for (int which = 0; which < kHeads; ++which) {
    const uint32_t head = Head(which);
    uint32_t halves[2] = {};
    if (head == 0 || LoadReference(head, target_) == 0 ||
        !arch::GuardedLoad32(head + when_, &halves[0]) ||
        !arch::GuardedLoad32(head + when_ + sizeof halves[0], &halves[1]))
      continue;
    const uint64_t when_ms = halves[0] | uint64_t{halves[1]} << 32;
    if (when_ms < UINT64_MAX / os::kNsPerMs) due_ns = std::min(due_ns, when_ms * os::kNsPerMs);
  }
  return due_ns;
}

bool MainQueue::HasBarrier() const {
  const uint32_t head = Head(0);
  uint32_t target = 0;
  return head != 0 && arch::GuardedLoad32(head + target_, &target) && target == 0;
}

}  // namespace stillframe::art
