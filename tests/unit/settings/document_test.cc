// SPDX-License-Identifier: Apache-2.0
// Documents of settings: valid ones are read whole, invalid ones give only one line.
#include "src/settings/document.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace stillframe::settings {
namespace {

std::string Told(const std::vector<Member>& members) {
  std::string told;
  for (const Member& member : members)
    told += member.name + "=" + (member.is_plain ? member.value : "?") + ";";
  return told;
}

// "settings|conditions>settings of a rule|...", or what is wrong.
std::string Read(std::string_view text) {
  Document document;
  const std::string why = ReadDocument(text, &document);
  if (!why.empty()) {
    EXPECT_TRUE(document.settings.empty() && document.rules.empty());
    return why;
  }
  std::string read = Told(document.settings);
  for (const Rule& rule : document.rules)
    read += "|" + Told(rule.others) + Told(rule.conditions) + ">" + Told(rule.settings);
  return read;
}

TEST(DocumentTest, ReadsStringsNumbersAndTruth) {
  EXPECT_EQ(Read("{}"), "");
  EXPECT_EQ(Read(" {\n\t\"slow_ms\" : 20 ,\r\"tap\":\"poll\",\"live\":true,\"enabled\":false}\n"),
            "slow_ms=20;tap=poll;live=1;enabled=0;");
  EXPECT_EQ(Read(R"({"a":"q\"\\\/\n\u0041\u00e9\u20AC"})"), "a=q\"\\/\nA\u00e9\u20ac;");
  EXPECT_EQ(Read(R"({"a":-1,"b":1.5,"c":1e3,"d":0,"e":-0.50E-07})"),
            "a=-1;b=1.5;c=1e3;d=0;e=-0.50E-07;");
}

TEST(DocumentTest, SaysWhatWasExpectedAndWhere) {
  EXPECT_EQ(Read(""), "line 1: expected {");
  EXPECT_EQ(Read("[]"), "line 1: expected {");
  EXPECT_EQ(Read("{\n\n\"a\" 1}"), "line 3: expected :");
  EXPECT_EQ(Read("{\"a\":1 \"b\":2}"), "line 1: expected , or }");
  EXPECT_EQ(Read("{\"a\":1,}"), "line 1: expected a name in quotes");
  EXPECT_EQ(Read("{\"a\":1} x"), "line 1: expected nothing after }");
  for (const char* value :
       {"tru",         "\"",          "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
        "\"\\udc00\"", "\"\\u0000\"", "\"\n\"",  "",          "+1",          "e5",
        "-",           "-a",          "01",      "-01",       "00",          "1.",
        ".5",          "1..2",        "1e",      "1e+",       "0x10",        "12abc",
        "1-2",         "--1",         "1e5e5",   "true1",     "nulll"}) {
    EXPECT_EQ(Read(std::string("{\"a\":") + value + "}"),
              "line 1: expected a string, a number, true or false")
        << value;
  }
  EXPECT_EQ(Read("{\"a\":\"" + std::string(kMaxDocumentBytes, 'x') + "\"}"),
            "line 1: expected at most 64 KiB");
}

TEST(DocumentTest, ReadsRules) {
  EXPECT_EQ(Read(R"({"slow_ms":20,"rules":[]})"), "slow_ms=20;");
  EXPECT_EQ(
      Read(
          R"({"rules":[{"name":"a","if":{"abi":["x","y"],"min_api":26},"set":{"janks":true}},{}]})"),
      "|name=a;abi=x;abi=y;min_api=26;>janks=1;|>");
}

// A kill switch must not be lost through an error beside it.
TEST(DocumentTest, AValueOfTheWrongKindCostsThatAlone) {
  EXPECT_EQ(Read("\xEF\xBB\xBF{\"enabled\":false}"), "enabled=0;");
  EXPECT_EQ(Read(R"({"enabled":false,"rules":null})"), "enabled=0;rules=?;");
  EXPECT_EQ(Read(R"({"enabled":false,"rules":{}})"), "enabled=0;rules=?;");
  EXPECT_EQ(Read(R"({"enabled":false,"rules":[1,{}]})"), "enabled=0;|=?;>|>");
  EXPECT_EQ(Read(R"({"rules":[{"if":[]}]})"), "|if=?;>");
  EXPECT_EQ(Read(R"({"rules":[{"set":5}]})"), "|>set=?;");
  EXPECT_EQ(Read(R"({"rules":[{"if":{"abi":[]}}]})"), "|abi=?;>");
}

