// SPDX-License-Identifier: Apache-2.0
// Documents of settings: valid ones are read whole, invalid ones give only one line.
#include "src/settings/document.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "src/settings/cohort.h"
#include "src/settings/config.h"

namespace stillframe::settings {
namespace {

std::string Told(const std::vector<Member>& members) {
  std::string told;
  for (const Member& member : members)
    told += member.name + "=" + (member.is_plain ? member.value : "?") + ";";
  return told;
}

// "settings|cohort", or what is wrong.
std::string Read(std::string_view text) {
  Document document;
  const std::string why = ReadDocument(text, &document);
  if (!why.empty()) {
    EXPECT_TRUE(document.settings.empty() && document.cohort.empty());
    return why;
  }
  std::string read = Told(document.settings);
  return document.has_cohort ? read + "|" + Told(document.cohort) : read;
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

TEST(DocumentTest, ReadsACohort) {
  EXPECT_EQ(Read(R"({"slow_ms":20,"cohort":{}})"), "slow_ms=20;|");
  EXPECT_EQ(Read(R"({"cohort":{"percent":0.1,"salt":"janks","new":[1]},"slow_ms":20})"),
            "slow_ms=20;|percent=0.1;salt=janks;new=?;");
  EXPECT_EQ(Read(R"({"cohort":5,"slow_ms":20})"), "slow_ms=20;|cohort=5;");
}

// A kill switch must not be lost through an error beside it.
TEST(DocumentTest, AValueOfTheWrongKindCostsThatAlone) {
  EXPECT_EQ(Read("\xEF\xBB\xBF{\"enabled\":false}"), "enabled=0;");
  EXPECT_EQ(Read(R"({"enabled":false,"rules":[{"set":{"trees":1}}]})"), "enabled=0;rules=?;");
  EXPECT_EQ(Read(R"({"enabled":false,"cohort":[]})"), "enabled=0;|cohort=?;");
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
  EXPECT_EQ(complaint, "set is ignored: unknown setting");
}

// A later release may have other kinds of values: only these are ignored.
TEST(DocumentTest, WhatIsNoPlainValueIsToldByItsName) {
  EXPECT_EQ(Read(R"({"a":null,"b":[1,{"c":[]}],"d":{"e":{},"f":"x"},"trees":3})"),
            "a=?;b=?;d=?;trees=3;");
}

TEST(DocumentTest, HostileOnesAreRefusedInOneLine) {
  EXPECT_EQ(Read(R"({"a":1,"a":2})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"a":1,"\u0061":2})"), "line 1: expected each name once");
  EXPECT_EQ(Read(R"({"cohort":{},"cohort":{}})"), "line 1: expected each name once");
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
  std::string unknown = "{\"a\":[1";
  for (int i = 0; i < 1'000; ++i) unknown += ",1";
  EXPECT_EQ(Read(unknown + "]}"), "line 1: expected at most 1000 values");
}

// For any text: parsing ends, and gives either items or a reason.
TEST(DocumentTest, SurvivesGarbage) {
  const std::string alphabet = "{}[]\",:\\u0aEf-+. \n\ttruefalse\x80\xff";
  std::mt19937 random(1);
  for (int round = 0; round < 200'000; ++round) {
    std::string text =
        round % 2 == 0 ? R"({"a":1,"cohort":{"salt":"\u0041x","b":2},"c":[true]})" : "";
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

class SettingsForTest : public testing::Test {
 protected:
  // "name=value;..." for this install.
  std::string Of(const std::string& text, std::string_view install_id = "install-1") {
    Document document;
    EXPECT_EQ(ReadDocument(text, &document), "");
    complaints_.clear();
    in_force_ = SettingsFor(document, install_id, &complaints_);
    std::string told;
    for (const auto& [name, value] : in_force_.settings) told += name + "=" + value + ";";
    return told;
  }

  std::vector<std::string> complaints_;
  InForce in_force_;
};

// An unreadable kill switch counts as off: its author may have meant that.
TEST_F(SettingsForTest, AKillSwitchThatCannotBeReadSwitchesOff) {
  const std::pair<const char*, bool> kRight[] = {
      {"false", false},      {"0", false},        {R"("false")", false},
      {R"("False")", false}, {R"("0")", false},   {"true", true},
      {"1", true},           {R"("true")", true}, {R"("TRUE")", true},
  };
  for (const auto& [text, is_on] : kRight) {
    Config config;
    config.enabled = !is_on;
    Of(std::string("{\"enabled\":") + text + "}");
    ASSERT_EQ(in_force_.settings.size(), 1U) << text;
    Set("enabled", in_force_.settings[0].value, &config, &complaints_);
    EXPECT_EQ(config.enabled, is_on) << text;
    EXPECT_TRUE(complaints_.empty()) << text;
  }
  for (const char* wrong :
       {R"("off")", R"("")", "null", "2", "0.0", "[]", "[false]", R"({"a":1})"}) {
    EXPECT_EQ(Of(std::string("{\"enabled\":") + wrong + "}"), "enabled=0;") << wrong;
    ASSERT_EQ(complaints_.size(), 1U) << wrong;
    EXPECT_NE(complaints_[0].find("is taken for false: it must be true or false"),
              std::string::npos)
        << complaints_[0];
  }
  EXPECT_EQ(Of(R"({"janks":null})"), "") << "of all others the default stays";
}

TEST_F(SettingsForTest, ACohortGetsThemAndNobodyElse) {
  int in = 0;
  for (int i = 0; i < 2'000; ++i) {
    const std::string id = "id-" + std::to_string(i);
    const bool is_in =
        Of(R"({"trees":2,"cohort":{"percent":12.5,"salt":"janks"}})", id) == "trees=2;";
    EXPECT_EQ(is_in, PlaceOf(id, "janks") < PlacesOf(12.5));
    EXPECT_EQ(in_force_.cohort, is_in ? "janks" : "");
    in += is_in ? 1 : 0;
  }
  EXPECT_NEAR(in, 250, 75);
  EXPECT_EQ(Of(R"({"cohort":{"percent":100,"salt":"a"},"trees":2})", ""), "");
  EXPECT_EQ(Of(R"({"trees":2})", ""), "trees=2;");
  EXPECT_TRUE(complaints_.empty());
}

TEST_F(SettingsForTest, TheKillSwitchNeedsNoCohort) {
  const std::string outside = R"("cohort":{"percent":0,"salt":"a"}})";
  EXPECT_EQ(Of(R"({"enabled":false,"trees":2,)" + outside), "enabled=0;");
  EXPECT_EQ(Of(R"({"enabled":"off",)" + outside), "enabled=0;");
  EXPECT_EQ(Of(R"({"enabled":true,)" + outside), "");
  EXPECT_EQ(Of(R"({"enabled":false,"cohort":{"percent":"few"}})"), "enabled=0;");
}

TEST_F(SettingsForTest, AnInvalidCohortHasNoInstallAndSaysSo) {
  for (const char* cohort :
       {"{}", "5", "null", "[]", R"({"percent":100})", R"({"salt":"a"})",
        R"({"percent":101,"salt":"a"})", R"({"percent":-1,"salt":"a"})",
        R"({"percent":"few","salt":"a"})", R"({"percent":"","salt":"a"})",
        R"({"percent":"0x1","salt":"a"})", R"({"percent":"nan","salt":"a"})",
        R"({"percent":true,"salt":"a"})", R"({"percent":100,"salt":""})",
        R"({"percent":100,"salt":["a"]})", R"({"percent":100,"salt":"a\nb"})",
        R"({"percent":100,"salt":"a","min_api":26})",
        R"({"percent":100,"salt":"01234567890123456789012345678901234567890"})"}) {
    EXPECT_EQ(Of(std::string(R"({"trees":2,"cohort":)") + cohort + "}"), "") << cohort;
    ASSERT_EQ(complaints_.size(), 1U) << cohort;
    EXPECT_TRUE(complaints_[0].starts_with("the cohort is invalid, so it has no install: "));
  }
}

}  // namespace
}  // namespace stillframe::settings
