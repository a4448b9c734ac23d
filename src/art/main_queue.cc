// SPDX-License-Identifier: Apache-2.0
// Fields are those of AOSP 8-14, core/java/android/os/{Looper,MessageQueue,Message}.java:
// sMainLooper.mQueue.mMessages.{target,when}; target is null for a barrier.
#include "src/art/main_queue.h"

#include "arch/arch.h"
#include "src/art/field_offset.h"
#include "src/os/duration.h"

namespace stillframe::art {

// Looper.sMainLooper.mThread.nativePeer (AOSP 8-14, libcore/ojluni/src/main/java/java/lang/
// Thread.java).
uintptr_t FindMainThread(JNIEnv* env) {
  jlong peer = 0;
  env->PushLocalFrame(4);
  jclass looper = env->FindClass("android/os/Looper");
  jclass thread = env->ExceptionCheck() ? nullptr : env->FindClass("java/lang/Thread");
  const jfieldID main_looper =
      env->ExceptionCheck() ? nullptr
                            : env->GetStaticFieldID(looper, "sMainLooper", "Landroid/os/Looper;");
  const jfieldID in_looper =
      env->ExceptionCheck() ? nullptr : env->GetFieldID(looper, "mThread", "Ljava/lang/Thread;");
  const jfieldID in_thread =
      env->ExceptionCheck() ? nullptr : env->GetFieldID(thread, "nativePeer", "J");
  if (!env->ExceptionCheck()) {
    jobject main = env->GetStaticObjectField(looper, main_looper);
    jobject its_thread = main == nullptr ? nullptr : env->GetObjectField(main, in_looper);
    if (its_thread != nullptr) peer = env->GetLongField(its_thread, in_thread);
  }
  env->ExceptionClear();
  env->PopLocalFrame(nullptr);
  return static_cast<uintptr_t>(peer);
}

bool MainQueue::Find(JNIEnv* env) {
  poll_ = 0;
  env->PushLocalFrame(4);
  jclass looper = env->FindClass("android/os/Looper");
  jclass queue = env->ExceptionCheck() ? nullptr : env->FindClass("android/os/MessageQueue");
  jclass message = env->ExceptionCheck() ? nullptr : env->FindClass("android/os/Message");
  const auto field = [env](jclass type, const char* name, const char* signature) {
    return env->ExceptionCheck() ? nullptr : env->GetFieldID(type, name, signature);
  };
  const jfieldID main_looper =
      env->ExceptionCheck() ? nullptr
                            : env->GetStaticFieldID(looper, "sMainLooper", "Landroid/os/Looper;");
  const jfieldID in_looper = field(looper, "mQueue", "Landroid/os/MessageQueue;");
  const jfieldID in_queue = field(queue, "mMessages", "Landroid/os/Message;");
  const jfieldID in_message = field(message, "target", "Landroid/os/Handler;");
  const jfieldID when = field(message, "when", "J");
  const jmethodID poll =
      env->ExceptionCheck() ? nullptr : env->GetMethodID(queue, "nativePollOnce", "(JI)V");
  const bool has_all = !env->ExceptionCheck();
  env->ExceptionClear();
  env->PopLocalFrame(nullptr);
  uint32_t offset = 0;
  if (!has_all || !LoadFieldOffset(main_looper, &offset) || !LoadFieldOffset(in_looper, &queue_) ||
      !LoadFieldOffset(in_queue, &messages_) || !LoadFieldOffset(in_message, &target_) ||
      !LoadFieldOffset(when, &when_))
    return false;
  main_looper_ = PointerOfId(main_looper);
  poll_ = PointerOfId(poll);
  return poll_ != 0;
}

uint32_t MainQueue::Head() const {
  uint32_t offset = 0;
  if (main_looper_ == 0 || !arch::GuardedLoad32(main_looper_ + kFieldOffset, &offset)) return 0;
  const uint32_t looper = LoadReference(LoadReference(main_looper_, 0), offset);
  return LoadReference(LoadReference(looper, queue_), messages_);
}

uint64_t MainQueue::HeadDueNs() const {
  const uint32_t head = Head();
  uint32_t halves[2] = {};
  if (head == 0 || LoadReference(head, target_) == 0 ||
      !arch::GuardedLoad32(head + when_, &halves[0]) ||
      !arch::GuardedLoad32(head + when_ + sizeof halves[0], &halves[1]))
    return UINT64_MAX;
  const uint64_t when_ms = halves[0] | uint64_t{halves[1]} << 32;
  return when_ms < UINT64_MAX / os::kNsPerMs ? when_ms * os::kNsPerMs : UINT64_MAX;
}

bool MainQueue::HasBarrier() const {
  const uint32_t head = Head();
  uint32_t target = 0;
  return head != 0 && arch::GuardedLoad32(head + target_, &target) && target == 0;
}

}  // namespace stillframe::art
