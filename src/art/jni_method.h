// JNI tables for both jni.h: the JDK's has char* where Android's has const char*.
// Context: any thread
#pragma once

#include <jni.h>

namespace stillframe::art {

template <typename Function>
JNINativeMethod JniMethod(const char* name, const char* signature, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

}  // namespace stillframe::art
