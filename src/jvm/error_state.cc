// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/error_state.h"

namespace stillframe::jvm {
namespace {

constexpr jint kNotResponding = 2;
constexpr jint kLocalReferences = 32;

// Calls that return null after any failure, and leave no exception.
class Calls {
 public:
  explicit Calls(JNIEnv* env) : env_(env) {}

  bool Threw() {
    if (!env_->ExceptionCheck()) return false;
    env_->ExceptionClear();
    return true;
  }

  jobject CurrentApplication() {
    jclass type = env_->FindClass("android/app/ActivityThread");
    if (Threw() || type == nullptr) return nullptr;
    const jmethodID current =
        env_->GetStaticMethodID(type, "currentApplication", "()Landroid/app/Application;");
    jobject application = Threw() ? nullptr : env_->CallStaticObjectMethod(type, current);
    return Threw() ? nullptr : application;
  }

  template <typename... Arguments>
  jobject Object(jobject on, const char* name, const char* signature, Arguments... arguments) {
    if (on == nullptr) return nullptr;
    const jmethodID method = env_->GetMethodID(env_->GetObjectClass(on), name, signature);
    jobject result = Threw() ? nullptr : env_->CallObjectMethod(on, method, arguments...);
    return Threw() ? nullptr : result;
  }

  jint Int(jobject on, const char* name) {
    const jmethodID method = env_->GetMethodID(env_->GetObjectClass(on), name, "()I");
    const jint result = Threw() ? 0 : env_->CallIntMethod(on, method);
    return Threw() ? 0 : result;
  }

  jint IntField(jobject of, const char* name) {
    const jfieldID field = env_->GetFieldID(env_->GetObjectClass(of), name, "I");
    return Threw() ? 0 : env_->GetIntField(of, field);
  }

  std::string TextField(jobject of, const char* name) {
    const jfieldID field = env_->GetFieldID(env_->GetObjectClass(of), name, "Ljava/lang/String;");
    auto text = static_cast<jstring>(Threw() ? nullptr : env_->GetObjectField(of, field));
    const char* chars = text != nullptr ? env_->GetStringUTFChars(text, nullptr) : nullptr;
    std::string result = chars != nullptr ? chars : "";
    if (chars != nullptr) env_->ReleaseStringUTFChars(text, chars);
    return result;
  }

  JNIEnv* env() { return env_; }

 private:
  JNIEnv* env_;
};

ErrorState Read(Calls* calls, int32_t pid) {
  ErrorState state;
  jobject application = calls->CurrentApplication();
  state.absent = "this process has no application";
  if (application == nullptr) return state;
  state.absent = "the platform has no activity manager for it";
  jstring name = calls->env()->NewStringUTF("activity");
  jobject manager = calls->Object(application, "getSystemService",
                                  "(Ljava/lang/String;)Ljava/lang/Object;", name);
  if (manager == nullptr) return state;
  state.absent.clear();
  // Null if no process of the caller's is in such a state.
  jobject list = calls->Object(manager, "getProcessesInErrorState", "()Ljava/util/List;");
  const jint count = list != nullptr ? calls->Int(list, "size") : 0;
  for (jint i = 0; i < count && !state.is_not_responding; ++i) {
    if (calls->env()->PushLocalFrame(kLocalReferences) != JNI_OK) break;
    jobject info = calls->Object(list, "get", "(I)Ljava/lang/Object;", i);
    if (info != nullptr && calls->IntField(info, "pid") == pid &&
        calls->IntField(info, "condition") == kNotResponding) {
      state.is_not_responding = true;
      state.reason = calls->TextField(info, "shortMsg");
      state.component = calls->TextField(info, "tag");
    }
    calls->env()->PopLocalFrame(nullptr);
  }
  return state;
}

}  // namespace

ErrorState ReadErrorState(JNIEnv* env, int32_t pid) {
  ErrorState state;
  Calls calls(env);
  if (env->PushLocalFrame(kLocalReferences) != JNI_OK) {
    calls.Threw();
    state.absent = "the runtime has no room for references";
    return state;
  }
  state = Read(&calls, pid);
  env->PopLocalFrame(nullptr);
  return state;
}

}  // namespace stillframe::jvm
