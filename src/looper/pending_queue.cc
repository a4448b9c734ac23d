#include "src/looper/pending_queue.h"

#include <time.h>

#include "src/art/jni_method.h"
#include "src/core/clock.h"

namespace stillframe::looper {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr size_t kStackBytes = 256U << 10;

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

PendingMessages ReadQueue(JNIEnv* env, size_t limit) {
  constexpr jint kLocalReferences = 16;
  // SystemClock.uptimeMillis() is CLOCK_MONOTONIC.
  const auto now_ms = static_cast<int64_t>(core::MonotonicNs() / kNsPerMs);
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

}  // namespace

bool PendingQueueReader::Start(JavaVM* vm) {
  vm_ = vm;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  is_started_ = pthread_create(&thread_, &attributes, RunThread, this) == 0;
  pthread_attr_destroy(&attributes);
  return is_started_;
}

void* PendingQueueReader::RunThread(void* reader) {
  pthread_setname_np(pthread_self(), "stillframe-q");
  static_cast<PendingQueueReader*>(reader)->Run();
  return nullptr;
}

void PendingQueueReader::Run() {
  char name[] = "stillframe-q";
  JavaVMAttachArgs arguments = {JNI_VERSION_1_6, name, nullptr};
  void* env = nullptr;
  for (;;) {
    pthread_mutex_lock(&mutex_);
    while (requested_ == answered_) pthread_cond_wait(&changed_, &mutex_);
    const uint32_t number = requested_;
    const size_t limit = limit_;
    pthread_mutex_unlock(&mutex_);
    PendingMessages answer;
    answer.absent = "the reading thread cannot be attached to the Java VM";
    // Attached only from the first request on: most processes never dump.
    if (env != nullptr || art::AttachAsDaemon(vm_, &env, &arguments)) {
      answer = ReadQueue(static_cast<JNIEnv*>(env), limit);
    }
    pthread_mutex_lock(&mutex_);
    answer_ = answer;
    answered_ = number;
    pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&mutex_);
  }
}

PendingMessages PendingQueueReader::Read(size_t limit, uint32_t timeout_ms) {
  PendingMessages none;
  none.absent = "there is no thread to read it";
  if (!is_started_) return none;
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  const uint64_t ns = static_cast<uint64_t>(until.tv_nsec) + timeout_ms * kNsPerMs;
  until.tv_sec += static_cast<time_t>(ns / 1'000'000'000U);
  until.tv_nsec = static_cast<long>(ns % 1'000'000'000U);
  none.absent =
      "the runtime did not let its reader in within " + std::to_string(timeout_ms) + " ms";
  pthread_mutex_lock(&mutex_);
  const uint32_t number = ++requested_;
  limit_ = limit;
  pthread_cond_broadcast(&changed_);
  int error = 0;
  while (answered_ != number && error == 0) {
    error = pthread_cond_timedwait(&changed_, &mutex_, &until);
  }
  PendingMessages result = answered_ == number ? answer_ : none;
  pthread_mutex_unlock(&mutex_);
  return result;
}

}  // namespace stillframe::looper
