// SPDX-License-Identifier: Apache-2.0
// Any bytes become JSON that a reader takes.
#include "src/jank/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "src/model/process.h"

namespace stillframe::jank {
namespace {

std::string Quoted(std::string_view text, size_t max_bytes = 1'000) {
  std::string json;
  AppendQuoted(text, max_bytes, &json);
  return json;
}

// The text as a JSON reader decodes it.
std::string Read(std::string_view text) {
  return nlohmann::json::parse(Quoted(text)).get<std::string>();
}

TEST(JsonText, TextsStayWhatTheyAre) {
  for (const char* text : {"", "com.shop.Cart$1.total", "a\"b\\c", "line\nfeed\ttab\x01",
                           "caf\u00e9 \u4e2d", "\U0001F600 pay"})
    EXPECT_EQ(Read(text), text);
}

TEST(JsonText, TheRuntimesOwnFormOfUtf8IsUnderstood) {
  EXPECT_EQ(Read("\xED\xA0\xBD\xED\xB8\x80!"), "\U0001F600!");  // two halves
  EXPECT_EQ(Read("a\xC0\x80z"), std::string("a\0z", 3));
}

TEST(JsonText, WhatIsNoTextIsAQuestionMark) {
  EXPECT_EQ(Read("\xED\xA0\xBD!"), "?!");  // half a character
  EXPECT_EQ(Read("\xED\xB8\x80!"), "?!");
  EXPECT_EQ(Read("a\xFFz"), "a?z");
  EXPECT_EQ(Read("caf\xC3"), "caf?");  // cut
  EXPECT_EQ(Read("\xF7\xBF\xBF\xBF"), "????");
}

TEST(JsonText, WhatIsTooLongIsCutBetweenCharacters) {
  EXPECT_EQ(Quoted("abcdef", 3), "\"abc\"");
  EXPECT_EQ(Quoted("ab\"", 3), "\"ab\"");
  EXPECT_EQ(Quoted("\u00e9\u00e9", 11), "\"\\u00e9\"");
}

TEST(JsonText, AnyBytesGiveAsciiThatCanBeRead) {
  std::mt19937 random(17);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 24, '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(random() % 4 == 0 ? random() % 128 : 0xC0 + random() % 64);
    const std::string json = Quoted(bytes, random() % 60);
    ASSERT_TRUE(nlohmann::json::accept(json)) << json;
    for (const char c : json) ASSERT_TRUE(c >= ' ' && c <= '~') << json;
  }
}

TEST(JsonText, MembersFollowEachOther) {
  JsonText json("{", dump::omit::kStacks);
  json(dump::Row("a", "").Omit(dump::omit::kContext), uint64_t{5});
  json(dump::Row("b", "").MostBytes(1), "xyz");
  json(dump::Row("left out", "").Omit(dump::omit::kStacks), true);
  json(dump::Row("unknown", "").Optional(), dump::kNotThere);
  json.Numbers(dump::Row("c", ""), std::vector<uint64_t>{1, 2});
  json.Named(dump::Row("d", ""), std::vector<model::NamedCount>{{"64", 2}});
  json(dump::Row("e", "").Lines(), "1\n2\n");
  EXPECT_EQ(json.Finish(), R"({"a":5,"b":"x","c":[1,2],"d":{"64":2},"e":"1\n2\n"})");
}

}  // namespace
}  // namespace stillframe::jank
