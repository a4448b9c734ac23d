// SPDX-License-Identifier: Apache-2.0
// Which rules apply to which installs, and when.
#include "src/settings/rules.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "src/settings/cohort.h"
#include "src/settings/config.h"

namespace stillframe::settings {
namespace {

Facts Somebody() {
  Facts facts;
  facts.process = "com.shop:push";
  facts.package = "com.shop";
  facts.abi = "arm64-v8a";
  facts.model = "Pixel 7";
  facts.art_build = "c0ffee";
  facts.install_id = "install-1";
  facts.api = 30;
  facts.version = 1'204;
  facts.debuggable = 0;
  facts.now_s = 1'000'000;
  return facts;
}

class RulesTest : public testing::Test {
 protected:
  // "name=value;..." in the order in which they are set.
  std::string Of(const std::string& text, const Facts& facts = Somebody()) {
    Document document;
    EXPECT_EQ(ReadDocument(text, &document), "");
    complaints_.clear();
    in_force_ = Apply(document, facts, &complaints_);
    std::string told;
    for (const auto& [name, value] : in_force_.settings) told += name + "=" + value + ";";
    return told;
  }
  bool Holds(const std::string& conditions, const Facts& facts = Somebody()) {
    return Of("{\"rules\":[{\"if\":{" + conditions + "},\"set\":{\"janks\":true}}]}", facts) ==
           "janks=1;";
  }

  std::vector<std::string> complaints_;
  InForce in_force_;
};

TEST_F(RulesTest, TheLastOneThatHoldsCounts) {
  EXPECT_EQ(Of(R"({"rules":[{"set":{"trees":2}},{"if":{"abi":"x86"},"set":{"trees":3}},
                            {"name":"b","if":{"package":"com.shop"},"set":{"trees":4}}],"trees":1})"),
            "trees=1;trees=2;trees=4;");
  EXPECT_EQ(in_force_.rules, (std::vector<size_t>{0, 2}));
  EXPECT_TRUE(complaints_.empty());
  EXPECT_EQ(in_force_.next_s, kNever);
}

