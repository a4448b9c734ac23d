// SPDX-License-Identifier: Apache-2.0
// A platform whose Looper lacks the field for the wanted tap.
#include "src/tap/tap_keeper.h"

#include <gtest/gtest.h>
#include <jni.h>

namespace stillframe::tap {
namespace {

using model::Status;

int g_fields_asked = 0;
bool g_has_thrown = false;

// A runtime that has an android.os.Looper, and no field in it.
class LooperWithoutFields {
 public:
  LooperWithoutFields() {
    g_fields_asked = 0;
    table_.PushLocalFrame = [](JNIEnv*, jint) -> jint { return 0; };
    table_.PopLocalFrame = [](JNIEnv*, jobject) -> jobject { return nullptr; };
    table_.FindClass = [](JNIEnv*, const char*) { return reinterpret_cast<jclass>(&g_has_thrown); };
    table_.NewGlobalRef = [](JNIEnv*, jobject object) { return object; };
    table_.GetStaticFieldID = NoField;
    table_.GetFieldID = NoField;
    table_.ExceptionCheck = [](JNIEnv*) -> jboolean { return g_has_thrown ? JNI_TRUE : JNI_FALSE; };
    table_.ExceptionClear = [](JNIEnv*) { g_has_thrown = false; };
    env_.functions = &table_;
  }
  JNIEnv* env() { return &env_; }

 private:
  static jfieldID NoField(JNIEnv*, jclass, const char*, const char*) {
    ++g_fields_asked;
    g_has_thrown = true;
    return nullptr;
  }

  JNINativeInterface_ table_ = {};
  JNIEnv env_ = {};
};

TEST(TapKeeper, AsksAFewTimesForWhatThePlatformLacks) {
  static WatchedLoopers loopers;  // large
  LooperWithoutFields looper;
  Tap tap;
  TapKeeper keeper(&tap, &loopers);
  keeper.Start(settings::TapChoice::kObserver);
  int tries = 0;
  for (; keeper.wants_tap() && tries < 100; ++tries) {
    EXPECT_EQ(keeper.Install(looper.env()).status, Status::kUnavailable);
    EXPECT_TRUE(keeper.has_failed());
    EXPECT_FALSE(g_has_thrown) << "an exception is left pending";
  }
  EXPECT_EQ(tries, TapKeeper::kMostFailures);
  EXPECT_EQ(g_fields_asked, TapKeeper::kMostFailures);
  EXPECT_TRUE(keeper.has_given_up());
}

}  // namespace
}  // namespace stillframe::tap
