// SPDX-License-Identifier: Apache-2.0
// The stage of a frame by what its samples are in.
#include <gtest/gtest.h>

#include "src/history/frame_statistics.h"

namespace stillframe::history {
namespace {

class FrameStageTest : public testing::Test {
 protected:
  model::FrameId Frame(const char* class_name, const char* method) {
    return frames_.InternFrame(class_name, method, "()V", "", 1, model::FrameKind::kInterpreted);
  }
  void Sample(const char* callback, const char* method, uint32_t weight_us) {
    const model::FrameId stack[] = {
        Frame("android.view.Choreographer", "doFrame"),
        Frame("android.view.Choreographer$CallbackRecord", "run"),
        Frame(callback, method),
        Frame("com.example.View", "draw"),
    };
    wall_us_ += weight_us;
    tree_.Add(stack, {wall_us_, weight_us, 0, model::ThreadState::kRunnable});
  }
  model::FrameStage Stage() const { return StageOf(tree_, frames_); }

  model::FrameTable frames_;
  model::TraceTree tree_{Token{1}};
  uint32_t wall_us_ = 0;
};

TEST_F(FrameStageTest, ATreeWithoutAFrameHasNoStage) {
  EXPECT_EQ(Stage(), model::FrameStage::kNone);
  const model::FrameId stack[] = {Frame("com.example.Main", "run"), Frame("a.B", "c")};
  tree_.Add(stack, {1, 1, 0, model::ThreadState::kRunnable});
  EXPECT_EQ(Stage(), model::FrameStage::kNone);
}

TEST_F(FrameStageTest, AFramesStageIsTheOneThatTookLongest) {
  Sample("android.view.ViewRootImpl$ConsumeBatchedInputRunnable", "run", 10'000);
  EXPECT_EQ(Stage(), model::FrameStage::kInput);
  Sample("com.example.Spinner", "doFrame", 20'000);
  EXPECT_EQ(Stage(), model::FrameStage::kAnimation);
  Sample("android.view.InsetsController$$ExternalSyntheticLambda1", "run", 30'000);
  EXPECT_EQ(Stage(), model::FrameStage::kInsets);
  Sample("android.view.ViewRootImpl$TraversalRunnable", "run", 40'000);
  EXPECT_EQ(Stage(), model::FrameStage::kTraversal);
  Sample("android.animation.AnimationHandler$2", "run", 50'000);
  EXPECT_EQ(Stage(), model::FrameStage::kCommit);
  Sample("android.animation.AnimationHandler$1", "doFrame", 60'000);
  EXPECT_EQ(Stage(), model::FrameStage::kAnimation);
}

// AOSP 17, core/java/android/view/ViewRootImpl.java: both are Choreographer.VsyncCallbacks.
TEST_F(FrameStageTest, Android17HasOtherCallbacks) {
  Sample("android.view.ViewRootImpl$ConsumeBatchedInputCallback", "onVsync", 10'000);
  EXPECT_EQ(Stage(), model::FrameStage::kInput);
  Sample("android.view.ViewRootImpl$TraversalCallback", "onVsync", 20'000);
  EXPECT_EQ(Stage(), model::FrameStage::kTraversal);
}

TEST_F(FrameStageTest, AFrameIsToldByItsCallback) {
  EXPECT_TRUE(IsFrameCallback("android.view.Choreographer$FrameDisplayEventReceiver"));
  EXPECT_FALSE(IsFrameCallback("com.example.Runnable"));
}

}  // namespace
}  // namespace stillframe::history
