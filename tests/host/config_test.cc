// SPDX-License-Identifier: Apache-2.0
// Documents of settings on the command line.
#include "src/settings/config.h"

#include <ctype.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "src/settings/omissions.h"
#include "tests/host/command_line.h"
#include "tests/host/reference_page.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/verbs/document_check.h"

namespace stillframe::host_test {
namespace {

constexpr char kDocument[] =
    R"({"trees":3,"cohort":{"percent":78.0428,"salt":"janks"},"jank_ms":500})";

TEST_F(CommandLine, TheSchemaHasEachSettingAndTheCohort) {
  const auto schema = nlohmann::json::parse(Run("config schema").out);
  EXPECT_EQ(schema["properties"].size(), settings::Table().size() + 1);
  EXPECT_EQ(schema["properties"]["slow_ms"]["maximum"], 60'000);
}

// "1 to 60,000 ms"
std::string ValuesOf(const settings::SettingFacts& facts) {
  const std::string_view kind = facts.kind;
  if (kind == "number")
    return fmt::format("{} to {} {}", index::Grouped(facts.least), index::Grouped(facts.most),
                       facts.unit);
  if (kind == "choice") return fmt::format("{}", fmt::join(facts.names, ", "));
  if (kind == "words") return settings::KnownParts();
  if (kind == "text") return "a text";
  return facts.names.empty() ? "0, 1"
                             : fmt::format("0, 1, or some of {}", fmt::join(facts.names, ","));
}

std::string SettingsReference() {
  std::string page =
      "# Settings\n\nMade from the table in [config.cc](../../src/settings/config.cc) by the test "
      "`Settings`, which fails where this page is\nnot current: do not edit. Ways to set them, and "
      "who sets which: [getting started](../getting-started.md#settings).\n\n"
      "| variable | values | default | changes | a document may | what it does |\n"
      "|---|---|---|---|---|---|\n";
  for (const settings::SettingFacts& facts : settings::Table()) {
    std::string name = "STILLFRAME_";
    for (const char* c = facts.name; *c != 0; ++c) name += static_cast<char>(toupper(*c));
    page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", name, ValuesOf(facts),
                        facts.value.empty() ? "none" : facts.value,
                        facts.is_fixed_at_start ? "at start" : "any time", facts.by_document,
                        facts.what);
  }
  return page;
}

TEST(Settings, TheReferenceIsCurrent) { ExpectReference("settings.md", SettingsReference()); }

TEST_F(CommandLine, DocumentsAreChecked) {
  WriteAll(Path("good"), kDocument);
  const Outcome good = Run("config check good");
  EXPECT_EQ(good.exit_code, 0) << good.out;
  EXPECT_EQ(good.out + good.err, "good: OK, 2 settings for a cohort\n");
  WriteAll(Path("bad"),
           "{\"settings\":{},\n\n\"treees\":1,\"trees\":[1],\"rules\":[\n"
           R"({"set":{"slow_ms":0}}],"slow_ms":0,"cohort":{"percent":1,"moon":1}})");
  const Outcome bad = Run("config check bad");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(
      bad.out,
      "bad: line 4: the cohort is invalid, so it has no install: it has percent and salt, not "
      "moon\n"
      "bad: line 1: unknown setting 'settings': settings belong at the top level\n"
      "bad: line 3: treees is ignored: unknown setting\n"
      "bad: line 3: trees is ignored: it must be a string, a number, true or false\n"
      "bad: line 3: rules is ignored: unknown setting\n"
      "bad: line 4: slow_ms=0 is ignored: it must be a number from 1 to 60000 (ms)\n");
  WriteAll(Path("none"), "{\"trees\":1");
  const Outcome none = Run("config check none");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(none.out, "none: line 1: expected , or }\n");
  EXPECT_EQ(Run("config show none").exit_code, 1);
  EXPECT_EQ(Run("config check missing").exit_code, 1);
  EXPECT_EQ(Run("config check").exit_code, 2);
  EXPECT_EQ(Run("config sing good").exit_code, 2);
  EXPECT_EQ(Run("config show good --api 30").exit_code, 2);
}

TEST_F(CommandLine, WhatADocumentCannotDoIsWarnedOf) {
  WriteAll(Path("wide"),
           R"({"dump_dir":"/sdcard","live":true,"cohort":{"percent":0.00001,"salt":"a"}})");
  const Outcome outcome = Run("config check wide");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out,
            "wide: warning: dump_dir is local only: calls and the environment set it, and a "
            "document cannot\n"
            "wide: warning: live is local only: calls and the environment set it, and a "
            "document may "
            "only switch it off\n"
            "wide: warning: percent 0.00001 is rounded to no install\n");
}

// The place of install-1 as unit.settings has it from Python.
TEST_F(CommandLine, DocumentsTellWhatIsInForceForWhom) {
  WriteAll(Path("good"), kDocument);
  EXPECT_EQ(Run("config show good").out, "not in the cohort\n");
  EXPECT_EQ(Run("config show good --id install-1").out, "cohort\tjanks\ntrees\t3\njank_ms\t500\n");
  WriteAll(Path("off"), R"({"enabled":false,"trees":3,"cohort":{"percent":0,"salt":"a"}})");
  EXPECT_EQ(Run("config show off --id install-1").out,
            "not in the cohort\nenabled\t0\ngroup\tout\n");
  WriteAll(Path("all"), R"({"trees":3})");
  EXPECT_EQ(Run("config show all").out, "trees\t3\n");
}

}  // namespace
}  // namespace stillframe::host_test
