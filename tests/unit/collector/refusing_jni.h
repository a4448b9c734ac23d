// SPDX-License-Identifier: Apache-2.0
// A JNIEnv without a VM, whose look-ups a test can refuse: FindClass and the four ways to an id.
//
// A refused look-up returns null and leaves an exception, as on a release without the class or
// member, or with a hidden one. Like CheckJNI, it notes each call that ART would not survive: one
// with an exception pending, or with a null class, object or id.
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>
#include <vector>

namespace stillframe {

class RefusingJni {
 public:
  static constexpr int kAll = -1;
  static constexpr int kNone = -2;
  // Each int that is read: also an error state's "not responding", and a probe that has run.
  static constexpr jint kNumber = 2;

  // Refuses the look-up with this number, all, or none.
  explicit RefusingJni(int refused) : refused_(refused) {
    table_.FindClass = [](JNIEnv* env, const char* name) {
      return static_cast<jclass>(Of(env)->LookUp("FindClass", name, memory));
    };
    table_.GetFieldID = [](JNIEnv* env, jclass type, const char* name, const char*) {
      return static_cast<jfieldID>(Of(env)->LookUp("GetFieldID", name, memory, type));
    };
    table_.GetStaticFieldID = table_.GetFieldID;
    table_.GetMethodID = [](JNIEnv* env, jclass type, const char* name, const char*) {
      return static_cast<jmethodID>(Of(env)->LookUp("GetMethodID", name, memory, type));
    };
    table_.GetStaticMethodID = table_.GetMethodID;
    table_.ExceptionCheck = [](JNIEnv* env) { return Of(env)->is_pending_; };
    table_.ExceptionClear = [](JNIEnv* env) { Of(env)->is_pending_ = JNI_FALSE; };
    table_.PushLocalFrame = [](JNIEnv* env, jint) {
      Of(env)->Use("PushLocalFrame");
      return JNI_OK;
    };
    table_.PopLocalFrame = [](JNIEnv*, jobject) -> jobject { return nullptr; };
    table_.DeleteLocalRef = [](JNIEnv*, jobject) {};
    table_.NewGlobalRef = [](JNIEnv* env, jobject object) {
      Of(env)->Use("NewGlobalRef", object);
      return object;
    };
    table_.GetObjectClass = [](JNIEnv* env, jobject object) {
      Of(env)->Use("GetObjectClass", object);
      return Object<jclass>();
    };
    table_.NewObjectV = [](JNIEnv* env, jclass type, jmethodID id, va_list) {
      return static_cast<jobject>(Of(env)->Use("NewObject", type, id));
    };
    table_.NewDirectByteBuffer = [](JNIEnv* env, void*, jlong) {
      return static_cast<jobject>(Of(env)->Use("NewDirectByteBuffer"));
    };
    table_.NewStringUTF = [](JNIEnv* env, const char*) {
      return static_cast<jstring>(Of(env)->Use("NewStringUTF"));
    };
    table_.RegisterNatives = [](JNIEnv* env, jclass type, const JNINativeMethod*, jint) {
      Of(env)->Use("RegisterNatives", type);
      return JNI_OK;
    };
    table_.CallObjectMethodV = [](JNIEnv* env, jobject object, jmethodID id, va_list) {
      return static_cast<jobject>(Of(env)->Use("CallObjectMethod", object, id));
    };
    table_.CallIntMethodV = [](JNIEnv* env, jobject object, jmethodID id, va_list) {
      Of(env)->Use("CallIntMethod", object, id);
      return kNumber;
    };
    table_.CallBooleanMethodV = [](JNIEnv* env, jobject object, jmethodID id, va_list) {
      Of(env)->Use("CallBooleanMethod", object, id);
      return jboolean{JNI_TRUE};
    };
    table_.CallVoidMethodV = [](JNIEnv* env, jobject object, jmethodID id, va_list) {
      Of(env)->Use("CallVoidMethod", object, id);
    };
    table_.CallStaticObjectMethodV = [](JNIEnv* env, jclass type, jmethodID id, va_list) {
      return static_cast<jobject>(Of(env)->Use("CallStaticObjectMethod", type, id));
    };
    table_.CallStaticIntMethodV = [](JNIEnv* env, jclass type, jmethodID id, va_list) {
      Of(env)->Use("CallStaticIntMethod", type, id);
      return kNumber;
    };
    table_.GetObjectField = [](JNIEnv* env, jobject object, jfieldID id) {
      return static_cast<jobject>(Of(env)->Use("GetObjectField", object, id));
    };
    table_.GetStaticObjectField = [](JNIEnv* env, jclass type, jfieldID id) {
      return static_cast<jobject>(Of(env)->Use("GetStaticObjectField", type, id));
    };
    table_.SetStaticObjectField = [](JNIEnv* env, jclass type, jfieldID id, jobject) {
      Of(env)->Use("SetStaticObjectField", type, id);
    };
    table_.GetIntField = [](JNIEnv* env, jobject object, jfieldID id) {
      Of(env)->Use("GetIntField", object, id);
      return kNumber;
    };
    table_.GetLongField = [](JNIEnv* env, jobject object, jfieldID id) {
      Of(env)->Use("GetLongField", object, id);
      return jlong{kNumber};
    };
    table_.GetStaticIntField = [](JNIEnv* env, jclass type, jfieldID id) {
      Of(env)->Use("GetStaticIntField", type, id);
      return kNumber;
    };
    table_.GetBooleanField = [](JNIEnv* env, jobject object, jfieldID id) {
      Of(env)->Use("GetBooleanField", object, id);
      return jboolean{JNI_FALSE};
    };
    table_.IsInstanceOf = [](JNIEnv* env, jobject object, jclass type) {
      Of(env)->Use("IsInstanceOf", object, type);
      return jboolean{JNI_TRUE};
    };
    table_.GetArrayLength = [](JNIEnv* env, jarray array) {
      Of(env)->Use("GetArrayLength", array);
      return kNumber;
    };
    table_.GetObjectArrayElement = [](JNIEnv* env, jobjectArray array, jsize) {
      return static_cast<jobject>(Of(env)->Use("GetObjectArrayElement", array));
    };
    table_.ToReflectedMethod = [](JNIEnv* env, jclass type, jmethodID id, jboolean) {
      return static_cast<jobject>(Of(env)->Use("ToReflectedMethod", type, id));
    };
    table_.GetStringUTFChars = [](JNIEnv* env, jstring string, jboolean*) {
      Of(env)->Use("GetStringUTFChars", string);
      return "java.util.ArrayList";  // the only list whose elements are read
    };
    table_.ReleaseStringUTFChars = [](JNIEnv*, jstring, const char*) {};
    table_.IsSameObject = [](JNIEnv*, jobject a, jobject b) {
      return static_cast<jboolean>(a == b ? JNI_TRUE : JNI_FALSE);
    };
    env_.functions = &table_;
  }
  RefusingJni(const RefusingJni&) = delete;
  RefusingJni& operator=(const RefusingJni&) = delete;

