// SPDX-License-Identifier: Apache-2.0
// A Java string's text.
// Context: any thread that is attached
#pragma once

#include <jni.h>

#include <string>

namespace bench {

inline std::string TextOf(JNIEnv* env, jstring string) {
  const char* const characters = env->GetStringUTFChars(string, nullptr);
  std::string text = characters;
  env->ReleaseStringUTFChars(string, characters);
  return text;
}

}  // namespace bench
