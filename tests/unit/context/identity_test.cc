// SPDX-License-Identifier: Apache-2.0
// Facts of identity: known, absent with a reason, and left out.
#include "src/context/identity.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "src/model/context_names.h"

namespace stillframe::context {
namespace {

using State = model::ContextEntry::State;

class IdentityTest : public testing::Test {
 protected:
  IdentityTest() {
    char path[] = "/tmp/stillframe-identity-XXXXXX";
    folder_ = mkdtemp(path);
    setup_.folder = folder_;
    setup_.app_version = -1;
    setup_.abi = "x86_64";
  }
  ~IdentityTest() override { std::filesystem::remove_all(folder_); }

  model::ContextEntry Fact(const Identity& identity, std::string_view name, uint16_t omit = 0) {
    const auto facts = identity.Describe(annotations_, omit);
    EXPECT_EQ(facts.size(), kIdentityFacts);
    const auto fact = std::ranges::find(facts, name, &model::ContextEntry::name);
    return fact == facts.end() ? model::ContextEntry() : *fact;
  }

  std::string folder_;
  Identity::Setup setup_;
  model::Annotations annotations_;
};

TEST_F(IdentityTest, EachFactIsAbsentWithAReasonUntilItIsKnown) {
  setup_ = {};
  setup_.app_version = -1;
  Identity identity;
  identity.Start(setup_);
  for (const model::ContextEntry& fact : identity.Describe(annotations_, 0)) {
    EXPECT_EQ(fact.group, model::context::kIdentity);
    EXPECT_FALSE(fact.text.empty()) << fact.name;
    const bool is_always_known = fact.name == "id" || fact.name == "oom_score_adj";
    EXPECT_EQ(fact.state, is_always_known ? State::kText : State::kAbsent) << fact.name;
  }
  EXPECT_EQ(Fact(identity, "install").text, "there is no folder for it");
  EXPECT_TRUE(identity.ProcessId(0).starts_with("x-"));
}

TEST_F(IdentityTest, TheInstallIdIsTheApplicationsOrARandomOneThatStays) {
  Identity random;
  random.Start(setup_);
  const std::string id = Fact(random, "install").text;
  EXPECT_EQ(id.size(), 16U);
  Identity again;
  again.Start(setup_);
  EXPECT_EQ(Fact(again, "install").text, id);
  std::ofstream(folder_ + "/stillframe-install") << "not an id, or a cut one";
  Identity renewed;
  renewed.Start(setup_);
  EXPECT_NE(Fact(renewed, "install").text, id);
  EXPECT_EQ(Fact(renewed, "install").text.size(), 16U);
  setup_.app_install = "user-7/../x";
  Identity given;
  given.Start(setup_);
  EXPECT_EQ(Fact(given, "install").text, "user_7____x") << "it becomes part of a file's name";
  EXPECT_TRUE(given.ProcessId(0).starts_with("user_7____x-"));
  setup_.app_install = "another";
  given.Start(setup_);
  EXPECT_EQ(Fact(given, "install").text, "user_7____x") << "files have the first one";
}

TEST_F(IdentityTest, AFolderThatCannotBeWrittenIsTheReason) {
  setup_.folder = folder_ + "/missing";
  Identity identity;
  identity.Start(setup_);
  EXPECT_EQ(Fact(identity, "install").text, "it cannot be kept: No such file or directory");
}

TEST_F(IdentityTest, FactsComeFromTheRuntimeAndTheApplication) {
  setup_.app_version = 12;
  setup_.art_build_id = "ab";
  setup_.library_build_id = "cd";
  setup_.cohort = "sampled";
  Identity identity;
  identity.Start(setup_);
  EXPECT_FALSE(identity.has_runtime_facts());
  identity.TakeRuntimeFacts({{"device", "api_level", State::kNumber, "", 34},
                             {"device", "model", State::kText, "Pixel 6", 0},
                             {"device", "security_patch", State::kText, "2026-11-01", 0},
                             {"device", "hardware", State::kText, "ranchu", 0},
                             {"process", "version_code", State::kAbsent, "no application", 0},
                             {"process", "package", State::kText, "com.shop", 0}});
  EXPECT_TRUE(identity.has_runtime_facts());
  annotations_.entries = {{"battery", "15 %", 0}, {"model", "another", 0}, {"version_name", "", 0}};
  const std::pair<const char*, const char*> known[] = {
      {"api_level", "34"},    {"model", "Pixel 6"},       {"security_patch", "2026-11-01"},
      {"emulator", "1"},      {"package", "com.shop"},    {"version_code", "12"},
      {"art_build_id", "ab"}, {"library_build_id", "cd"}, {"cohort", "sampled"},
      {"abi", "x86_64"},      {"battery", "15 %"}};
  for (const auto& [name, text] : known) {
    EXPECT_EQ(Fact(identity, name).text, text) << name;
    EXPECT_EQ(Fact(identity, name).state, State::kText) << name;
  }
  EXPECT_EQ(Fact(identity, "version_name").state, State::kAbsent);
  identity.TakeRuntimeFacts({{"device", "hardware", State::kText, "oriole", 0}});
  EXPECT_EQ(Fact(identity, "emulator").text, "0");
}

TEST_F(IdentityTest, EachWordLeavesItsFactsOut) {
  Identity identity;
  identity.Start(setup_);
  for (const IdentityRow& row : kIdentityRows) {
    const auto fact = Fact(identity, row.name, model::BitOf(row.omit));
    EXPECT_EQ(fact.state, State::kAbsent) << row.name;
    EXPECT_EQ(fact.text, "left out by STILLFRAME_OMIT") << row.name;
  }
  const uint16_t install = model::BitOf(model::OmitPart::kInstall);
  EXPECT_TRUE(Fact(identity, "id", install).text.starts_with("x-"));
}

TEST_F(IdentityTest, AProcessHasOneStart) {
  const uint64_t start_ms = ProcessStartMs(getpid());
  EXPECT_GT(start_ms, 1'600'000'000'000U);
  EXPECT_LE(ProcessStartMs(getpid()) - start_ms + 20, 40U);
  EXPECT_EQ(ProcessStartMs(INT32_MAX), 0U);
}

}  // namespace
}  // namespace stillframe::context
