// SPDX-License-Identifier: Apache-2.0
// Records of janks and cohorts on the command line.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/host/command_line.h"
#include "tools/stillframe/input/record_file.h"

namespace stillframe::host_test {
namespace {

constexpr char kRecord[] =
    R"({"tag":"Trace_EvilMethod","cost":900,"scene":"Checkout","stack":"0,5,9,900\n",)"
    R"("stackKey":"5|","methods":{"5":"com.shop.Cart.total"},"callback":"com.shop.Pay","what":0,)"
    R"("count":3,"total_ms":2400,"last_time":1790000000000,"histogram":{"512":3}})";

bool IsRecord(std::string_view text, std::string* error) {
  input::HangFile hang;
  input::SessionFile session;
  return ReadRecordFile(text, &hang, &session, error) == input::FileKind::kHang;
}

TEST(RecordFile, WhatIsNoRecordIsRefused) {
  std::string error;
  EXPECT_TRUE(IsRecord(kRecord, &error)) << error;
  for (const char* text : {"", "{", "[]", "7", "{}", R"({"cost":1})", R"({"cost":-1,"count":1})",
                           R"({"cost":1e300,"count":1})", R"({"cost":1,"count":1,"histogram":[1]})",
                           R"({"cost":1,"count":1,"histogram":{"x":1}})",
                           R"({"cost":1,"count":1,"histogram":{"64":-1}})"}) {
    EXPECT_FALSE(IsRecord(text, &error)) << text;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  EXPECT_FALSE(IsRecord(std::string(input::kMaxRecordBytes + 1, ' '), &error));
  std::string many = R"({"cost":1,"count":1,"histogram":{"0":1)";
  for (int i = 1; i < 65; ++i) many += ",\"" + std::to_string(i) + "\":1";
  EXPECT_FALSE(IsRecord(many + "}}", &error));
}

// A record of the system's exit: no cost, only how long the system had waited.
TEST(RecordFile, AnExitHasTheSystemsWordsAndTime) {
  constexpr char kExit[] =
      R"({"cost":0,"count":1,"last_time":1790000000000,"exit":{"time":"1790000004200",)"
      R"("reason":"6","description":"Input timed out. Waited 5003ms for a key"}})";
  input::HangFile hang;
  input::SessionFile session;
  std::string error;
  ASSERT_EQ(ReadRecordFile(kExit, &hang, &session, &error), input::FileKind::kHang) << error;
  EXPECT_EQ(hang.longest_ms, 5'003U);
  EXPECT_EQ(hang.facts["exit"], "ANR");
  std::string facts;
  for (const model::ContextEntry& entry : hang.Context())
    if (entry.group == "exit") facts += entry.name + "=" + entry.text + ";";
  EXPECT_EQ(facts,
            "description=Input timed out. Waited 5003ms for a key;reason=ANR;time=1790000004200;"
            "after_ms=4200;");
  for (const char* description : {"", "Waited", "Waited ms", "Waited 99999999999999999999ms"}) {
    std::string odd = kExit;
    odd.replace(odd.find("Input"), std::string("Input timed out. Waited 5003ms for a key").size(),
                description);
    input::HangFile other;
    ASSERT_EQ(ReadRecordFile(odd, &other, &session, &error), input::FileKind::kHang) << odd;
    EXPECT_EQ(other.longest_ms, 0U) << odd;
  }
}

TEST_F(CommandLine, ARecordSaysHowItsProcessEnded) {
  WriteAll(Path("ended.json"),
           R"({"tag":"Trace_EvilMethod","cost":5000,"count":1,"last_time":1790000000000,)"
           R"("stack":"0,5,9,5000\n","stackKey":"5|","methods":{"5":"com.shop.Cart.total"},)"
           R"("exit":{"time":"1790000004200","reason":"6","description":"Input timed out"}})");
  const Outcome by = Run("janks ended.json --by exit");
  EXPECT_NE(by.out.find("ANR"), std::string::npos) << by.out << by.err;
}

TEST_F(CommandLine, TextsFromOutsideAreCleanAndOddTypesAreNothing) {
  WriteAll(
      Path("odd.json"),
      R"({"cost":1,"count":1,"callback":"a\u001b[2Jb","scene":7,"methods":[],"stackKey":{},"what":{}})");
  const Outcome listed = Run("janks odd.json");
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.out.find('\x1b'), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("no stack"), std::string::npos) << listed.out;
}

TEST_F(CommandLine, RecordsOfAFolderAreRanked) {
  fs::create_directory(Path("records"));
  WriteAll(Path("records/stillframe-jank-1-2-3.json"), kRecord);
  std::string other = kRecord;
  other.replace(other.find("com.shop.Pay"), 12, "com.shop.Tax");
  other.replace(other.find("2400"), 4, "2100");
  WriteAll(Path("records/stillframe-jank-1-2-4.json"), other);
  const Outcome listed = Run("janks records --rows 1");
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.out.rfind("6 hangs of 2 causes in 2 installs: 0.0013 hours lost\n", 0), 0U)
      << listed.out;
  EXPECT_NE(listed.out.find(" work com.shop.Cart.total\n"), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("Runnable com.shop.Pay\n"), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find(", 3 hangs, the longest 900 ms\n"), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("and 1 more; see --rows\n"), std::string::npos) << listed.out;
  // The same as with a store, from an archive too.
  ASSERT_EQ(
      std::system(("tar -C " + folder_.string() + " -cf " + Path("all.tar") + " records").c_str()),
      0);
  EXPECT_EQ(Run("store add records --to fleet.db").exit_code, 0);
  const std::string ranked = Run("store rank --in fleet.db --json").out;
  EXPECT_EQ(Run("janks records --json").out, ranked);
  EXPECT_EQ(Run("janks all.tar --json").out, ranked);
  // An archive leaves out the same files as a folder.
  WriteAll(Path("records/._stillframe-jank-1-2-4.json"), "Mac OS X");
  WriteAll(Path("records/stillframe-jank-1-2-5.json.part"), kRecord);
  const std::string in_folder = folder_.string();
  ASSERT_EQ(std::system(("tar -C " + in_folder + " -cf " + Path("all.tar") + " records").c_str()),
            0);
  for (const char* path : {"records", "all.tar"}) {
    const Outcome again = Run(std::string("janks --json ") + path);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(again.out, ranked) << path;
  }
  ASSERT_EQ(std::system(("tar -C " + in_folder + " -cf " + Path("outer.tar") + " all.tar").c_str()),
            0);
  const Outcome outer = Run("store add outer.tar --to fleet.db");
  EXPECT_EQ(outer.err, "stillframe: outer.tar: all.tar: is an archive within another; unpack it\n");
  EXPECT_NE(outer.out.find("; 1 file refused\n"), std::string::npos) << outer.out;

  const Outcome imported = Run("import records/stillframe-jank-1-2-3.json -o jank.sfdump");
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(Run("text records/stillframe-jank-1-2-3.json").err,
            "stillframe: records/stillframe-jank-1-2-3.json: this is a jank record without a dump; "
            "use 'stillframe janks'\n");
  WriteAll(Path("other.json"), "{}");
  const Outcome bad = Run("janks records/stillframe-jank-1-2-3.json other.json");
  EXPECT_EQ(bad.exit_code, 1);
  ExpectOneLine(bad, "other.json");
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