  JNIEnv* env() { return &env_; }

  // Any object, class or string.
  template <typename Reference>
  static Reference Object() {
    return reinterpret_cast<Reference>(memory);
  }

  // An odd id is an index, as in debuggable processes from ART 11 on.
  static jmethodID IndexId() { return reinterpret_cast<jmethodID>(memory + 1); }

  int look_ups() const { return look_ups_; }
  bool is_pending() const { return is_pending_ != JNI_FALSE; }
  const std::string& refused_name() const { return refused_name_; }
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  // A pointer that becomes an object or an id.
  class Any {
   public:
    explicit Any(void* pointer) : pointer_(pointer) {}
    template <typename Pointer>
    explicit operator Pointer*() const {
      return static_cast<Pointer*>(pointer_);
    }

   private:
    void* pointer_;
  };

  static RefusingJni* Of(JNIEnv* env) {
    // The table is the first member.
    return reinterpret_cast<RefusingJni*>(const_cast<JNINativeInterface_*>(env->functions));
  }

  template <typename... Pointers>
  Any Use(const char* call, Pointers... pointers) {
    if (is_pending_) violations_.push_back(std::string(call) + " with an exception pending");
    const bool are_there = (... && static_cast<bool>(pointers));
    if (!are_there) violations_.push_back(std::string(call) + " with a null");
    return Any(memory);
  }

  template <typename... Types>
  Any LookUp(const char* call, const char* name, void* found, Types... types) {
    Use(call, types...);
    const bool is_refused = refused_ == kAll || refused_ == look_ups_;
    ++look_ups_;
    if (!is_refused) return Any(found);
    refused_name_ = std::string(call) + " " + name;
    is_pending_ = JNI_TRUE;
    return Any(nullptr);
  }

  alignas(8) static inline char memory[64] = {};

  JNINativeInterface_ table_ = {};
  JNIEnv_ env_ = {};
  int refused_;
  int look_ups_ = 0;
  jboolean is_pending_ = JNI_FALSE;
  std::string refused_name_;
  std::vector<std::string> violations_;
};

}  // namespace stillframe
