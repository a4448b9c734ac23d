#include "src/looper/pending_queue.h"

namespace stillframe::looper {
namespace {

bool Threw(JNIEnv* env) {
  if (!env->ExceptionCheck()) return false;
  env->ExceptionClear();
  return true;
}

// Fields by AOSP 8-16, core/java/android/os/{Looper,MessageQueue,Message}.java.
struct Fields {
  jmethodID get_main_looper = nullptr;
  jmethodID get_queue = nullptr;
  jmethodID get_class_name = nullptr;
  jmethodID is_asynchronous = nullptr;
  jfieldID messages = nullptr;
  jfieldID next = nullptr;
  jfieldID when = nullptr;
  jfieldID what = nullptr;
  jfieldID target = nullptr;
  jfieldID callback = nullptr;
  jclass looper = nullptr;

  bool Find(JNIEnv* env) {
    looper = env->FindClass("android/os/Looper");
    jclass queue = Threw(env) ? nullptr : env->FindClass("android/os/MessageQueue");
    jclass message = Threw(env) ? nullptr : env->FindClass("android/os/Message");
    jclass type = Threw(env) ? nullptr : env->FindClass("java/lang/Class");
    if (Threw(env) || type == nullptr) return false;
    get_main_looper = env->GetStaticMethodID(looper, "getMainLooper", "()Landroid/os/Looper;");
    if (Threw(env)) return false;
    get_queue = env->GetMethodID(looper, "getQueue", "()Landroid/os/MessageQueue;");
    if (Threw(env)) return false;
    messages = env->GetFieldID(queue, "mMessages", "Landroid/os/Message;");
    if (Threw(env)) return false;
    next = env->GetFieldID(message, "next", "Landroid/os/Message;");
    if (Threw(env)) return false;
    when = env->GetFieldID(message, "when", "J");
    if (Threw(env)) return false;
    what = env->GetFieldID(message, "what", "I");
    if (Threw(env)) return false;
    target = env->GetFieldID(message, "target", "Landroid/os/Handler;");
    if (Threw(env)) return false;
    callback = env->GetFieldID(message, "callback", "Ljava/lang/Runnable;");
    if (Threw(env)) return false;
    is_asynchronous = env->GetMethodID(message, "isAsynchronous", "()Z");
    if (Threw(env)) return false;
    get_class_name = env->GetMethodID(type, "getName", "()Ljava/lang/String;");
    return !Threw(env);
  }
};

std::string ClassNameOf(JNIEnv* env, const Fields& fields, jobject object) {
  if (object == nullptr) return "";
  auto name = static_cast<jstring>(
      env->CallObjectMethod(env->GetObjectClass(object), fields.get_class_name));
  if (Threw(env) || name == nullptr) return "";
  const char* chars = env->GetStringUTFChars(name, nullptr);
  std::string text = chars != nullptr ? chars : "";
  if (chars != nullptr) env->ReleaseStringUTFChars(name, chars);
  return text;
}

dump::PendingMessage Describe(JNIEnv* env, const Fields& fields, jobject message, int64_t now_ms) {
  dump::PendingMessage pending;
  jobject target = env->GetObjectField(message, fields.target);
  pending.delay_ms = env->GetLongField(message, fields.when) - now_ms;
  pending.what = env->GetIntField(message, fields.what);
  pending.is_barrier = target == nullptr;  // only barriers have no target
  pending.is_asynchronous = env->CallBooleanMethod(message, fields.is_asynchronous) != JNI_FALSE;
  pending.target = ClassNameOf(env, fields, target);
  pending.callback = ClassNameOf(env, fields, env->GetObjectField(message, fields.callback));
  Threw(env);
  return pending;
}

}  // namespace

PendingMessages ReadPendingMessages(JNIEnv* env, int64_t now_ms, size_t limit) {
  constexpr jint kLocalReferences = 16;
  PendingMessages result;
  Fields fields;
  if (env->PushLocalFrame(kLocalReferences) != JNI_OK) return result;
  result.absent = "this platform's message queue has no mMessages";
  jobject looper = nullptr;
  if (fields.Find(env)) {
    looper = env->CallStaticObjectMethod(fields.looper, fields.get_main_looper);
    result.absent = "there is no main looper";
  }
  if (!Threw(env) && looper != nullptr) {
    jobject queue = env->CallObjectMethod(looper, fields.get_queue);
    jobject message = Threw(env) ? nullptr : env->GetObjectField(queue, fields.messages);
    while (message != nullptr && result.messages.size() < limit) {
      if (env->PushLocalFrame(kLocalReferences) != JNI_OK) break;
      result.messages.push_back(Describe(env, fields, message, now_ms));
      // The frame's other references go; the next message moves out of it.
      message = env->PopLocalFrame(env->GetObjectField(message, fields.next));
    }
    result.source = "MessageQueue.mMessages";
    result.absent.clear();
  }
  env->PopLocalFrame(nullptr);
  return result;
}

}  // namespace stillframe::looper
