// SPDX-License-Identifier: Apache-2.0
// Documents of settings on the command line, and their schema.
#include <gtest/gtest.h>

#include "tests/host/command_line.h"
#include "tools/stillframe/settings/document_check.h"
#include "tools/stillframe/settings/document_schema.h"

namespace stillframe::host_test {
namespace {

constexpr char kDocument[] =
    R"({"trees":3,"rules":[{"name":"new","if":{"min_api":30},"set":{"janks":true,"trees":4}},)"
    R"({"name":"one","if":{"percent":78.0428,"salt":"janks"},"set":{"jank_ms":500}}]})";

TEST(Document, TheSchemaInTheRepositoryIsThatOfTheTable) {
  EXPECT_TRUE(ReadAll(STILLFRAME_SCHEMA) == settings::DocumentSchema())
      << "build/bin/stillframe config schema > docs/settings.schema.json";
}

TEST_F(CommandLine, DocumentsAreCheckedInAllTheirRules) {
  WriteAll(Path("good"), kDocument);
  const Outcome good = Run("config check good");
  EXPECT_EQ(good.exit_code, 0) << good.out;
  EXPECT_EQ(good.out + good.err, "");
  WriteAll(
      Path("bad"),
      R"({"treees":1,"trees":[1],"rules":[{"if":{"abi":"none"},"set":{"slow_ms":0,"tap":{}}},{"if":{"moon":1}}]})");
  const Outcome bad = Run("config check bad");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.out,
            "trees is ignored: it must be a string, a number, true or false\n"
            "rule 2 is ignored: there is no condition moon\n"
            "treees is ignored: there is no such setting\n"
            "rule 1: slow_ms=0 is ignored: it must be a number from 1 to 60000 (ms)\n"
            "rule 1: tap is ignored: it must be a string, a number, true or false\n");
  WriteAll(Path("none"), "{\"trees\":1");
  const Outcome none = Run("config check none");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(none.out, "line 1: expected , or }\n");
  EXPECT_EQ(Run("config show none").exit_code, 1);
  EXPECT_EQ(Run("config check missing").exit_code, 1);
  EXPECT_EQ(Run("config check").exit_code, 2);
  EXPECT_EQ(Run("config sing good").exit_code, 2);
  EXPECT_EQ(Run("config show good --at soon").exit_code, 2);
}

// The place of install-1 as unit.cohort has it from Python.
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
