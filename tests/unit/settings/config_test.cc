// SPDX-License-Identifier: Apache-2.0
// Values from environment, file and calls: good ones are used, absurd ones are refused one by one.
#include "src/settings/config.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::settings {
namespace {

using namespace std::string_view_literals;

std::vector<SettingFacts> Numbers() {
  std::vector<SettingFacts> numbers = Table();
  std::erase_if(numbers, [](const SettingFacts& facts) { return facts.kind != "number"sv; });
  return numbers;
}

std::string VariableOf(std::string name) {
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return name;
}

std::string ValueIn(const Config& config, std::string_view name) {
  for (const auto& [each, value] : Describe(config))
    if (each == name) return value;
  return "not described";
}

class ConfigTest : public testing::Test {
 protected:
  void TearDown() override {
    for (const std::string& name : set_) unsetenv(name.c_str());
  }
  void Set(const std::string& name, const std::string& value) {
    set_.push_back("STILLFRAME_" + name);
    setenv(set_.back().c_str(), value.c_str(), 1);
  }
  Config Read() {
    complaints_.clear();
    return Assemble({file_, calls_, document_, ReadVariables(), changes_},
                    {&complaints_, &complaints_, &complaints_});
  }

  std::vector<std::string> complaints_;
  std::vector<model::NamedText> file_;
  std::vector<model::NamedText> calls_;
  std::vector<model::NamedText> document_;
  std::vector<model::NamedText> changes_;

