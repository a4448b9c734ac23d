// SPDX-License-Identifier: Apache-2.0
// The parsers of /proc over the kernel's own texts, over truncated ones and over garbage.
#include "src/context/proc_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace stillframe::context {
namespace {

constexpr const char* kStat =
    "4711 (a) b (c) S 1 4711 4711 0 -1 4194560 120 7 3 1 250 50 2 1 20 -5 1 0 98765 2478795 395 "
    "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n";
constexpr const char* kSystem =
    "cpu  100 20 30 800 40 5 4 1 0 0\ncpu0 50 10 15 400 20 2 2 0 0 0\nintr 1 2 3\n";
constexpr const char* kPressure =
    "some avg10=98.64 avg60=93.92 avg300=49.35 total=8882338552\n"
    "full avg10=0.50 avg60=0.00 avg300=0.00 total=0\n";

TEST(TaskStatText, GivesAllFields) {
  TaskStat stat;
  ASSERT_TRUE(ParseTaskStat(kStat, &stat));
  EXPECT_EQ(stat.name, "a) b (c");
  EXPECT_EQ(stat.state, 'S');
  EXPECT_EQ(stat.minor_faults, 120U);
  EXPECT_EQ(stat.major_faults, 3U);
  EXPECT_EQ(stat.user_ticks, 250U);
  EXPECT_EQ(stat.system_ticks, 50U);
  EXPECT_EQ(stat.nice, -5);
  EXPECT_EQ(stat.threads, 1U);
  EXPECT_EQ(stat.start_ticks, 98765U);
}

TEST(LoadText, IsReadInThousandths) {
  std::array<uint64_t, 3> milli = {};
  ASSERT_TRUE(ParseLoad("15.72 7.05 0.40 13/164 14889\n", &milli));
  EXPECT_EQ(milli, (std::array<uint64_t, 3>{15'720, 7'050, 400}));
}

TEST(SystemCpuText, TellsBusyFromWaiting) {
  SystemCpu cpu;
  ASSERT_TRUE(ParseSystemCpu(kSystem, &cpu));
  EXPECT_EQ(cpu.total, 1'000U);
  EXPECT_EQ(cpu.iowait, 40U);
  EXPECT_EQ(cpu.busy, 160U);
}

TEST(PressureText, HasSomeAndOnNewerKernelsFull) {
  Pressure pressure;
  ASSERT_TRUE(ParsePressure(kPressure, &pressure));
  EXPECT_EQ(pressure.some_permille, 986U);
  EXPECT_TRUE(pressure.has_full);
  EXPECT_EQ(pressure.full_permille, 5U);
  ASSERT_TRUE(ParsePressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", &pressure));
  EXPECT_FALSE(pressure.has_full) << "the CPU's on older kernels";
}

TEST(NumberAfterAKey, IsFoundWithAndWithoutUnit) {
  const std::string text = "Name:\tx\nVmRSS:\t    1788 kB\nread_bytes: 42\nOdd: 3 MB\nLast: 9";
  uint64_t value = 0;
  EXPECT_TRUE(FindNumber(text, "VmRSS:", &value));
  EXPECT_EQ(value, 1788U * 1024);
  EXPECT_TRUE(FindNumber(text, "read_bytes:", &value));
  EXPECT_EQ(value, 42U);
  EXPECT_TRUE(FindNumber(text, "Last:", &value));
  EXPECT_EQ(value, 9U);
  EXPECT_FALSE(FindNumber(text, "Odd:", &value));
  EXPECT_FALSE(FindNumber(text, "Name:", &value));
  EXPECT_FALSE(FindNumber(text, "bytes:", &value)) << "not at the beginning of a line";
}

// For any input, parsers end, stay inside the text, and leave the result unchanged on failure.
struct AnyParser {
  const char* name;
  const char* text;
  bool (*run)(std::string_view);
};

template <typename Parsed, bool (*kParse)(std::string_view, Parsed*)>
bool Run(std::string_view text) {
  Parsed parsed{};
  return kParse(text, &parsed);
}

bool RunFindNumber(std::string_view text) {
  uint64_t value = 0;
  return FindNumber(text, "VmRSS:", &value);
}

constexpr AnyParser kParsers[] = {
    {"task", kStat, Run<TaskStat, ParseTaskStat>},
    {"load", "15.72 7.05 0.40 13/164 14889\n", Run<std::array<uint64_t, 3>, ParseLoad>},
    {"system", kSystem, Run<SystemCpu, ParseSystemCpu>},
    {"pressure", kPressure, Run<Pressure, ParsePressure>},
    {"number", "Name:\tx\nVmRSS:\t    1788 kB\n", RunFindNumber},
};

// A copy of its own size: a read beyond it is seen by the address sanitizer.
bool RunOnCopy(const AnyParser& parser, std::string_view text) {
  const std::vector<char> copy(text.begin(), text.end());
  return parser.run({copy.data(), copy.size()});
}

TEST(ProcText, EveryTruncationIsParsedOrRefused) {
  for (const AnyParser& parser : kParsers) {
    const std::string_view text = parser.text;
    EXPECT_TRUE(RunOnCopy(parser, text)) << parser.name;
    EXPECT_FALSE(RunOnCopy(parser, "")) << parser.name;
    for (size_t length = 0; length < text.size(); ++length)
      RunOnCopy(parser, text.substr(0, length));
  }
}

TEST(ProcText, GarbageIsParsedOrRefused) {
  std::mt19937 random(20'261'121);
  constexpr std::string_view kLetters = "0123456789.-+ \t\n():=kBavg10cpusomefull\xFF\x80";
  for (const AnyParser& parser : kParsers) {
    for (int round = 0; round < 4'000; ++round) {
      std::string text = parser.text;
      for (auto changes = random() % 6 + 1; changes > 0 && !text.empty(); --changes) {
        const size_t at = random() % text.size();
        switch (random() % 3) {
          case 0: text[at] = static_cast<char>(random()); break;
          case 1: text.erase(at, random() % 8); break;
          default: text.insert(at, 1, kLetters[random() % kLetters.size()]); break;
        }
      }
      RunOnCopy(parser, text);
    }
  }
}

TEST(ProcText, NumbersThatDoNotFitAreRefused) {
  uint64_t value = 0;
  EXPECT_FALSE(FindNumber("VmRSS: 18446744073709551615 kB\n", "VmRSS:", &value));
  EXPECT_FALSE(FindNumber("VmRSS: -1 kB\n", "VmRSS:", &value));
  Pressure pressure;
  EXPECT_FALSE(ParsePressure("some avg10=100.01 avg60=0.00\n", &pressure) &&
               pressure.some_permille > 1'000);
}

}  // namespace
}  // namespace stillframe::context
