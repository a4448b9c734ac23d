// SPDX-License-Identifier: Apache-2.0
// Kinds and names of segments, from their stacks.
#include "src/history/segment_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace stillframe::history {
namespace {

using model::SegmentKind;

class SegmentNameTest : public testing::Test {
 protected:
  model::FrameId Frame(const char* class_name, const char* method) {
    return frames_.InternFrame(class_name, method, "()V", "", 1, model::FrameKind::kInterpreted);
  }
  model::FrameId Truncation() {
    return frames_.InternFrame("", "deeper than the limit", "", "", 1,
                               model::FrameKind::kTruncated);
  }
  std::vector<model::FrameId> Loop() {
    return {Frame("com.example.Main", "main"), Frame("android.os.Looper", "loop"),
            Frame("android.os.Looper", "loopOnce")};
  }
  void Sample(std::vector<model::FrameId> stack, const std::vector<model::FrameId>& above,
              uint32_t weight_us) {
    stack.insert(stack.end(), above.begin(), above.end());
    wall_us_ += weight_us;
    tree_.Add(stack, {wall_us_, weight_us, 0, model::ThreadState::kRunnable});
  }
  std::vector<model::FrameId> LoopInAMessage() {
    std::vector<model::FrameId> stack = Loop();
    for (const model::FrameId id :
         {Frame("android.os.Handler", "dispatchMessage"), Frame("com.example.Guard", "run")})
      stack.push_back(id);
    return stack;
  }
  void Expect(SegmentKind kind, const char* method, uint32_t around = 0) {
    const model::Segment name = NameOfSegment(tree_, frames_, around);
    EXPECT_EQ(name.kind, kind);
    EXPECT_EQ(name.method, method);
  }

  model::FrameTable frames_;
  model::TraceTree tree_{Token{1}};
  uint32_t wall_us_ = 0;
};

TEST_F(SegmentNameTest, NothingTellsOfATreeWithoutSamples) { Expect(SegmentKind::kUnknown, ""); }

TEST_F(SegmentNameTest, TheQueueCallsIdleHandlersFromNext) {
  Sample(Loop(),
         {Frame("android.os.MessageQueue", "next"), Frame("com.example.Warm", "queueIdle"),
          Frame("com.example.Fonts", "load")},
         10);
  Expect(SegmentKind::kIdleHandler, "com.example.Warm.queueIdle");
}

TEST_F(SegmentNameTest, ThePlatformsOwnHandlerIsNamedByWhatItCalls) {
  Sample(Loop(),
         {Frame("android.os.MessageQueue", "next"),
          Frame("android.app.ActivityThread$Idler", "queueIdle"), Frame("com.example.A", "onStop")},
         10);
  Expect(SegmentKind::kIdleHandler, "com.example.A.onStop");
}

TEST_F(SegmentNameTest, WhatThePollCallsIsANativeCallback) {
  Sample(
      Loop(),
      {Frame("android.os.MessageQueue", "next"), Frame("android.os.MessageQueue", "nativePollOnce"),
       Frame("android.view.InputEventReceiver", "dispatchInputEvent"),
       Frame("com.example.View", "onTouch")},
      10);
  Expect(SegmentKind::kNativeCallback, "com.example.View.onTouch");
}

TEST_F(SegmentNameTest, TheQueueAndAPrinterAreTheLoops) {
  Sample(Loop(), {Frame("android.os.MessageQueue", "next")}, 10);
  Expect(SegmentKind::kLoop, "");
  Sample(Loop(), {Frame("com.example.Log", "println")}, 20);
  Expect(SegmentKind::kLoop, "com.example.Log.println");
}

TEST_F(SegmentNameTest, AMessageThatNobodyToldOf) {
  Sample(Loop(),
         {Frame("android.os.Handler", "dispatchMessage"), Frame("com.example.H", "handleMessage")},
         10);
  Expect(SegmentKind::kUnseenMessage, "com.example.H.handleMessage");
}

TEST_F(SegmentNameTest, BetweenNestedMessagesTheOneAroundThemGoesOn) {
  Sample(LoopInAMessage(), {Frame("com.example.Report", "send")}, 10);
  Expect(SegmentKind::kNestedLoop, "com.example.Guard.run", 1);
  Expect(SegmentKind::kUnseenMessage, "com.example.Guard.run", 0);
}

TEST_F(SegmentNameTest, AMessageOfANestedLoopThatNobodyToldOf) {
  Sample(LoopInAMessage(),
         {Frame("android.os.Looper", "loop"), Frame("android.os.Handler", "dispatchMessage"),
          Frame("com.example.H", "handleMessage")},
         10);
  Expect(SegmentKind::kUnseenMessage, "com.example.H.handleMessage", 1);
  Expect(SegmentKind::kNestedLoop, "com.example.H.handleMessage", 2);
}

TEST_F(SegmentNameTest, TheQueueOfANestedLoopCallsIdleHandlersToo) {
  Sample(LoopInAMessage(),
         {Frame("android.os.Looper", "loop"), Frame("android.os.MessageQueue", "next"),
          Frame("com.example.Warm", "queueIdle")},
         10);
  Expect(SegmentKind::kIdleHandler, "com.example.Warm.queueIdle", 1);
}

TEST_F(SegmentNameTest, WithoutALoopItIsBeforeIt) {
  Sample({Frame("com.android.internal.os.ZygoteInit", "main")},
         {Frame("com.example.App", "onCreate")}, 10);
  Expect(SegmentKind::kBeforeLoop, "com.example.App.onCreate");
}

TEST_F(SegmentNameTest, ALoopMayBeAmongTheFramesThatAreMissing) {
  Sample({Truncation()}, {Frame("com.example.App", "onCreate")}, 10);
  Expect(SegmentKind::kUnknown, "com.example.App.onCreate");
}

TEST_F(SegmentNameTest, MostOfTheTimeCounts) {
  Sample(Loop(), {Frame("android.os.MessageQueue", "next"), Frame("a.Short", "queueIdle")}, 60);
  Sample(Loop(), {Frame("android.os.MessageQueue", "next"), Frame("a.Long", "queueIdle")}, 500);
  Sample({Truncation()}, {Frame("a.Unknown", "run")}, 9'000);
  Expect(SegmentKind::kIdleHandler, "a.Long.queueIdle");
}

}  // namespace
}  // namespace stillframe::history