 private:
  std::vector<std::string> set_;
};

TEST_F(ConfigTest, UsesDefaultsWithoutVariables) {
  const Config config = Read();
  EXPECT_TRUE(complaints_.empty());
  EXPECT_TRUE(config.enabled);
  EXPECT_EQ(config.slow_ms.count(), 50U);
  EXPECT_EQ(config.interval_us.count(), 10'000U);
  EXPECT_EQ(config.trees, 10U);
  EXPECT_EQ(config.dump_dir, "");
}

TEST_F(ConfigTest, AcceptsEveryNumberWithinItsBounds) {
  const auto numbers = Numbers();
  ASSERT_GE(numbers.size(), 10U);
  for (const SettingFacts& facts : numbers) {
    for (const uint32_t value : {facts.least, facts.most}) {
      Set(VariableOf(facts.name), std::to_string(value));
      EXPECT_EQ(ValueIn(Read(), facts.name), std::to_string(value)) << facts.name;
      EXPECT_TRUE(complaints_.empty()) << complaints_.front();
    }
    TearDown();
  }
}

TEST_F(ConfigTest, RefusesNumbersOutOfBoundsAndGarbage) {
  for (const SettingFacts& facts : Numbers()) {
    const std::string name = VariableOf(facts.name);
    std::vector<std::string> values = {std::to_string(uint64_t{facts.most} + 1),
                                       "-1",
                                       "",
                                       "soon",
                                       "50ms",
                                       "0x10",
                                       "1e3",
                                       "99999999999999999999999",
                                       "-99999999999999999999999",
                                       "4294967346",  // 50 in 32 bits
                                       std::string(100'000, '9')};
    if (facts.least > 0) values.push_back(std::to_string(facts.least - 1));
    for (const std::string& value : values) {
      Set(name, value);
      EXPECT_EQ(ValueIn(Read(), facts.name), facts.value) << name << "=" << value.substr(0, 30);
      ASSERT_EQ(complaints_.size(), 1U) << name << "=" << value.substr(0, 30);
      const std::string& line = complaints_.front();
      EXPECT_NE(line.find(name), std::string::npos) << line;
      EXPECT_NE(line.find(std::to_string(facts.least)), std::string::npos) << line;
      EXPECT_NE(line.find(std::to_string(facts.most)), std::string::npos) << line;
      EXPECT_LT(line.size(), 200U) << "one readable line, however long the value";
      EXPECT_EQ(line.find('\n'), std::string::npos);
    }
    TearDown();
  }
}

TEST_F(ConfigTest, SwitchesAreZeroOrOneOrWordsOfTruth) {
  Set("ENABLED", "0");
  Set("DUMP_AT_EXIT", "1");
  const Config config = Read();
  EXPECT_FALSE(config.enabled);
  EXPECT_TRUE(config.dump_at_exit);
  Set("ENABLED", "False");
  Set("DUMP_AT_EXIT", "true");
  EXPECT_FALSE(Read().enabled);
  EXPECT_TRUE(Read().dump_at_exit);
  EXPECT_TRUE(complaints_.empty());
  for (const char* value : {"", "2", "yes", "truee", " 1", "01"}) {
    Set("DUMP_AT_EXIT", value);
    EXPECT_FALSE(Read().dump_at_exit) << value;
    EXPECT_EQ(complaints_.size(), 1U) << value;
  }
}

TEST_F(ConfigTest, ADocumentNeverBringsBackWhatIsLeftOut) {
  calls_ = {{"omit", "messages,stacks"}};
  document_ = {{"omit", "queue"}};
  EXPECT_EQ(Read().omit.Words(), "stacks,messages,queue");
  EXPECT_TRUE(complaints_.empty());
  for (const char* less : {"", "stacks"}) {
    document_ = {{"omit", less}};
    EXPECT_EQ(Read().omit.Words(), "stacks,messages");
    ASSERT_EQ(complaints_.size(), 1U);
    EXPECT_EQ(complaints_[0],
              "omit in a document leaves out more, never less, than the application does");
  }
  document_ = {{"omit", "messages,stacks,reason"}};
  EXPECT_EQ(Read().omit.Words(), "stacks,messages,reason");
  EXPECT_TRUE(complaints_.empty());
  file_ = {{"omit", "threads"}};
  EXPECT_EQ(Read().omit.Words(), "stacks,messages,reason") << "of documents the newer counts";
  Set("OMIT", "queue");
  EXPECT_EQ(Read().omit.Words(), "stacks,messages,queue,reason");
}

TEST_F(ConfigTest, WhatIsLocalADocumentMaySwitchOffOnly) {
  const std::vector<model::NamedText> wide = {{"message_objects", "1"},
                                              {"file_names", "true"},
                                              {"live", "1"},
                                              {"dump_dir", "/sdcard"},
                                              {"config", "/sdcard/x"}};
  calls_ = {{"dump_dir", "/data"}};
  for (auto* layer : {&file_, &document_}) {
    *layer = wide;
    const Config config = Read();
    EXPECT_EQ(complaints_.size(), wide.size());
    EXPECT_FALSE(config.message_objects || config.file_names || config.live);
    EXPECT_EQ(config.dump_dir, "/data");
    EXPECT_EQ(config.config, "");
    layer->clear();
  }
  calls_ = {{"live", "1"}, {"file_names", "1"}};
  document_ = {{"live", "0"}, {"file_names", "false"}};
  EXPECT_FALSE(Read().live || Read().file_names);
  EXPECT_TRUE(complaints_.empty());
}

TEST_F(ConfigTest, ADocumentDoesNotSwitchOnWhatACallHasSwitchedOff) {
  document_ = {{"copy_traces", "1"}, {"sections", "1"}};
  EXPECT_TRUE(Read().sections);
  EXPECT_TRUE(complaints_.empty());
  calls_ = {{"copy_traces", "0"}, {"sections", "0"}};
  const Config config = Read();
  EXPECT_FALSE(config.copy_traces || config.sections);
  ASSERT_EQ(complaints_.size(), 2U);
  EXPECT_EQ(complaints_[0], "copy_traces=1 is ignored: the application has switched it off");
}

TEST_F(ConfigTest, WordsOfWhatToOmitCountOneByOne) {
  EXPECT_EQ(Read().omit.Words(), "");
  Set("OMIT", "queue,,reason");
  EXPECT_EQ(Read().omit.Words(), "queue,reason");
  EXPECT_TRUE(Read().copy_traces);
  EXPECT_TRUE(complaints_.empty());
  Set("OMIT", "everything,threads");
  const Config config = Read();
  EXPECT_EQ(config.omit.Words(), "threads");
  EXPECT_FALSE(config.copy_traces) << "the traces have the threads' names";
  ASSERT_EQ(complaints_.size(), 1U);
  EXPECT_NE(complaints_[0].find("everything"), std::string::npos) << complaints_[0];
  EXPECT_NE(complaints_[0].find("annotations"), std::string::npos) << complaints_[0];
}

TEST_F(ConfigTest, ChoicesAreTakenByNameAndOthersRefused) {
  Set("TAP", "printer");
  Set("TIMER", "wall");
  EXPECT_EQ(Read().tap, TapChoice::kPrinter);
  EXPECT_EQ(Read().timer, TimerChoice::kWall);
  EXPECT_TRUE(complaints_.empty());
  Set("TAP", "psychic");
  Set("TIMER", "");
  const Config config = Read();
  EXPECT_EQ(config.tap, TapChoice::kAuto);
  EXPECT_EQ(config.timer, TimerChoice::kCpu);
  ASSERT_EQ(complaints_.size(), 2U);
  EXPECT_NE(complaints_[0].find("auto observer printer probe none"), std::string::npos)
      << complaints_[0];
  EXPECT_NE(complaints_[1].find("cpu wall"), std::string::npos) << complaints_[1];
}

TEST_F(ConfigTest, ComplainsOncePerBadValueAndUsesTheGoodOnes) {
  Set("SLOW_MS", "never");
  Set("TREES", "0");
  Set("TAP", "none");
  Set("INTERVAL_US", "2000");
  const Config config = Read();
  EXPECT_EQ(complaints_.size(), 2U);
  EXPECT_EQ(config.tap, TapChoice::kNone);
  EXPECT_EQ(config.interval_us.count(), 2'000U);
  EXPECT_EQ(config.slow_ms.count(), 50U);
}

TEST_F(ConfigTest, DescribesEveryField) {
  Set("SLOW_MS", "80");
  Set("DUMP_DIR", "/somewhere/else");
  std::map<std::string, std::string> described;
  for (const auto& [name, value] : Describe(Read())) described[name] = value;
  EXPECT_EQ(described["slow_ms"], "80");
  EXPECT_EQ(described["dump_dir"], "/somewhere/else");
  EXPECT_EQ(described["tap"], "auto");
  EXPECT_EQ(described["timer"], "cpu");
  EXPECT_EQ(described["loopers"], "main");
  EXPECT_EQ(described["enabled"], "1");
  EXPECT_EQ(described["omit"], "");
  EXPECT_EQ(described["message_objects"], "0");
  EXPECT_EQ(described["janks"], "0");
  EXPECT_EQ(described["native"], "0");
  EXPECT_EQ(described.size(), Table().size());
}

TEST_F(ConfigTest, EnvironmentComesBeforeCallsBeforeTheFileBeforeDefaults) {
  file_ = {{"slow_ms", "21"}, {"trees", "22"}, {"dumps", "23"}};
  calls_ = {{"trees", "32"}, {"dumps", "33"}};
  Set("DUMPS", "43");
  const Config config = Read();
  EXPECT_EQ(config.slow_ms.count(), 21U);
  EXPECT_EQ(config.trees, 32U);
  EXPECT_EQ(config.dumps, 43U);
  EXPECT_EQ(config.jank_ms.count(), 700U);
  EXPECT_TRUE(complaints_.empty());
}

TEST_F(ConfigTest, ADocumentComesBeforeCallsAndChangesBeforeAll) {
  calls_ = {{"trees", "32"}, {"dumps", "33"}, {"jank_ms", "34"}};
  document_ = {{"trees", "52"}, {"dumps", "53"}, {"jank_ms", "54"}};
  changes_ = {{"jank_ms", "64"}};
  Set("DUMPS", "43");
  const Config config = Read();
  EXPECT_EQ(config.trees, 52U);
  EXPECT_EQ(config.dumps, 43U);
  EXPECT_EQ(config.jank_ms.count(), 64U);
}

TEST_F(ConfigTest, AFileThatSwitchesOffCountsOverCalls) {
  file_ = {{"enabled", "0"}};
  calls_ = {{"enabled", "1"}};
  EXPECT_FALSE(Read().enabled);
  document_ = {{"enabled", "1"}};
  EXPECT_TRUE(Read().enabled);
}

TEST_F(ConfigTest, WhatIsFixedStaysAsItWas) {
  Config in_force;
  in_force.slow_ms = Milliseconds(20);
  in_force.tap = TapChoice::kPrinter;
  in_force.dump_dir = "/there";
  in_force.omit.Add(Part::kQueue);
  Config config;
  config.interval_us = Microseconds(2'000);
  std::vector<std::string> complaints;
  KeepFixed(in_force, {{"slow_ms", "50"}, {"trees", "1"}}, &config, &complaints);
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_EQ(complaints[0], "slow_ms is ignored: it can be set before the start only");
  EXPECT_EQ(config.slow_ms.count(), 20U);
  EXPECT_EQ(config.tap, TapChoice::kPrinter);
  EXPECT_EQ(config.dump_dir, "/there");
  EXPECT_EQ(config.omit.Words(), "queue");
  EXPECT_EQ(config.interval_us.count(), 2'000U);
}

TEST_F(ConfigTest, NativeFramesAreASwitchOrWordsThatImplyIt) {
  struct Case {
    const char* value;
    bool native, libunwind, files;
    const char* shown;
  };
  for (const Case& one :
       {Case{"0", false, false, false, "0"}, Case{"true", true, false, false, "1"},
        Case{"libunwind", true, true, false, "libunwind"},
        Case{"files,libunwind", true, true, true, "libunwind,files"}}) {
    Config config;
    std::vector<std::string> complaints;
    ASSERT_EQ(settings::Set("native", one.value, &config, &complaints), Result::kSet) << one.value;
    EXPECT_EQ(config.native, one.native) << one.value;
    EXPECT_EQ(config.native_libunwind, one.libunwind) << one.value;
    EXPECT_EQ(config.native_files, one.files) << one.value;
    for (const model::NamedText& setting : Describe(config))
      if (setting.name == "native") EXPECT_EQ(setting.value, one.shown);
    ASSERT_EQ(settings::Set("native", "1", &config, &complaints), Result::kSet);
    EXPECT_FALSE(config.native_libunwind || config.native_files) << one.value;
  }
  Config config;
  std::vector<std::string> complaints;
  for (const char* value : {"", "libunwind,", "memory", "1,files"})
    EXPECT_EQ(settings::Set("native", value, &config, &complaints), Result::kBadValue) << value;
  EXPECT_FALSE(config.native);
  EXPECT_EQ(complaints[2],
            "native=memory is ignored: it must be 0, 1, true or false, or words joined by commas: "
            "libunwind files");
}

TEST_F(ConfigTest, TheTableTellsEachSetting) {
  const auto table = Table();
  ASSERT_EQ(table.size(), Describe(Config{}).size());
  EXPECT_EQ(std::string(table[0].name), "slow_ms");
  EXPECT_EQ(std::string(table[0].kind), "number");
  EXPECT_EQ(table[0].most, 60'000U);
  EXPECT_TRUE(table[0].is_fixed_at_start);
}

TEST_F(ConfigTest, NamesWhatIsNoSettingInOneLineEach) {
  file_ = {{"slowms", "21"}, {"SLOW_MS", "21"}};
  calls_ = {{"", "1"}, {"a\nb", "1"}, {"trees", "few"}};
  Set("SLOMS", "1");
  Set("slow_ms", "1");
  const Config config = Read();
  EXPECT_EQ(config.slow_ms.count(), 50U);
  EXPECT_EQ(config.trees, 10U);
  ASSERT_EQ(complaints_.size(), 7U);
  EXPECT_EQ(complaints_[0], "slowms is ignored: unknown setting");
  EXPECT_EQ(complaints_[3], "a?b is ignored: unknown setting");
  EXPECT_EQ(complaints_[4], "trees=few is ignored: it must be a number from 1 to 1000 (trees)");
}

TEST_F(ConfigTest, ConstantsAreUnknownSettings) {
  calls_ = {{"ring_kib", "256"}};
  Set("GROUP_MS", "100");
  const Config config = Read();
  EXPECT_EQ(config.ring_kib, 128U);
  EXPECT_EQ(config.group_ms.count(), 300U);
  ASSERT_EQ(complaints_.size(), 2U);
  EXPECT_EQ(complaints_[0], "ring_kib is ignored: unknown setting");
  EXPECT_EQ(complaints_[1], "STILLFRAME_GROUP_MS is ignored: unknown setting");
}

TEST_F(ConfigTest, ABadValueLeavesWhatWasThere) {
  Config config;
  std::vector<std::string> complaints;
  EXPECT_EQ(settings::Set("interval_us", "1000", &config, &complaints), Result::kSet);
  EXPECT_EQ(settings::Set("interval_us", "1", &config, &complaints), Result::kBadValue);
  EXPECT_EQ(settings::Set("interval_ms", "1", &config, &complaints), Result::kUnknown);
  EXPECT_EQ(config.interval_us.count(), 1'000U);
  EXPECT_EQ(complaints.size(), 2U);
  EXPECT_FALSE(IsFixedAtStart("interval_us"));
  EXPECT_TRUE(IsFixedAtStart("slow_ms"));
  EXPECT_FALSE(IsFixedAtStart("interval_ms"));
}

TEST_F(ConfigTest, TheFileIsNamedByTheEnvironmentOrACall) {
  EXPECT_EQ(FileToRead({}), "");
  EXPECT_EQ(FileToRead({{"config", "/a"}, {"trees", "1"}, {"config", "/b"}}), "/b");
  Set("CONFIG", "/c");
  EXPECT_EQ(FileToRead({{"config", "/a"}}), "/c");
}

TEST(OptionsTest, ItemsAreSeparatedByCommasAndWordsStayTogether) {
  const auto items = ParseOptions("slow_ms=20,omit=queue,reason,dump_dir=/a=b,loopers=");
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items[0].name, "slow_ms");
  EXPECT_EQ(items[0].value, "20");
  EXPECT_EQ(items[1].value, "queue,reason");
  EXPECT_EQ(items[2].value, "/a=b");
  EXPECT_EQ(items[3].value, "");
  EXPECT_TRUE(ParseOptions("").empty());
  ASSERT_EQ(ParseOptions("verbose").size(), 1U);
  EXPECT_EQ(ParseOptions("verbose")[0].name, "verbose");
}

}  // namespace
}  // namespace stillframe::settings
