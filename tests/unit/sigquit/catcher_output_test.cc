// SPDX-License-Identifier: Apache-2.0
// The copy of the Signal Catcher's report, over a test's original.
#include "src/sigquit/catcher_output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "src/sigquit/catcher_watch.h"
#include "tests/unit/test_waker.h"

namespace stillframe::sigquit {
namespace {

using WriteStacks = int32_t (*)(const char*, size_t);

int g_calls = 0;
int32_t Original(const char*, size_t length) {
  ++g_calls;
  return static_cast<int32_t>(length % 100);
}

TEST(CatcherOutput, CopiesOnlyWantedReportsAndAlwaysCallsTheOriginal) {
  const TestWaker waker;
  const auto replacement = reinterpret_cast<WriteStacks>(
      CatcherOutput::Replacement(reinterpret_cast<uintptr_t>(&Original), waker.get()));
  std::string text;
  uint64_t full_bytes = 0;
  EXPECT_EQ(replacement("nobody asked", 12), 12);
  EXPECT_FALSE(CatcherOutput::Take(&text, &full_bytes));

  CatcherOutput::Expect(CatcherWatch::arrivals());
  CatcherOutput::Expect(CatcherWatch::arrivals());
  EXPECT_FALSE(CatcherOutput::Take(&text, &full_bytes));
  const std::string report(CatcherOutput::kMaxBytes + 50, 'x');
  std::thread catcher([&] { EXPECT_EQ(replacement(report.data(), report.size()), 94); });
  catcher.join();
  EXPECT_EQ(replacement("a second one", 12), 12);
  EXPECT_TRUE(waker.IsWoken());
  EXPECT_FALSE(waker.IsWoken()) << "once";
  ASSERT_TRUE(CatcherOutput::Take(&text, &full_bytes));
  EXPECT_EQ(text.size(), CatcherOutput::kMaxBytes);
  EXPECT_EQ(full_bytes, report.size());
  EXPECT_FALSE(CatcherOutput::Take(&text, &full_bytes));
  EXPECT_EQ(g_calls, 3);

  CatcherOutput::Expect(CatcherWatch::arrivals());
  EXPECT_EQ(replacement("next", 4), 4);
  ASSERT_TRUE(CatcherOutput::Take(&text, &full_bytes));
  EXPECT_EQ(text, "next");

  CatcherOutput::Expect(CatcherWatch::arrivals() - 1);
  EXPECT_EQ(replacement("late", 4), 4);
  EXPECT_FALSE(CatcherOutput::Take(&text, &full_bytes)) << "the report of another SIGQUIT";
}

}  // namespace
}  // namespace stillframe::sigquit
