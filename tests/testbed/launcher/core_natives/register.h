// SPDX-License-Identifier: Apache-2.0
// Registration of the natives of our core library, which ART loads as libjavacore.so while it
// boots.
#pragma once

#include <jni.h>

#include <string>
#include <vector>

namespace stillframe::testbed {

// One native method; `function` has the JNI signature, or the plain one of a @CriticalNative.
struct Native {
  const char* name;
  const char* signature;
  void* function;
};

// Registers `natives` for `class_name`; false with an exception pending if the class lacks one of
// them.
bool RegisterClass(JNIEnv* env, const char* class_name, const std::vector<Native>& natives);

bool RegisterFileNatives(JNIEnv* env);
bool RegisterMathNatives(JNIEnv* env);
bool RegisterSystemNatives(JNIEnv* env);
bool RegisterTextNatives(JNIEnv* env);

// A function pointer as the table wants it.
template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

std::string ToStdString(JNIEnv* env, jstring text);
jobjectArray ToStringArray(JNIEnv* env, const std::vector<std::string>& texts);

}  // namespace stillframe::testbed
