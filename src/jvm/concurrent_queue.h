// SPDX-License-Identifier: Apache-2.0
// The message queues that Android 16 and 17 keep beside MessageQueue.mMessages, which is null then.
//
// Android 16 (AOSP 16 core/java/android/os/CombinedMessageQueue/MessageQueue.java): two skip-list
// sets of nodes, mPriorityQueue and mAsyncPriorityQueue, and a stack of nodes that are not in them
// yet, from mStateValue to a state node.
// Android 17 (core/java/android/os/MessageStack.java): a stack of all messages from
// mStack.mTopValue. A message that was removed stays there, marked, until the looper's thread takes
// it out; so do all when the queue quits, which a mark says.
// Both order messages by time, and by number within it (Message.compareMessages).
//
// Problem: no lock excludes changes, and the stacks are not in order.
// Rule: one visit reads the order of all messages, a second one describes the first of them. As for
// mMessages, the caller reads until two readings agree.
// Context: a thread that may be held up by the runtime
#pragma once

#include <jni.h>

#include <cstdint>

namespace stillframe::jvm {

class ConcurrentQueue {
 public:
  // Gets a message and its number among those of the same time. False ends the visit.
  class Visitor {
   public:
    virtual bool Visit(jobject message, int64_t number) = 0;

   protected:
    ~Visitor() = default;
  };

  // Finds the release's fields. False, without a pending exception, if it has none of the two
  // queues, or if one of their fields is missing or refused.
  bool Find(JNIEnv* env, jclass queue, jclass message);

  // The field that the messages were read from, for a dump.
  const char* source() const {
    return is_stack_ ? "MessageQueue.mStack" : "MessageQueue.mPriorityQueue";
  }

  // Visits the messages in any order; each once, unless the queue changes. Keeps at most four
  // local references beside those of the visitor. False: the looper's thread was just moving
  // messages from the stack to the sets, so that some may have been in neither; or the stack led in
  // circles.
  bool ForEach(JNIEnv* env, jobject queue, Visitor* visitor) const;

 private:
  bool FindStack(JNIEnv* env, jclass queue, jclass message);
  bool FindSets(JNIEnv* env, jclass queue);
  bool VisitStack(JNIEnv* env, jobject queue, Visitor* visitor) const;
  bool VisitNodes(JNIEnv* env, jobject queue, Visitor* visitor) const;
  bool VisitNode(JNIEnv* env, jobject node, Visitor* visitor) const;
  bool VisitSet(JNIEnv* env, jobject set, Visitor* visitor) const;

  bool is_stack_ = false;
  // 17
  jfieldID stack_ = nullptr;
  jfieldID top_ = nullptr;
  jfieldID next_ = nullptr;
  jfieldID flags_ = nullptr;
  jfieldID object_ = nullptr;
  jfieldID when_ = nullptr;
  jfieldID number_ = nullptr;
  jclass stack_class_ = nullptr;  // valid while the local frame of Find is
  jfieldID quitting_ = nullptr;   // the object of the mark that the queue quits
  // 16
  jfieldID state_ = nullptr;
  jfieldID draining_ = nullptr;
  jfieldID sets_[2] = {};
  jclass node_class_ = nullptr;  // as stack_class_
  jfieldID node_next_ = nullptr;
  jfieldID node_message_ = nullptr;
  jfieldID node_number_ = nullptr;
  jfieldID node_removed_ = nullptr;
  jmethodID to_array_ = nullptr;
};

}  // namespace stillframe::jvm
