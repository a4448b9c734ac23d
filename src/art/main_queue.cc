// SPDX-License-Identifier: Apache-2.0
// Fields by AOSP 8-14, core/java/android/os/{Looper,MessageQueue,Message}.java: sMainLooper.mQueue
// .mMessages.target, null for a barrier.
#include "src/art/main_queue.h"

#include "arch/arch.h"
#include "src/art/field_offset.h"
#include "src/art/jni_id.h"

namespace stillframe::art {

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
  const jmethodID poll =
      env->ExceptionCheck() ? nullptr : env->GetMethodID(queue, "nativePollOnce", "(JI)V");
  const bool has_all = !env->ExceptionCheck();
  env->ExceptionClear();
  env->PopLocalFrame(nullptr);
  uint32_t offset = 0;
  if (!has_all || !LoadFieldOffset(main_looper, &offset) || !LoadFieldOffset(in_looper, &queue_) ||
      !LoadFieldOffset(in_queue, &messages_) || !LoadFieldOffset(in_message, &target_))
    return false;
  main_looper_ = PointerOfId(main_looper);
  poll_ = PointerOfId(poll);
  return poll_ != 0;
}

bool MainQueue::HasBarrier() const {
  uint32_t offset = 0;
  if (main_looper_ == 0 || !arch::GuardedLoad32(main_looper_ + kFieldOffset, &offset)) return false;
  const uint32_t looper = LoadReference(LoadReference(main_looper_, 0), offset);
  const uint32_t head = LoadReference(LoadReference(looper, queue_), messages_);
  uint32_t target = 0;
  return head != 0 && arch::GuardedLoad32(head + target_, &target) && target == 0;
}

}  // namespace stillframe::art