TEST(DocumentTest, TruthIsForSwitches) {
  Document document;
  ASSERT_EQ(ReadDocument(R"({"janks":true,"jank_ms":true,"unknown":true,"set":{}})", &document),
            "");
  std::string complaint;
  EXPECT_EQ(ValueOf(document.settings[0], &complaint), "1");
  EXPECT_EQ(complaint, "");
  EXPECT_EQ(ValueOf(document.settings[1], &complaint), std::nullopt);
  EXPECT_EQ(complaint, "jank_ms is ignored: it is not true or false");
  EXPECT_EQ(ValueOf(document.settings[2], &complaint), "1");
  EXPECT_EQ(complaint, "");
  EXPECT_EQ(ValueOf(document.settings[3], &complaint), std::nullopt);
  EXPECT_EQ(complaint, "set is ignored: it must be an object of settings");
}

// A later release may have other kinds of values: only these are ignored.
TEST(DocumentTest, WhatIsNoPlainValueIsToldByItsName) {
  EXPECT_EQ(Read(R"({"a":null,"b":[1,{"c":[]}],"d":{"e":{},"f":"x"},"trees":3})"),
            "a=?;b=?;d=?;trees=3;");
  EXPECT_EQ(Read(R"({"rules":[{"if":{"new":{"x":1}},"new":[]}]})"), "|new=?;new=?;>");
}

TEST(DocumentTest, HostileOnesAreRefusedInOneLine) {
  EXPECT_EQ(Read(R"({"a":1,"a":2})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"a":1,"\u0061":2})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"rules":[],"rules":[]})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"rules":[{"if":{},"if":{}}]})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"a":{"b":1,"b":2}})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"a":[{"b":1,"b":2}]})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"a":{"b":1},"c":{"b":2}})"), "a=?;c=?;");
  EXPECT_EQ(Read(std::string_view("{\"a\":\"x\0\"}", 10)),
            "line 1: expected UTF-8 without zero bytes");
  for (const char* bytes : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                            "\xf5\x80\x80\x80", "\xf4\x90\x80\x80", "\xff", "\xf0\x9f\x98"})
    EXPECT_EQ(Read("{\n\"a\":\"" + std::string(bytes) + "\"}"),
              "line 2: expected UTF-8 without zero bytes");
  EXPECT_EQ(Read("{\"a\":\"\xf0\x9f\x98\x80\xc3\xa9\xe2\x82\xac\"}"),
            "a=\xf0\x9f\x98\x80\xc3\xa9\xe2\x82\xac;");
  EXPECT_EQ(Read(R"({"a":"\ud83d\ude00"})"), "a=\xf0\x9f\x98\x80;");
  EXPECT_EQ(Read("{\"a\":" + std::string(60'000, '[') + "}"),
            "line 1: expected less within each other");
  EXPECT_EQ(Read("{\"a\":" + std::string(8, '[') + std::string(8, ']') + "}"), "a=?;");
  std::string many = "{\"x\":1";
  for (int i = 0; i < 1'000; ++i) many += ",\"" + std::to_string(i) + "\":1";
  EXPECT_EQ(Read(many + "}"), "line 1: expected at most 1000 values");
  std::string list = "{\"rules\":[{\"if\":{\"abi\":[1";
  for (int i = 0; i < 2'000; ++i) list += ",1";
  EXPECT_EQ(Read(list + "]}}]}"), "line 1: expected at most 1000 values");
  std::string unknown = "{\"a\":[1";
  for (int i = 0; i < 1'000; ++i) unknown += ",1";
  EXPECT_EQ(Read(unknown + "]}"), "line 1: expected at most 1000 values");
  std::string rules = "{\"rules\":[{}";
  for (int i = 0; i < 100; ++i) rules += ",{}";
  EXPECT_EQ(Read(rules + "]}"), "line 1: expected at most 100 rules");
}

// For any text: parsing ends, and gives either items or a reason.
TEST(DocumentTest, SurvivesGarbage) {
  const std::string alphabet = "{}[]\",:\\u0aEf-+. \n\ttruefalse\x80\xff";
  std::mt19937 random(1);
  for (int round = 0; round < 200'000; ++round) {
    std::string text =
        round % 2 == 0 ? R"({"a":1,"rules":[{"if":{"abi":["\u0041x",2]},"set":{"c":true}}]})" : "";
    for (unsigned i = 0; i < 1 + random() % 12; ++i) {
      const size_t at = random() % (text.size() + 1);
      if (random() % 3 == 0 && at < text.size())
        text.erase(at, 1 + random() % 3);
      else
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
    }
    const std::string read = Read(text);
    ASSERT_EQ(read.find('\n'), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace stillframe::settings
