// SPDX-License-Identifier: Apache-2.0
// android.os.SystemProperties: the few properties of the device that the test bed stands for. The
// build gives the release and API level, one library for each ART.
// Context: any thread.
#include <string_view>

#include "tests/testbed/native/android_classes.h"
#include "tests/testbed/native/register_natives.h"

namespace testbed {
namespace {

struct Property {
  std::string_view key;
  const char* value;
};

constexpr Property kProperties[] = {
    {"ro.build.version.release", TESTBED_RELEASE},
    {"ro.build.version.sdk", TESTBED_SDK},
    {"ro.build.fingerprint", "stillframe/testbed/testbed:" TESTBED_RELEASE "/debian/1:user"},
    {"ro.build.version.codename", "REL"},
    {"ro.build.version.all_codenames", "REL"},
    {"ro.product.cpu.abilist", "x86_64"},
    {"ro.product.cpu.abilist64", "x86_64"},
    {"ro.product.brand", "stillframe"},
    {"ro.product.manufacturer", "Debian"},
    {"ro.product.model", "ART test bed"},
};

jstring NativeGet(JNIEnv* env, jclass, jstring key, jstring otherwise) {
  return GetProperty(env, key, otherwise);
}

}  // namespace

jstring GetProperty(JNIEnv* env, jstring key, jstring otherwise) {
  const char* chars = env->GetStringUTFChars(key, nullptr);
  if (chars == nullptr) return nullptr;
  jstring result = otherwise;
  for (const Property& property : kProperties)
    if (property.key == chars) result = env->NewStringUTF(property.value);
  env->ReleaseStringUTFChars(key, chars);
  return result;
}

bool RegisterSystemProperties(JNIEnv* env) {
  return RegisterNatives(
      env, "android/os/SystemProperties",
      {Native("native_get", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
              NativeGet)});
}

}  // namespace testbed