// An unreadable kill switch counts as off: its author may have meant that.
TEST_F(RulesTest, AKillSwitchThatCannotBeReadSwitchesOff) {
  const std::pair<const char*, bool> kRight[] = {
      {"false", false},      {"0", false},        {R"("false")", false},
      {R"("False")", false}, {R"("0")", false},   {"true", true},
      {"1", true},           {R"("true")", true}, {R"("TRUE")", true},
  };
  for (const auto& [text, is_on] : kRight) {
    settings::Config config;
    config.enabled = !is_on;
    Of(std::string("{\"enabled\":") + text + "}");
    ASSERT_EQ(in_force_.settings.size(), 1U) << text;
    settings::Set("enabled", in_force_.settings[0].value, &config, &complaints_);
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
  EXPECT_EQ(Of(R"({"rules":[{"set":{"enabled":"never"}}]})"), "enabled=0;");
  EXPECT_EQ(Of(R"({"janks":null})"), "") << "of all others the default stays";
}

TEST_F(RulesTest, EachConditionHasToHold) {
  for (const char* holds :
       {R"("package":"com.shop")", R"("package":"com.*")", R"("process":"com.shop:push")",
        R"("process":"*")", R"("abi":["x86","arm64-v8a"])", R"("model":"Pixel*")",
        R"("art_build":"c0ffee")", R"("min_api":30)", R"("max_api":30)",
        R"("min_version":1204,"max_version":"1204")", R"("debuggable":false)", "",
        R"("percent":100)", R"("percent":100,"salt":"a")"}) {
    EXPECT_TRUE(Holds(holds)) << holds;
    EXPECT_TRUE(complaints_.empty()) << complaints_[0];
  }
  for (const char* not_so :
       {R"("package":"com.shop2")", R"("package":"com")", R"("process":"com.shop")",
        R"("abi":["x86","arm"])", R"("min_api":31)", R"("max_api":29)", R"("min_version":1205)",
        R"("max_version":1203)", R"("debuggable":true)", R"("percent":0)",
        R"("package":"com.shop","min_api":31)"}) {
    EXPECT_FALSE(Holds(not_so)) << not_so;
    EXPECT_TRUE(complaints_.empty()) << complaints_[0];
  }
}

TEST_F(RulesTest, WhatIsNotKnownHoldsNowhere) {
  for (const char* rule : {R"("package":"*")", R"("process":"*")", R"("abi":"*")", R"("model":"*")",
                           R"("art_build":"*")", R"("min_api":0)", R"("max_api":99)",
                           R"("min_version":0)", R"("max_version":9999)", R"("debuggable":true)",
                           R"("debuggable":false)", R"("percent":100)"}) {
    EXPECT_FALSE(Holds(rule, Facts{})) << rule;
    EXPECT_TRUE(complaints_.empty()) << complaints_[0];
  }
}

TEST_F(RulesTest, ARuleThatIsNotUnderstoodHoldsNowhereAndSaysSo) {
  for (const char* rule :
       {R"("phase_of_moon":"full")", R"("min_api":"new")", R"("min_api":-1)", R"("percent":101)",
        R"("percent":"few")", R"("percent":"")", R"("salt":"a")", R"("debuggable":"maybe")",
        R"("from":"soon")", R"("abi":{"is":"arm"})", R"("abi":null)",
        R"("model":"Pixel*","moon":1)"}) {
    EXPECT_FALSE(Holds(rule)) << rule;
    ASSERT_EQ(complaints_.size(), 1U) << rule;
    EXPECT_EQ(complaints_[0].rfind("rule 1 is ignored: ", 0), 0U) << complaints_[0];
  }
  EXPECT_EQ(Of(R"({"rules":[{"unless":{"abi":"x"},"set":{"trees":2}}],"trees":1})"), "trees=1;");
  ASSERT_EQ(complaints_.size(), 1U);
  EXPECT_EQ(complaints_[0], "rule 1 is ignored: a rule has name, if and set, not unless");
  EXPECT_EQ(Of(R"({"trees":[1],"dumps":2})"), "dumps=2;");
  EXPECT_EQ(complaints_.size(), 1U);
}

TEST_F(RulesTest, EnrolmentIsThatOfTheCohort) {
  int in = 0;
  for (int i = 0; i < 2'000; ++i) {
    Facts facts = Somebody();
    facts.install_id = "id-" + std::to_string(i);
    const bool is_in = Holds(R"("percent":12.5,"salt":"janks")", facts);
    EXPECT_EQ(is_in, settings::PlaceOf(facts.install_id, "janks") < settings::PlacesOf(12.5));
    in += is_in ? 1 : 0;
  }
  EXPECT_NEAR(in, 250, 75);
}

TEST_F(RulesTest, WindowsBeginAndEndInTime) {
  const std::string window = R"("from":"2026-11-23","until":"2026-11-24T10:30:05Z")";
  constexpr int64_t kFrom = 1'795'392'000;
  constexpr int64_t kUntil = 1'795'516'205;
  Facts facts = Somebody();
  for (const auto& [now_s, holds, next_s] : {std::tuple{kFrom - 1, false, kFrom},
                                             {kFrom, true, kUntil},
                                             {kUntil - 1, true, kUntil},
                                             {kUntil, false, kNever}}) {
    facts.now_s = now_s;
    EXPECT_EQ(Holds(window, facts), holds) << now_s;
    EXPECT_EQ(in_force_.next_s, next_s);
  }
}

TEST(RuleNames, AreTheAuthorsOrNumbersAndBounded) {
  Document document;
  ASSERT_EQ(ReadDocument(R"({"rules":[{"name":"one in a thousand"},{"name":7},{},{"name":"a\nb"},
      {"name":"no","if":{"moon":1}}]})",
                         &document),
            "");
  std::vector<std::string> complaints;
  EXPECT_EQ(NamesInForce(document, Apply(document, {}, &complaints)),
            "one in a thousand, 7, #3, a?b");
  EXPECT_EQ(NamesInForce(document, {}), "");
  EXPECT_EQ(NameOf(document, 4), "no");
  const std::string name = "0123456789012345678901234567890123456789";
  ASSERT_EQ(ReadDocument(R"({"rules":[{"name":")" + name + R"(x"},{"name":"x)" + name +
                             R"("},{"name":"01234567890123456789012345678901234567é"},)" +
                             R"({"name":"012345678901234567890123456789012345678é"}]})",
                         &document),
            "");
  EXPECT_EQ(NameOf(document, 0), name);
  EXPECT_EQ(NameOf(document, 2), name.substr(0, 38) + "é");
  EXPECT_EQ(NameOf(document, 3), name.substr(0, 39)) << "no half of a character";
  EXPECT_EQ(NamesInForce(document, Apply(document, {}, &complaints)),
            name + ", x" + name.substr(0, 39) + ", and 2 more");
  std::string many = R"({"rules":[{"name":"first"})";
  for (size_t i = 1; i < kMaxRules; ++i) many += R"(,{"name":")" + name + R"("})";
  ASSERT_EQ(ReadDocument(many + "]}", &document), "");
  EXPECT_LE(NamesInForce(document, Apply(document, {}, &complaints)).size(), 100U);
}

TEST(ParseTimeTest, ReadsDaysAndTimes) {
  int64_t seconds = 0;
  EXPECT_TRUE(ParseTime("1970-01-01", &seconds));
  EXPECT_EQ(seconds, 0);
  EXPECT_TRUE(ParseTime("2000-02-29T23:59:59Z", &seconds));
  EXPECT_EQ(seconds, 951'868'799);
  EXPECT_TRUE(ParseTime("2100-03-01", &seconds));
  EXPECT_EQ(seconds, 4'107'542'400);
  for (const char* wrong :
       {"", "2026", "2026-13-01", "2026-00-01", "2026-01-32", "2026-1-1", "1969-01-01",
        "2026-01-01T", "2026-01-01T10:00:00", "2026-01-01T24:00:00Z", "2026-01-01T10:00:00Zx",
        "x026-01-01", "2026-01-01 10:00:00Z"})
    EXPECT_FALSE(ParseTime(wrong, &seconds)) << wrong;
}

}  // namespace
}  // namespace stillframe::settings
