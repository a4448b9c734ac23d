// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/concurrent_queue.h"

#include "src/art/framework_members.h"

namespace stillframe::jvm {
namespace {

namespace framework = art::framework;
using framework::ClassOrNull;
using framework::IdOrNull;
using framework::Threw;

// Message.FLAG_REMOVED (AOSP 17 core/java/android/os/Message.java).
constexpr jint kRemoved = 1 << 2;
// Bounds the visit of a stack. One that changes meanwhile may lead in circles.
constexpr uint32_t kMostSteps = 200'000;

}  // namespace

bool ConcurrentQueue::Find(JNIEnv* env, jclass queue, jclass message) {
  is_stack_ = FindStack(env, queue, message);
  return is_stack_ || FindSets(env, queue);
}

bool ConcurrentQueue::FindStack(JNIEnv* env, jclass queue, jclass message) {
  stack_ = IdOrNull(env, queue, framework::kQueueStack);
  if (stack_ == nullptr) return false;
  stack_class_ = ClassOrNull(env, framework::kMessageStack);
  top_ = IdOrNull(env, stack_class_, framework::kStackTop);
  quitting_ = IdOrNull(env, stack_class_, framework::kStackQuits);
  next_ = IdOrNull(env, message, framework::kMessageNext);
  flags_ = IdOrNull(env, message, framework::kMessageFlags);
  object_ = IdOrNull(env, message, framework::kMessageObject);
  when_ = IdOrNull(env, message, framework::kMessageWhen);
  number_ = IdOrNull(env, message, framework::kMessageNumber);
  return top_ != nullptr && quitting_ != nullptr && next_ != nullptr && flags_ != nullptr &&
         object_ != nullptr && when_ != nullptr && number_ != nullptr;
}

bool ConcurrentQueue::FindSets(JNIEnv* env, jclass queue) {
  sets_[0] = IdOrNull(env, queue, framework::kQueueSet);
  if (sets_[0] == nullptr) return false;
  sets_[1] = IdOrNull(env, queue, framework::kQueueAsyncSet);
  state_ = IdOrNull(env, queue, framework::kQueueState);
  draining_ = IdOrNull(env, queue, framework::kQueueDraining);
  node_class_ = ClassOrNull(env, framework::kMessageNode);
  node_next_ = IdOrNull(env, node_class_, framework::kNodeNext);
  node_message_ = IdOrNull(env, node_class_, framework::kNodeMessage);
  node_number_ = IdOrNull(env, node_class_, framework::kNodeNumber);
  node_removed_ = IdOrNull(env, node_class_, framework::kNodeRemoved);
  to_array_ = IdOrNull(env, ClassOrNull(env, framework::kCollection), framework::kToArray);
  return sets_[1] != nullptr && state_ != nullptr && draining_ != nullptr &&
         node_next_ != nullptr && node_message_ != nullptr && node_number_ != nullptr &&
         node_removed_ != nullptr && to_array_ != nullptr;
}

bool ConcurrentQueue::ForEach(JNIEnv* env, jobject queue, Visitor* visitor) const {
  if (is_stack_) return VisitStack(env, queue, visitor);
  const bool was_draining = env->GetBooleanField(queue, draining_) != JNI_FALSE;
  if (VisitNodes(env, queue, visitor))
    for (const jfieldID set : sets_)
      if (!VisitSet(env, env->GetObjectField(queue, set), visitor)) break;
  return !was_draining && env->GetBooleanField(queue, draining_) == JNI_FALSE;
}

// The mark that the queue quits is on top. It has the time until which messages still run; 0: none
// does.
bool ConcurrentQueue::VisitStack(JNIEnv* env, jobject queue, Visitor* visitor) const {
  jobject stack = env->GetObjectField(queue, stack_);
  if (stack == nullptr) return true;
  jobject mark = env->GetStaticObjectField(stack_class_, quitting_);
  jobject message = env->GetObjectField(stack, top_);
  int64_t last_ms = INT64_MAX;
  bool goes_on = true;
  uint32_t steps = 0;
  for (; goes_on && message != nullptr && steps < kMostSteps; ++steps) {
    const int64_t when_ms = env->GetLongField(message, when_);
    jobject object = env->GetObjectField(message, object_);
    const bool is_mark = object != nullptr && env->IsSameObject(object, mark);
    env->DeleteLocalRef(object);
    if (is_mark)
      last_ms = when_ms == 0 ? INT64_MIN : when_ms;
    else if (when_ms <= last_ms && (env->GetIntField(message, flags_) & kRemoved) == 0)
      goes_on = visitor->Visit(message, env->GetLongField(message, number_));
    jobject next = env->GetObjectField(message, next_);
    env->DeleteLocalRef(message);
    message = next;
  }
  env->DeleteLocalRef(message);
  env->DeleteLocalRef(mark);
  env->DeleteLocalRef(stack);
  return steps < kMostSteps;
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
  for (uint32_t steps = 0; goes_on && node != nullptr && steps < kMostSteps &&
                           env->IsInstanceOf(node, node_class_) != JNI_FALSE;
       ++steps) {
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
