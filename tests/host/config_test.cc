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
    R"({"trees":3,"rules":[{"name":"new","if":{"min_api":30},"set":{"janks":true,"trees":4}},)"
    R"({"name":"one","if":{"percent":78.0428,"salt":"janks"},"set":{"jank_ms":500}}]})";

TEST_F(CommandLine, TheSchemaHasEachSettingAndRules) {
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

TEST_F(CommandLine, DocumentsAreCheckedInAllTheirRules) {
  WriteAll(Path("good"), kDocument);
  const Outcome good = Run("config check good");
  EXPECT_EQ(good.exit_code, 0) << good.out;
  EXPECT_EQ(good.out + good.err, "good: OK, 1 setting, 2 rules\n");
  WriteAll(Path("bad"),
           "{\"settings\":{},\n\n\"treees\":1,\"trees\":[1],\"rules\":[\n"
           R"({"if":{"abi":"none"},"set":{"slow_ms":0,"tap":{}}},{"if":{"moon":1}}]})");
  const Outcome bad = Run("config check bad");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.out,
            "bad: line 1: unknown setting 'settings': settings belong at the top level\n"
            "bad: line 3: treees is ignored: unknown setting\n"
            "bad: line 3: trees is ignored: it must be a string, a number, true or false\n"
            "bad: line 4: rule 1: slow_ms=0 is ignored: it must be a number from 1 to 60000 (ms)\n"
            "bad: line 4: rule 1: tap is ignored: it must be a string, a number, true or false\n"
            "bad: line 4: rule 2 is ignored: unknown condition moon\n");
  WriteAll(Path("none"), "{\"trees\":1");
  const Outcome none = Run("config check none");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(none.out, "none: line 1: expected , or }\n");
  EXPECT_EQ(Run("config show none").exit_code, 1);
  EXPECT_EQ(Run("config check missing").exit_code, 1);
  EXPECT_EQ(Run("config check").exit_code, 2);
  EXPECT_EQ(Run("config sing good").exit_code, 2);
  EXPECT_EQ(Run("config show good --at soon").exit_code, 2);
}

TEST_F(CommandLine, WhatADocumentCannotDoIsWarnedOf) {
  WriteAll(Path("wide"),
           R"({"dump_dir":"/sdcard","rules":[{"if":{"percent":0.00001},"set":{"live":true}}]})");
  const Outcome outcome = Run("config check wide");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out,
            "wide: warning: dump_dir is local only: calls and the environment set it, and a "
            "document cannot\n"
            "wide: warning: rule 1: live is local only: calls and the environment set it, and a "
            "document may "
            "only switch it off\n"
            "wide: warning: rule 1: percent 0.00001 is rounded to no install\n");
}

