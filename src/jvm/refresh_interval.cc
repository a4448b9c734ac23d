// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/refresh_interval.h"

#include "src/art/framework_members.h"

namespace stillframe::jvm {

namespace framework = art::framework;

uint64_t ReadRefreshInterval(const art::AttachedThread& thread) {
  constexpr jint kLocalReferences = 8;
  JNIEnv* env = thread.env();
  if (env->PushLocalFrame(kLocalReferences) != JNI_OK) {
    env->ExceptionClear();
    return 0;
  }
  jclass type = env->FindClass(framework::kChoreographer);
  jfieldID main = nullptr;
  jfieldID interval = nullptr;
  if (type != nullptr) {
    main = IdOf(env, type, framework::kMainChoreographer);
    if (main == nullptr) {
      env->ExceptionClear();
      main = IdOf(env, type, framework::kMainChoreographer17);
    }
    if (main != nullptr) interval = IdOf(env, type, framework::kFrameInterval);
  }
  if (env->ExceptionCheck()) env->ExceptionClear();
  jlong interval_ns = 0;
  if (interval != nullptr) {
    jobject instance = env->GetStaticObjectField(type, main);
    if (instance != nullptr) interval_ns = env->GetLongField(instance, interval);
  }
  env->PopLocalFrame(nullptr);
  return interval_ns > 0 ? static_cast<uint64_t>(interval_ns) : 0;
}

}  // namespace stillframe::jvm
