// SPDX-License-Identifier: Apache-2.0
// Instructions of compiled code, by a disassembler's word for each.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "arch/arch.h"

namespace stillframe::arch {
namespace {

// As the lists in instructions/ have it.
char LetterOf(Flow flow) {
  switch (flow) {
    case Flow::kNext: return 'n';
    case Flow::kCall: return 'c';
    case Flow::kRuntimeCall: return 'R';
    case Flow::kBranch: return 'b';
    case Flow::kJump: return 'j';
    case Flow::kReturn: return 'r';
    case Flow::kStop: return 's';
    case Flow::kUnknown: return 'u';
  }
  return '?';
}

std::vector<uint8_t> BytesOf(const std::string& digits) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

TEST(CodeFlowTest, InstructionsAreAsADisassemblerHasThem) {
  std::ifstream list(STILLFRAME_INSTRUCTIONS);
  if (!list) GTEST_SKIP() << "code of this CPU is not read";
  std::string line;
  uint32_t count = 0;
  while (std::getline(list, line)) {
    if (line[0] == '#') continue;
    std::istringstream words(line);
    for (std::string word; words >> word; ++count) {
      const char letter = word.back();
      const std::string digits = word.substr(0, word.size() - 1);
      const std::vector<uint8_t> bytes = BytesOf(digits);
      const auto size = static_cast<uint32_t>(bytes.size());
      CodeFlow flow;
      EXPECT_TRUE(ReadCodeFlow(bytes.data(), size, 0, &flow)) << digits;
      EXPECT_EQ(flow.bytes, size) << digits;
      EXPECT_EQ(LetterOf(flow.flow), letter) << digits;
      EXPECT_FALSE(ReadCodeFlow(bytes.data(), size - 1, 0, &flow)) << "cut: " << digits;
    }
  }
  EXPECT_GT(count, 30U);
}

TEST(CodeFlowTest, NothingOutsideTheCodeIsRead) {
  std::mt19937 random(12);
  for (int round = 0; round < 200'000; ++round) {
    // Exactly as long as it says, for the address sanitizer.
    std::vector<uint8_t> code(random() % 20);
    for (uint8_t& byte : code) byte = static_cast<uint8_t>(random());
    const auto size = static_cast<uint32_t>(code.size());
    for (uint32_t at = 0; at <= size; ++at) {
      CodeFlow flow;
      if (ReadCodeFlow(code.data(), size, at, &flow)) {
        ASSERT_NE(flow.bytes, 0U);
        ASSERT_LE(flow.bytes, size - at);
      }
    }
  }
}

}  // namespace
}  // namespace stillframe::arch