TEST_F(CommandLine, RulesThatNeverCountAreWarnedOf) {
  const auto check = [this](const std::string& settings, const std::string& rules) {
    WriteAll(Path("rules"), "{" + settings + R"("rules":[)" + rules + "]}");
    const Outcome outcome = Run("config check rules");
    EXPECT_EQ(outcome.exit_code, 0) << rules;
    return outcome.out.starts_with("rules: OK, ") ? "" : outcome.out;
  };
  const auto rule = [](const std::string& conditions, const std::string& settings) {
    return R"({"if":{)" + conditions + R"(},"set":{)" + settings + "}}";
  };
  const std::string seven = R"("trees":7)";
  const std::string nine = R"("trees":9)";
  constexpr const char* kSame =
      "rules: warning: rule 1: trees=7 never counts: rule 2 has the same conditions, and sets it "
      "to 9\n";
  constexpr const char* kWithin =
      "rules: warning: rule 1: trees=7 never counts: rule 2 holds wherever this does, and sets it "
      "to 9\n";
  struct Row {
    const char* earlier;
    const char* later;
    const char* said;
  };
  const Row rows[] = {
      {R"("model":["a","b"])", R"("model":["b","a"])", kSame},
      {R"("model":"Pixel 7")", R"("model":["SM*","Pixel*"])", kWithin},
      {R"("model":"Pixel*")", R"("model":"Pix*")", kWithin},
      {R"("model":["Pixel 7","x"])", R"("model":"Pixel*")", ""},
      {R"("model":"Pixel*")", R"("model":"Pixel 7")", ""},
      {R"("min_api":30,"max_version":9007199254740993)", R"("min_api":29)", kWithin},
      {R"("max_version":9007199254740993)", R"("max_version":9007199254740992)", ""},
      {R"("max_api":29)", R"("max_api":30)", kWithin},
      {R"("min_api":29)", R"("min_api":30)", ""},
      {R"("min_api":29)", R"("min_version":29)", ""},
      {R"("min_api":[29,30])", R"("min_api":28)", ""},
      {R"("percent":1,"salt":"a")", R"("percent":5,"salt":"a")", kWithin},
      {R"("percent":1,"salt":"a")", R"("percent":5,"salt":"b")", ""},
      {R"("percent":1,"salt":"a")", R"("percent":5)", ""},
      {R"("percent":5)", R"("percent":1)", ""},
      {R"("from":"2026-11-23")", R"("from":"2026-11-22T10:00:00Z")", kWithin},
      {R"("until":"2026-11-23")", R"("until":"2026-11-22")", ""},
      {R"("debuggable":true)", R"("debuggable":false)", ""},
      {R"("abi":"x")", "", kWithin},
      {"", R"("abi":"x")", ""},
  };
  for (const Row& row : rows)
    EXPECT_EQ(check("", rule(row.earlier, seven) + "," + rule(row.later, nine)), row.said)
        << row.earlier << " then " << row.later;
  EXPECT_EQ(
      check("", rule("", seven + R"(,"dumps":1)") + "," + rule("", R"("dumps":2,)" + nine)),
      "rules: warning: rule 1 has no effect: rule 2 has the same conditions, and sets all that it "
      "sets\n");
  EXPECT_EQ(check("", rule("", seven) + "," + rule("", R"("dumps":2)")), "");
  EXPECT_EQ(
      check(R"("trees":3,)", rule("", seven)),
      "rules: warning: outside of rules: trees=3 never counts: rule 1 has the same conditions, and "
      "sets it to 7\n");
  // A rule that devices ignore hides no earlier rule.
  WriteAll(Path("bad"),
           R"({"rules":[{"set":{"trees":7}},{"set":{"trees":0}},)"
           R"({"if":{"moon":1},"set":{"trees":8}},{"if":{},"set":{"trees":9},"x":1}]})");
  const Outcome bad = Run("config check bad");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.out.find("warning"), std::string::npos) << bad.out;
}

// The place of install-1 as unit.settings has it from Python.
TEST_F(CommandLine, DocumentsTellWhatIsInForceForWhom) {
  WriteAll(Path("good"), kDocument);
  EXPECT_EQ(Run("config show good").out, "0 of 2 rules hold\ntrees\t3\n");
  EXPECT_EQ(Run("config show good --api 30").out,
            "1 of 2 rules hold\nrule 1 new\ntrees\t4\njanks\t1\n");
  EXPECT_EQ(Run("config show good --api 29 --id install-1").out,
            "1 of 2 rules hold\nrule 2 one\ntrees\t3\njank_ms\t500\n");
  WriteAll(Path("window"),
           R"({"rules":[{"if":{"from":"2026-11-23","until":"2026-11-24"},"set":{"trees":1}}]})");
  EXPECT_EQ(Run("config show window --at 2026-11-23T10:00:00Z").out,
            "1 of 1 rules hold\nrule 1 #1\ntrees\t1\nuntil\t1795478400 s since 1970\n");
  EXPECT_EQ(Run("config show window --at 2026-11-24").out, "0 of 1 rules hold\n");
}

}  // namespace
}  // namespace stillframe::host_test
