// SPDX-License-Identifier: Apache-2.0
// Files of settings: what is right is read whole, what is not gives nothing and one line.
#include "src/config/flat_json.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace stillframe::config {
namespace {

std::string Read(std::string_view text) {
  std::string why;
  std::string read;
  for (const auto& [name, value] : ReadFlatJson(text, &why)) read += name + "=" + value + ";";
  return why.empty() ? read : why;
}

TEST(FlatJsonTest, ReadsStringsNumbersAndTruth) {
  EXPECT_EQ(Read("{}"), "");
  EXPECT_EQ(Read(" {\n\t\"slow_ms\" : 20 ,\r\"tap\":\"poll\",\"live\":true,\"enabled\":false}\n"),
            "slow_ms=20;tap=poll;live=1;enabled=0;");
  EXPECT_EQ(Read(R"({"a":"q\"\\\/\n\u0041\u00e9\u20AC"})"), "a=q\"\\/\nA\u00e9\u20ac;");
  EXPECT_EQ(Read(R"({"a":-1,"b":1.5,"c":1e3})"), "a=-1;b=1.5;c=1e3;");
}

TEST(FlatJsonTest, SaysWhatWasExpectedAndWhere) {
  EXPECT_EQ(Read(""), "line 1: expected {");
  EXPECT_EQ(Read("[]"), "line 1: expected {");
  EXPECT_EQ(Read("{\n\n\"a\" 1}"), "line 3: expected :");
  EXPECT_EQ(Read("{\"a\":1 \"b\":2}"), "line 1: expected , or }");
  EXPECT_EQ(Read("{\"a\":1,}"), "line 1: expected a name in quotes");
  EXPECT_EQ(Read("{\"a\":1} x"), "line 1: expected nothing after }");
  for (const char* value : {"null", "[1]", "{}", "tru", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
                            "\"\\u0000\"", "\"\n\"", "", "+1", "e5"}) {
    EXPECT_EQ(Read(std::string("{\"a\":") + value + "}"),
              std::string("line ") + (std::string(value) == "\"\n\"" ? "2" : "1") +
                  ": expected a string, a number, true or false")
        << value;
  }
  EXPECT_EQ(Read("{\"a\":\"" + std::string(kMaxJsonBytes, 'x') + "\"}"),
            "line 1: expected at most 64 KiB");
}

// Whatever stands there: it ends, and either there are items or there is a reason.
TEST(FlatJsonTest, SurvivesGarbage) {
  const std::string alphabet = "{}[]\",:\\u0aEf-+. \n\ttruefalse\x80\xff";
  std::mt19937 random(1);
  for (int round = 0; round < 200'000; ++round) {
    std::string text = round % 2 == 0 ? "{\"a\":1,\"b\":\"\\u0041x\",\"c\":true}" : "";
    for (unsigned i = 0; i < 1 + random() % 12; ++i) {
      const size_t at = random() % (text.size() + 1);
      if (random() % 3 == 0 && at < text.size())
        text.erase(at, 1 + random() % 3);
      else
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
    }
    std::string why;
    const auto items = ReadFlatJson(text, &why);
    ASSERT_TRUE(why.empty() || items.empty()) << text;
  }
}

}  // namespace
}  // namespace stillframe::config
