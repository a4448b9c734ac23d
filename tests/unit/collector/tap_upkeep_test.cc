// SPDX-License-Identifier: Apache-2.0
// Upkeep of the tap without a Looper and without a class for taps. Tests of whole processes have
// real ones.
#include "src/collector/tap_upkeep.h"

#include <gtest/gtest.h>

#include <string>

#include "src/os/duration.h"
#include "tests/unit/collector/usual_setup.h"

namespace stillframe::collector {
namespace {

using os::kNsPerSecond;

class TapUpkeepTest : public testing::Test {
 protected:
  static constexpr uint64_t kStartNs = 1'000 * kNsPerSecond;

  TapUpkeepTest() {
    functions_.PushLocalFrame = [](JNIEnv*, jint) -> jint { return JNI_OK; };
    functions_.PopLocalFrame = [](JNIEnv*, jobject) -> jobject { return nullptr; };
    functions_.FindClass = [](JNIEnv*, const char*) -> jclass { return nullptr; };
    functions_.ExceptionCheck = [](JNIEnv*) -> jboolean { return JNI_TRUE; };
    functions_.ExceptionClear = [](JNIEnv*) {};
  }

  void Start(settings::TapChoice choice) {
    ASSERT_NO_FATAL_FAILURE(bed_.Start(&names_, choice));
    upkeep_.Start(
        {},
        {&bed_.tap, &bed_.taps, &bed_.main_thread(), &bed_.pipelines, &bed_.frames, &main_queue_},
        kStartNs);
  }
  // The log lines that `act` writes.
  template <typename Do>
  static std::string LogOf(const Do& act) {
    testing::internal::CaptureStderr();
    act();
    return testing::internal::GetCapturedStderr();
  }

  JNINativeInterface_ functions_ = {};
  JNIEnv env_ = {&functions_};
  art::AttachedThread thread_{&env_};
  model::FrameTable names_;
  PipelineBed bed_;
  art::MainQueue main_queue_;
  TapUpkeep upkeep_;
};

TEST_F(TapUpkeepTest, AProcessWithoutAClassLoaderForTapsIsTold) {
  ASSERT_NO_FATAL_FAILURE(Start(settings::TapChoice::kAuto));
  const model::Outcome loaded = upkeep_.LoadClasses(thread_);
  EXPECT_EQ(loaded.status, model::Status::kUnavailable);
  EXPECT_NE(loaded.why.find("no dalvik.system.InMemoryDexClassLoader"), std::string::npos)
      << loaded.why;
}

TEST_F(TapUpkeepTest, ATapThatCannotBePutInPlaceIsSaidToBeNone) {
  ASSERT_NO_FATAL_FAILURE(Start(settings::TapChoice::kAuto));
  EXPECT_EQ(LogOf([this] { upkeep_.InstallTap(thread_); }),
            "stillframe: no tap: no android.os.Looper in this process\n");
  EXPECT_EQ(bed_.taps.kind(), tap::TapKind::kNone);
}

TEST_F(TapUpkeepTest, NobodyLooksForATapThatIsNotWanted) {
  ASSERT_NO_FATAL_FAILURE(Start(settings::TapChoice::kNone));
  EXPECT_EQ(LogOf([this] { upkeep_.InstallTap(thread_); }), "");
}

TEST_F(TapUpkeepTest, AThreadThatDispatchesNothingIsToldOfOnce) {
  ASSERT_NO_FATAL_FAILURE(Start(settings::TapChoice::kAuto));
  const auto tick_after = [this](uint64_t seconds) {
    return upkeep_.Tick(kStartNs + seconds * kNsPerSecond);
  };
  EXPECT_EQ(LogOf([&] { EXPECT_EQ(tick_after(30), os::kNsPerMs) << "it looks once more"; }), "");
  const std::string told = LogOf([&] { EXPECT_EQ(tick_after(31), UINT64_MAX); });
  EXPECT_NE(told.find("has dispatched no message within 30 s"), std::string::npos) << told;
  EXPECT_EQ(LogOf([&] { EXPECT_EQ(tick_after(99), UINT64_MAX); }), "");
}

TEST_F(TapUpkeepTest, TheFirstMessageEndsTheLook) {
  ASSERT_NO_FATAL_FAILURE(Start(settings::TapChoice::kAuto));
  bed_.main_thread().message.Publish(Token{1}, kStartNs, 0);
  EXPECT_EQ(LogOf([this] {
              EXPECT_EQ(upkeep_.Tick(kStartNs + 1), UINT64_MAX);
              upkeep_.Tick(kStartNs + 99 * kNsPerSecond);
            }),
            "");
}

}  // namespace
}  // namespace stillframe::collector
