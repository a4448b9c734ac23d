// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/concurrent_queue.h"

namespace stillframe::jvm {
namespace {

// Message.FLAG_REMOVED (AOSP 17 core/java/android/os/Message.java).
constexpr jint kRemoved = 1 << 2;

bool Threw(JNIEnv* env) {
  if (!env->ExceptionCheck()) return false;
  env->ExceptionClear();
  return true;
}

// Null, without an exception, for a null class and for a field that is missing or refused.
jfieldID Field(JNIEnv* env, jclass type, const char* name, const char* signature) {
  const jfieldID field = type != nullptr ? env->GetFieldID(type, name, signature) : nullptr;
  return Threw(env) ? nullptr : field;
}

jclass Class(JNIEnv* env, const char* name) {
  jclass type = env->FindClass(name);
  return Threw(env) ? nullptr : type;
}

}  // namespace

bool ConcurrentQueue::Find(JNIEnv* env, jclass queue, jclass message) {
  is_stack_ = FindStack(env, queue, message);
  return is_stack_ || FindSets(env, queue);
}

bool ConcurrentQueue::FindStack(JNIEnv* env, jclass queue, jclass message) {
  stack_ = Field(env, queue, "mStack", "Landroid/os/MessageStack;");
  if (stack_ == nullptr) return false;
  stack_class_ = Class(env, "android/os/MessageStack");
  top_ = Field(env, stack_class_, "mTopValue", "Landroid/os/Message;");
  next_ = Field(env, message, "next", "Landroid/os/Message;");
  flags_ = Field(env, message, "flags", "I");
  object_ = Field(env, message, "obj", "Ljava/lang/Object;");
  number_ = Field(env, message, "insertSeq", "J");
  if (stack_class_ == nullptr) return false;
  quitting_ = env->GetStaticFieldID(stack_class_, "QUITTING_NODE_OBJ", "Ljava/lang/Object;");
  const bool has_quitting = !Threw(env);
  return has_quitting && top_ != nullptr && next_ != nullptr && flags_ != nullptr &&
         object_ != nullptr && number_ != nullptr;
}

bool ConcurrentQueue::FindSets(JNIEnv* env, jclass queue) {
  constexpr const char* kSet = "Ljava/util/concurrent/ConcurrentSkipListSet;";
  constexpr const char* kNode = "Landroid/os/MessageQueue$StackNode;";
  sets_[0] = Field(env, queue, "mPriorityQueue", kSet);
  if (sets_[0] == nullptr) return false;
  sets_[1] = Field(env, queue, "mAsyncPriorityQueue", kSet);
  state_ = Field(env, queue, "mStateValue", kNode);
  draining_ = Field(env, queue, "mNextIsDrainingStack", "Z");
  node_class_ = Class(env, "android/os/MessageQueue$MessageNode");
  node_next_ = Field(env, node_class_, "mNext", kNode);
  node_message_ = Field(env, node_class_, "mMessage", "Landroid/os/Message;");
  node_number_ = Field(env, node_class_, "mInsertSeq", "J");
  node_removed_ = Field(env, node_class_, "mRemovedFromStackValue", "Z");
  jclass collection = Class(env, "java/util/Collection");
  if (collection == nullptr) return false;
  to_array_ = env->GetMethodID(collection, "toArray", "()[Ljava/lang/Object;");
  return !Threw(env) && sets_[1] != nullptr && state_ != nullptr && draining_ != nullptr &&
         node_next_ != nullptr && node_message_ != nullptr && node_number_ != nullptr &&
         node_removed_ != nullptr;
}

bool ConcurrentQueue::ForEach(JNIEnv* env, jobject queue, Visitor* visitor) const {
  if (is_stack_) {
    VisitStack(env, queue, visitor);
    return true;
  }
  const bool was_draining = env->GetBooleanField(queue, draining_) != JNI_FALSE;
  if (VisitNodes(env, queue, visitor))
    for (const jfieldID set : sets_)
      if (!VisitSet(env, env->GetObjectField(queue, set), visitor)) break;
  return !was_draining && env->GetBooleanField(queue, draining_) == JNI_FALSE;
}

void ConcurrentQueue::VisitStack(JNIEnv* env, jobject queue, Visitor* visitor) const {
  jobject stack = env->GetObjectField(queue, stack_);
  if (stack == nullptr) return;
  jobject quitting = env->GetStaticObjectField(stack_class_, quitting_);
  jobject message = env->GetObjectField(stack, top_);
  bool goes_on = true;
  while (goes_on && message != nullptr) {
    jobject object = env->GetObjectField(message, object_);
    const bool is_mark = object != nullptr && env->IsSameObject(object, quitting);
    env->DeleteLocalRef(object);
    if (!is_mark && (env->GetIntField(message, flags_) & kRemoved) == 0)
      goes_on = visitor->Visit(message, env->GetLongField(message, number_));
    jobject next = env->GetObjectField(message, next_);
    env->DeleteLocalRef(message);
    message = next;
  }
  env->DeleteLocalRef(message);
  env->DeleteLocalRef(quitting);
  env->DeleteLocalRef(stack);
}

bool ConcurrentQueue::VisitNode(JNIEnv* env, jobject node, Visitor* visitor) const {
  jobject message = env->GetObjectField(node, node_message_);
  if (message == nullptr) return true;
  const bool goes_on = visitor->Visit(message, env->GetLongField(node, node_number_));
  env->DeleteLocalRef(message);
  return goes_on;
}

// The looper's thread moves these into the sets.
bool ConcurrentQueue::VisitNodes(JNIEnv* env, jobject queue, Visitor* visitor) const {
  jobject node = env->GetObjectField(queue, state_);
  bool goes_on = true;
  while (goes_on && node != nullptr && env->IsInstanceOf(node, node_class_) != JNI_FALSE) {
    if (env->GetBooleanField(node, node_removed_) == JNI_FALSE)
      goes_on = VisitNode(env, node, visitor);
    jobject next = env->GetObjectField(node, node_next_);
    env->DeleteLocalRef(node);
    node = next;
  }
  env->DeleteLocalRef(node);
  return goes_on;
}

bool ConcurrentQueue::VisitSet(JNIEnv* env, jobject set, Visitor* visitor) const {
  if (set == nullptr) return true;
  auto nodes = static_cast<jobjectArray>(env->CallObjectMethod(set, to_array_));
  env->DeleteLocalRef(set);
  if (Threw(env) || nodes == nullptr) return false;
  bool goes_on = true;
  const jsize count = env->GetArrayLength(nodes);
  for (jsize i = 0; goes_on && i < count; ++i) {
    jobject node = env->GetObjectArrayElement(nodes, i);
    if (env->IsInstanceOf(node, node_class_) != JNI_FALSE) goes_on = VisitNode(env, node, visitor);
    env->DeleteLocalRef(node);
  }
  env->DeleteLocalRef(nodes);
  return goes_on;
}

}  // namespace stillframe::jvm
