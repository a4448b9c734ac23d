// SPDX-License-Identifier: Apache-2.0
// The packets that `stillframe live` shows, good and hostile ones.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <regex>
#include <sstream>
#include <string>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/phone/live_view.h"

namespace stillframe::live {
namespace {

std::string Bytes(Packet packet, const std::string& name, const std::string& target,
                  const std::string& callback, const std::string& stack = "") {
  packet.name_bytes[0] = static_cast<uint8_t>(name.size());
  packet.name_bytes[1] = static_cast<uint8_t>(target.size());
  packet.name_bytes[2] = static_cast<uint8_t>(callback.size());
  packet.stack_bytes = static_cast<uint16_t>(stack.size());
  return std::string(reinterpret_cast<const char*>(&packet), sizeof packet) + name + target +
         callback + stack;
}

LiveEvent Event(const Packet& packet, const std::string& name, const std::string& target,
                const std::string& callback, const std::string& stack = "") {
  LiveEvent event;
  EXPECT_TRUE(ParseEvent(Bytes(packet, name, target, callback, stack), &event));
  return event;
}

LiveView ViewOfShop() {
  LiveView view;
  Packet process;
  process.token = Token{4711};
  process.start_ns = 10'000'000'000;
  process.work_ns = 50'000'000;
  view.Add(Event(process, "shop", "", ""));
  return view;
}

Packet Ended(Kind kind, uint64_t start_ms, uint64_t work_ms, uint64_t messages) {
  Packet packet;
  packet.kind = kind;
  packet.start_ns = start_ms * 1'000'000;
  packet.work_ns = work_ms * 1'000'000;
  packet.cpu_ns = static_cast<int64_t>(work_ms * 500'000);
  packet.messages = messages;
  return packet;
}

TEST(LiveEvent, IsReadFromWholePacketsOfThisVersionOnly) {
  const std::string good =
      Bytes(Ended(Kind::kMessage, 1, 2, 1), "main", "a.B", "c", "x.Y.z(Y.java:3)\n\x1b.w\n");
  LiveEvent event;
  ASSERT_TRUE(ParseEvent(good, &event));
  EXPECT_EQ(event.name + "|" + event.target + "|" + event.callback, "main|a.B|c");
  ASSERT_EQ(event.stack.size(), 2U);
  EXPECT_EQ(event.stack[0], "x.Y.z(Y.java:3)");
  EXPECT_EQ(event.stack[1].find('\x1b'), std::string::npos);
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(ParseEvent({good.data(), size}, &event)) << size;
  EXPECT_FALSE(ParseEvent(good + "x", &event));
  Packet other;
  other.magic ^= 1;
  EXPECT_FALSE(ParseEvent(Bytes(other, "", "", ""), &event));
  other = {};
  other.kind = static_cast<Kind>(200);
  EXPECT_FALSE(ParseEvent(Bytes(other, "", "", ""), &event));
}

TEST(LiveEvent, AStreamIsCutIntoPackets) {
  const std::string first = Bytes(Ended(Kind::kMessage, 1, 2, 1), "main", "a.B", "c", "x.Y.z\n");
  const std::string second = Bytes(Ended(Kind::kIdle, 3, 4, 0), "", "", "");
  const std::string both = first + second;
  for (size_t size = 0; size < sizeof(Packet); ++size)
    EXPECT_EQ(PacketBytes({both.data(), size}), sizeof(Packet));
  for (size_t size = sizeof(Packet); size <= both.size(); ++size)
    EXPECT_EQ(PacketBytes({both.data(), size}), first.size());
  EXPECT_EQ(PacketBytes({both.data() + first.size(), second.size()}), second.size());
  std::string other = first;
  other[0] ^= 1;
  EXPECT_EQ(PacketBytes(other), 0U);
  Packet huge;
  huge.stack_bytes = kMaxStackBytes + 1;
  EXPECT_EQ(PacketBytes({reinterpret_cast<const char*>(&huge), sizeof huge}), 0U);
}

TEST(LiveView, OfARecordingItShowsWhatIsSlow) {
  LiveView view = ViewOfShop();
  const auto lines = [&view](Kind kind, uint64_t work_ms, uint64_t token) {
    Packet packet = Ended(kind, 11'000, work_ms, 1);
    packet.token = Token{token};
    return view.SlowLines(Event(packet, "main", "", "shop.Step"));
  };
  EXPECT_NE(lines(Kind::kMessage, 50, 1), "");
  EXPECT_EQ(lines(Kind::kMessage, 49, 2), "");
  EXPECT_NE(lines(Kind::kSegment, 60, 3), "");
  EXPECT_EQ(lines(Kind::kIdle, 5'000, 4), "");
  EXPECT_EQ(lines(Kind::kQuickRun, 5'000, 5), "");
  EXPECT_EQ(lines(Kind::kOpenRun, 5'000, 6), "");
  EXPECT_EQ(lines(Kind::kRunning, 900, 7), "");
  EXPECT_NE(lines(Kind::kRunning, 1'000, 7), "");
}

TEST(LiveView, GivesALineForEachThatEnded) {
  LiveView view = ViewOfShop();
  const LiveEvent slow =
      Event(Ended(Kind::kMessage, 11'500, 120, 1), "main", "android.os.Handler", "shop.Pay");
  view.Add(slow);
  EXPECT_EQ(view.Lines(slow),
            "    1.500 s  main            slow         120 ms    50%  Runnable shop.Pay\n");
  const LiveEvent quick = Event(Ended(Kind::kQuickRun, 11'000, 40, 61), "main", "", "shop.Tick");
  EXPECT_NE(
      view.Lines(quick).find("quick         40 ms         61 messages, last Runnable shop.Tick"),
      std::string::npos)
      << view.Lines(quick);
  EXPECT_EQ(view.Lines(Event(Ended(Kind::kRunning, 1, 2, 0), "main", "", "")), "");
}

TEST(LiveView, AHangTicksOnceASecond) {
  LiveView view = ViewOfShop();
  std::string lines;
  for (uint64_t ms = 200; ms <= 3'400; ms += 200) {
    Packet packet = Ended(Kind::kRunning, 11'500, ms, 0);
    packet.token = Token{9};
    lines += view.Lines(Event(packet, "main", "", ""));
  }
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
  EXPECT_EQ(
      lines.rfind("    1.500 s  main            slow       1,000 ms         still running: not "
                  "known until it ends\n",
                  0),
      0U)
      << lines;
  EXPECT_NE(lines.find("3,000 ms"), std::string::npos);
  Packet next = Ended(Kind::kRunning, 15'000, 1'100, 0);
  next.token = Token{10};
  EXPECT_NE(view.Lines(Event(next, "main", "", "")), "");
  next.token = Token::kNone;
  EXPECT_EQ(view.Lines(Event(next, "main", "", "")), "") << "nothing runs";
}

// A stack of so many frames, innermost first.
std::string Stack(int frames) {
  std::string stack;
  for (int i = 0; i < frames; ++i) stack += "shop.Basket.step" + std::to_string(i) + "(B.java:7)\n";
  return stack;
}

TEST(LiveView, ATickHasTheStack) {
  LiveView view = ViewOfShop();
  Packet packet = Ended(Kind::kRunning, 11'500, 2'100, 0);
  packet.token = Token{9};
  const LiveEvent event = Event(packet, "main", "", "", Stack(2));
  view.Add(event);
  EXPECT_EQ(view.Lines(event),
            "    1.500 s  main            slow       2,100 ms         still running\n"
            "               at shop.Basket.step0(B.java:7)\n"
            "               at shop.Basket.step1(B.java:7)\n");
  packet.work_ns += 1'000'000'000;
  const std::string deep = view.Lines(Event(packet, "main", "", "", Stack(60)));
  EXPECT_EQ(std::count(deep.begin(), deep.end(), '\n'), 13) << deep;
}

TEST(LiveView, TheTableHasTheStackAndStillFits) {
  LiveView view = ViewOfShop();
  for (uint64_t i = 0; i < 30; ++i)
    view.Add(Event(Ended(Kind::kMessage, 11'000 + i, 60 + i, 1), "main", "", "shop.Step"));
  Packet packet = Ended(Kind::kRunning, 13'000, 2'000, 0);
  packet.token = Token{9};
  view.Add(Event(packet, "main", "", "", Stack(40)));
  for (size_t rows = 1; rows < 60; ++rows) {
    const std::string table = view.Table(rows, 100);
    const auto lines = static_cast<size_t>(std::count(table.begin(), table.end(), '\n'));
    EXPECT_EQ(lines, std::min<size_t>(std::max<size_t>(rows, 3) - 1, 31 + 11 + 1)) << rows;
    EXPECT_NE(table.find("in shop.Basket"), std::string::npos) << table;
    EXPECT_EQ(table.find("at shop.Basket.step1(") != std::string::npos, rows >= 4) << table;
  }
  EXPECT_NE(view.Table(20, 100).find("shop.Step"), std::string::npos) << "the past has room too";
}

TEST(LiveView, TheTableHasTheNewestFirstAndFits) {
  LiveView view = ViewOfShop();
  for (uint64_t i = 0; i < 1'000; ++i) {
    view.Add(Event(Ended(Kind::kMessage, 11'000 + i, 60 + i, 1), "main", "",
                   "shop.Step" + std::to_string(i)));
  }
  Packet running = Ended(Kind::kRunning, 13'000, 2'000, 0);
  running.token = Token{1'001};
  view.Add(Event(running, "main", "", ""));
  const std::string table = view.Table(10, 120);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 9);
  EXPECT_EQ(
      table.rfind("shop (4711): 1,000 messages, 1,000 slow; newest first, 1 running now\n", 0), 0U)
      << table;
  EXPECT_LT(table.find("not known until it ends"), table.find("shop.Step999")) << table;
  EXPECT_LT(table.find("shop.Step999"), table.find("shop.Step998"));
  EXPECT_EQ(table.find("shop.Step900"), std::string::npos);
  // Ended messages are not shown as running.
  view.Add(Event(Ended(Kind::kMessage, 13'000, 2'500, 1), "main", "", "shop.Last"));
  EXPECT_EQ(view.Table(10, 120).find("not known"), std::string::npos);
}

TEST(LiveView, NoLineIsWiderThanTheTerminal) {
  LiveView view = ViewOfShop();
  view.Add(Event(Ended(Kind::kMessage, 11'000, 60, 1), "main", "android.os.Handler",
                 "com.example.shop.checkout.PaymentFragment$Confirmation"));
  for (size_t columns = 20; columns < 200; ++columns) {
    const std::string table =
        std::regex_replace(view.Table(10, columns), std::regex("\x1b\\[[0-9]+m"), "");
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(index::CharacterCount(line), columns) << line;
    EXPECT_EQ(table.find("█") != std::string::npos, columns >= 105) << columns;
    EXPECT_TRUE(columns < 80 || table.find("Runnable") != std::string::npos) << table;
  }
}

TEST(LiveView, HostileNamesAndNumbersStayText) {
  LiveView view = ViewOfShop();
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(sizeof(Packet) + random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    Packet packet;
    std::memcpy(&packet, bytes.data(), sizeof packet);
    packet.magic = kMagic;
    packet.kind = static_cast<Kind>(1 + random() % 6);
    const size_t names = bytes.size() - sizeof packet;
    packet.stack_bytes = static_cast<uint16_t>(random() % (names + 1));
    packet.name_bytes[0] = static_cast<uint8_t>(names - packet.stack_bytes);
    packet.name_bytes[1] = packet.name_bytes[2] = 0;
    std::memcpy(bytes.data(), &packet, sizeof packet);
    LiveEvent event;
    ASSERT_TRUE(ParseEvent(bytes, &event));
    view.Add(event);
    const std::string line = view.Lines(event);
    for (const char c : line)
      ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20U) << line;
  }
  EXPECT_LT(view.Table(50, 80).size(), 50U * 400);
}

}  // namespace
}  // namespace stillframe::live
