// SPDX-License-Identifier: Apache-2.0
// What a dump says where the Signal Catcher's traces cannot be copied; that they are, real ART
// tests in process.
#include <gtest/gtest.h>

#include "src/collector/anr_triggers.h"

namespace stillframe::collector {
namespace {

TEST(CatcherTraces, TracesThatMayStillComeAreSaidToBeLate) {
  EXPECT_EQ(CatcherTraces().WhyAbsent(), "they were not there when this dump was written");
}

TEST(CatcherTraces, ASettingThatForbidsThemIsNamed) {
  CatcherTraces traces;
  traces.HookSignalCatcher(false, nullptr);
  EXPECT_EQ(traces.WhyAbsent(), "switched off by STILLFRAME_COPY_TRACES=0");
}

TEST(CatcherTraces, ARuntimeThatDoesNotHandThemOutIsNamed) {
  CatcherTraces traces;
  traces.HookSignalCatcher(true, nullptr);
  EXPECT_EQ(traces.WhyAbsent(), "this build of ART does not hand its traces to libartpalette");
}

}  // namespace
}  // namespace stillframe::collector
