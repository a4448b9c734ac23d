// SPDX-License-Identifier: Apache-2.0
// The text of Looper.dump: as AOSP prints it, and malformed.
#include "src/jvm/looper_dump_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace stillframe::jvm {
namespace {

constexpr const char* kText =
    "Looper (main, tid 2) {8b3a}\n"
    "  Message 0: { when=-1m0s250ms barrier=7 }\n"
    "  Message 1: { when=-12ms callback=shop.Cart$Pay target=android.os.Handler }\n"
    "  Message 2: { when=0 what=-3 arg1=4 obj=a target=b { when=+9d } target=shop.H }\n"
    "  Message 3: { when=+2s0ms what=114 target=android.app.ActivityThread$H }\n"
    "  (Total messages: 9, polling=false, quitting=false)\n";

TEST(LooperDumpText, TakesAllKindsOfMessagesApart) {
  const LooperDump dump = ParseLooperDump(kText, 100);
  ASSERT_EQ(dump.messages.size(), 4U);
  EXPECT_EQ(dump.total, 9U);
  EXPECT_TRUE(dump.messages[0].is_barrier);
  EXPECT_EQ(dump.messages[0].age_ms, 60'250);
  EXPECT_EQ(dump.messages[1].delay_ms, -12);
  EXPECT_EQ(dump.messages[1].callback, "shop.Cart$Pay");
  EXPECT_EQ(dump.messages[1].target, "android.os.Handler");
  EXPECT_EQ(dump.messages[2].what, -3);
  EXPECT_EQ(dump.messages[2].target, "shop.H") << "the last of the line";
  EXPECT_EQ(dump.messages[2].delay_ms, 0);
  EXPECT_EQ(dump.messages[3].delay_ms, 2'000);
  EXPECT_EQ(dump.messages[3].what, 114);
  EXPECT_EQ(ParseLooperDump(kText, 2).messages.size(), 2U);
  EXPECT_EQ(ParseLooperDump(kText, 2).total, 9U);
}

TEST(LooperDumpText, ParsesDurationsAndRefusesOtherText) {
  const auto parsed = [](std::string_view text) {
    int64_t ms = -1;
    return ParseDuration(text, &ms) ? ms : INT64_MIN;
  };
  EXPECT_EQ(parsed("0"), 0);
  EXPECT_EQ(parsed("+1d2h3m4s5ms"), 93'784'005);
  EXPECT_EQ(parsed("-999ms"), -999);
  for (const char* text :
       {"", "-", "5", "ms", "1x", "1s2", "99999999999999999999ms", "9223372036854775807d", "1s "})
    EXPECT_EQ(parsed(text), INT64_MIN) << text;
}

TEST(LooperDumpText, TruncatedAndBrokenTextIsParsedWithoutEndlessLoops) {
  std::mt19937 random(11);
  const std::string whole = kText;
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_LE(ParseLooperDump(whole.substr(0, length), 100).messages.size(), 4U);
  for (int round = 0; round < 5'000; ++round) {
    std::string text = whole;
    for (auto changes = random() % 8 + 1; changes > 0; --changes) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = static_cast<char>(random());
      else
        text.erase(at, random() % 20);
      if (text.empty()) text = "x";
    }
    EXPECT_LE(ParseLooperDump(text, 100).messages.size(), 100U);
  }
}

}  // namespace
}  // namespace stillframe::jvm
