// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/error_state.h"

#include "src/art/framework_members.h"

namespace stillframe::jvm {
namespace {

namespace framework = art::framework;

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
    jclass type = framework::ClassOrNull(env_, framework::kActivityThread);
    const jmethodID current = framework::IdOrNull(env_, type, framework::kCurrentApplication);
    if (current == nullptr) return nullptr;
    jobject application = env_->CallStaticObjectMethod(type, current);
    return Threw() ? nullptr : application;
  }

  template <typename... Arguments>
  jobject Object(jobject on, framework::Method row, Arguments... arguments) {
    if (on == nullptr) return nullptr;
    const jmethodID method = IdByObject(env_, on, row);
    jobject result = Threw() ? nullptr : env_->CallObjectMethod(on, method, arguments...);
    return Threw() ? nullptr : result;
  }

  jint Int(jobject on, framework::Method row) {
    const jmethodID method = IdByObject(env_, on, row);
    const jint result = Threw() ? 0 : env_->CallIntMethod(on, method);
    return Threw() ? 0 : result;
  }

  jint IntField(jobject of, framework::Field row) {
    const jfieldID field = IdByObject(env_, of, row);
    return Threw() ? 0 : env_->GetIntField(of, field);
  }

  std::string TextField(jobject of, framework::Field row) {
    const jfieldID field = IdByObject(env_, of, row);
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
  jobject manager = calls->Object(application, framework::kGetSystemService, name);
  if (manager == nullptr) return state;
  state.absent.clear();
  // Null if no process of the caller's is in such a state.
  jobject list = calls->Object(manager, framework::kProcessesInError);
  const jint count = list != nullptr ? calls->Int(list, framework::kListSize) : 0;
  for (jint i = 0; i < count && !state.is_not_responding; ++i) {
    if (calls->env()->PushLocalFrame(kLocalReferences) != JNI_OK) break;
    jobject info = calls->Object(list, framework::kListGet, i);
    if (info != nullptr && calls->IntField(info, framework::kErrorPid) == pid &&
        calls->IntField(info, framework::kErrorCondition) == kNotResponding) {
      state.is_not_responding = true;
      state.reason = calls->TextField(info, framework::kErrorText);
      state.component = calls->TextField(info, framework::kErrorTag);
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
