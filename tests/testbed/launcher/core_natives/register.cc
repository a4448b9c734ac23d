// SPDX-License-Identifier: Apache-2.0
#include "core_natives/register.h"

namespace stillframe::testbed {

bool RegisterClass(JNIEnv* env, const char* class_name, const std::vector<Native>& natives) {
  jclass owner = env->FindClass(class_name);
  if (owner == nullptr) return false;
  std::vector<JNINativeMethod> table;
  for (const Native& native : natives) {
    // The JDK's jni.h has char* where Android's has const char*. The strings are not written to.
    table.push_back(
        {const_cast<char*>(native.name), const_cast<char*>(native.signature), native.function});
  }
  const jint result = env->RegisterNatives(owner, table.data(), static_cast<jint>(table.size()));
  env->DeleteLocalRef(owner);
  return result == JNI_OK;
}

std::string ToStdString(JNIEnv* env, jstring text) {
  if (text == nullptr) return {};
  const char* utf = env->GetStringUTFChars(text, nullptr);
  std::string result = utf == nullptr ? "" : utf;
  env->ReleaseStringUTFChars(text, utf);
  return result;
}

jobjectArray ToStringArray(JNIEnv* env, const std::vector<std::string>& texts) {
  jclass string_class = env->FindClass("java/lang/String");
  jobjectArray array = env->NewObjectArray(static_cast<jsize>(texts.size()), string_class, nullptr);
  for (size_t i = 0; array != nullptr && i < texts.size(); ++i) {
    jstring text = env->NewStringUTF(texts[i].c_str());
    env->SetObjectArrayElement(array, static_cast<jsize>(i), text);
    env->DeleteLocalRef(text);
  }
  return array;
}

}  // namespace stillframe::testbed

extern "C" __attribute__((visibility("default"))) jint JNI_OnLoad(JavaVM* vm, void*) {
  namespace testbed = stillframe::testbed;
  void* env_pointer = nullptr;
  if (vm->GetEnv(&env_pointer, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  JNIEnv* env = static_cast<JNIEnv*>(env_pointer);
  const bool registered = testbed::RegisterMathNatives(env) && testbed::RegisterTextNatives(env) &&
                          testbed::RegisterFileNatives(env) && testbed::RegisterSystemNatives(env);
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
