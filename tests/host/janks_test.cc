// SPDX-License-Identifier: Apache-2.0
// Records of janks and cohorts on the command line.
#include <gtest/gtest.h>

#include "tests/host/command_line.h"
#include "tools/stillframe/compare/jank_records.h"

namespace stillframe::host_test {
namespace {

constexpr char kRecord[] =
    R"({"tag":"Trace_EvilMethod","cost":900,"scene":"Checkout","stack":"0,5,9,900\n",)"
    R"("stackKey":"5|","methods":{"5":"com.shop.Cart.total"},"callback":"com.shop.Pay","what":0,)"
    R"("count":3,"total_ms":2400,"last_time":1790000000000,"histogram":{"512":3}})";

TEST(JankRecords, EqualOnesOfManyProcessesAreOneRow) {
  compare::JankRecords records;
  std::string error;
  ASSERT_TRUE(records.Add(kRecord, &error)) << error;
  ASSERT_TRUE(records.Add(kRecord, &error)) << error;
  std::string other = kRecord;
  other.replace(other.find("com.shop.Pay"), 12, "com.shop.Tax");
  ASSERT_TRUE(records.Add(other, &error)) << error;
  const auto rows = records.ByTime();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].count, 6U);
  EXPECT_EQ(rows[0].total_ms, 4'800U);
  EXPECT_EQ(rows[0].longest_ms, 900U);
  EXPECT_EQ(rows[0].histogram.at(512), 6U);
  EXPECT_EQ(rows[0].subject.method, "com.shop.Cart.total");
  EXPECT_EQ(rows[0].subject.message, "Runnable com.shop.Pay");
  EXPECT_EQ(
      compare::JankText(records, 1),
      "9 janks in 3 records, 7,200 ms\n\n"
      "   janks     total ms    longest             typical  last        kind          method     "
      "          caller, message\n"
      "       6        4,800        900     512 to 1,024 ms  2026-09-21                "
      "com.shop.Cart.total  Runnable com.shop.Pay, scene Checkout\n"
      "and 1 more; see --rows\n");
}

TEST(JankRecords, WhatIsNoRecordIsRefused) {
  compare::JankRecords records;
  std::string error;
  for (const char* text : {"", "{", "[]", "7", "{}", R"({"cost":1})", R"({"cost":-1,"count":1})",
                           R"({"cost":1e300,"count":1})", R"({"cost":1,"count":1,"histogram":[1]})",
                           R"({"cost":1,"count":1,"histogram":{"x":1}})",
                           R"({"cost":1,"count":1,"histogram":{"64":-1}})"}) {
    EXPECT_FALSE(records.Add(text, &error)) << text;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  EXPECT_FALSE(records.Add(std::string(compare::kMaxRecordBytes + 1, ' '), &error));
  std::string many = R"({"cost":1,"count":1,"histogram":{"0":1)";
  for (int i = 1; i < 65; ++i) many += ",\"" + std::to_string(i) + "\":1";
  EXPECT_FALSE(records.Add(many + "}}", &error));
  EXPECT_EQ(records.records(), 0U);
}

TEST(JankRecords, TextsFromOutsideAreCleanAndOddTypesAreNothing) {
  compare::JankRecords records;
  std::string error;
  EXPECT_TRUE(records.Add(
      R"({"cost":1,"count":1,"callback":"a\u001b[2Jb","scene":7,"methods":[],"stackKey":{},"what":{}})",
      &error));
  const std::string text = compare::JankText(records, 20);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_NE(text.find("no stack"), std::string::npos) << text;
}

TEST_F(CommandLine, RecordsOfAFolderAreListed) {
  WriteAll(Path("stillframe-jank-1-2-3.json"), kRecord);
  WriteAll(Path("other.json"), "{}");
  const Outcome listed = Run("janks .");
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.out.rfind("3 janks in 1 record, 2,400 ms\n", 0), 0U) << listed.out;
  const Outcome imported = Run("import stillframe-jank-1-2-3.json -o jank.sfdump");
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(Run("text stillframe-jank-1-2-3.json").err,
            "stillframe: stillframe-jank-1-2-3.json: this is a jank record without a dump; use "
            "'stillframe janks'\n");
  const Outcome bad = Run("janks stillframe-jank-1-2-3.json other.json");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.err, "stillframe: other.json: is not a jank record\n");
  EXPECT_FALSE(bad.out.empty());
  fs::create_directory(Path("empty"));
  const Outcome none = Run("janks empty");
  EXPECT_EQ(none.exit_code, 1);
  ExpectOneLine(none, "empty");
}

// Cohort places as Python computes them, as in unit.settings.
TEST_F(CommandLine, CohortsAreToldOnTheHost) {
  const Outcome one = Run("cohort --salt janks --percent 78.0427 --id install-1");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, "out\t78.0427\tinstall-1\n");
  EXPECT_EQ(Run("cohort --salt janks --percent 78.0428 --id install-1").out,
            "in\t78.0427\tinstall-1\n");
  WriteAll(Path("ids"), "install-1\ninstall-2\r\n\n");
  const Outcome several = Run("cohort --salt startup --percent 100 ids");
  EXPECT_EQ(several.out.rfind("in\t20.6664\tinstall-1\nin\t", 0), 0U) << several.out;
  EXPECT_EQ(several.err, "2 of 2 are in (100.0000 %)\n");
  const std::string control = "cohort --salt startup --percent 30 --id install-1 --control ";
  EXPECT_EQ(Run(control + "27").out, "in\t20.6664\tinstall-1\tsampled\n");
  EXPECT_EQ(Run(control + "28").out, "in\t20.6664\tinstall-1\tcontrol\n");
  EXPECT_EQ(Run("cohort --salt startup --percent 20 --control 100 --id install-1").out,
            "out\t20.6664\tinstall-1\tout\n");
  const Outcome both = Run("cohort --salt startup --percent 100 --control 100 ids");
  EXPECT_NE(both.err.find("2 of these 2 are in the control group\n"), std::string::npos)
      << both.err;
  EXPECT_EQ(Run(control + "--control 101").exit_code, 2);
  EXPECT_EQ(Run("cohort --percent 1 missing").exit_code, 1);
  EXPECT_EQ(Run("cohort --percent 1").exit_code, 2);
  EXPECT_EQ(Run("cohort --percent 101 --id a").exit_code, 2);
  EXPECT_EQ(Run("cohort --percent nan --id a").exit_code, 2);
  EXPECT_EQ(Run("cohort --id a").exit_code, 2);
}

}  // namespace
}  // namespace stillframe::host_test
