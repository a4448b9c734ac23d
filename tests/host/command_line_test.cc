// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user does.
#include "tests/host/command_line.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <stillframe/dump_format.h>

#include "tests/host/sample_documents.h"

namespace stillframe::host_test {
namespace {

TEST_F(CommandLine, EveryVerbWorks) {
  const Outcome report = Run("report anr.sfdump -o report.html");
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_EQ(report.out + report.err, "");
  EXPECT_NE(ReadAll(Path("report.html")).find("Decimal.multiply kept the main thread busy for"),
            std::string::npos);
  // Unreadable dumps are left out of the page.
  const Outcome several = Run("report anr.sfdump missing anr.sfdump -o several.html");
  EXPECT_EQ(several.exit_code, 1);
  ExpectOneLine(several, "missing");
  EXPECT_NE(ReadAll(Path("several.html")).find(" and 1 more \u2013 Stillframe</title>"),
            std::string::npos);
  const Outcome text = Run("text anr.sfdump");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(
      text.out.find(
          "VERDICT  high confidence\n  Decimal.multiply kept the main thread busy for 2.8 s\n"),
      std::string::npos);
  const Outcome flame = Run("flame anr.sfdump -o -");
  EXPECT_EQ(flame.exit_code, 0);
  EXPECT_EQ(flame.out.rfind("<svg ", 0), 0U);
  const Outcome collapsed = Run("export anr.sfdump --format collapsed --message 9");
  EXPECT_EQ(collapsed.exit_code, 0);
  EXPECT_NE(collapsed.out.find("fixture.Account.balance;java.lang.Object.wait 118\n"),
            std::string::npos);
  const Outcome article = Run("export --format article anr.sfdump --message 9");
  EXPECT_EQ(article.exit_code, 0);
  EXPECT_EQ(article.out.rfind("fixture.Main.main(Main.java:15);122;0;1;", 0), 0U) << article.out;
  for (const char* format : {"speedscope", "pprof", "perfetto", "firefox", "json"}) {
    const Outcome exported = Run(std::string("export anr.sfdump --format ") + format);
    EXPECT_EQ(exported.exit_code, 0) << format << exported.err;
    EXPECT_GT(exported.out.size(), 500U) << format;
  }
  EXPECT_EQ(Run("inspect anr.sfdump").exit_code, 0);
  const Outcome json = Run("inspect --json anr.sfdump");
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_NE(json.out.find("\"method\": \"fixture.Decimal.multiply\""), std::string::npos);
}

TEST_F(CommandLine, TheApplicationsPackagesAreToldApart) {
  EXPECT_NE(Run("text anr.sfdump").out.find("Decimal.multiply kept the main"), std::string::npos);
  EXPECT_NE(
      Run("text --app fixture.Checkout,other anr.sfdump").out.find("Checkout.total kept the main"),
      std::string::npos);
  EXPECT_EQ(Run("report --app fixture.Checkout --app other anr.sfdump -o app.html").exit_code, 0);
}

TEST_F(CommandLine, StandardStreams) {
  const Outcome direct = Run("text anr.sfdump");
  EXPECT_EQ(Run("text - < anr.sfdump").out, direct.out);
  EXPECT_EQ(Run("text - -o - < anr.sfdump").out, direct.out);
  EXPECT_EQ(Run("text anr.sfdump -o text.txt").exit_code, 0);
  EXPECT_EQ(ReadAll(Path("text.txt")), direct.out);
  // Pages have names of their own.
  const std::string page = Run("report anr.sfdump -o -").out;
  EXPECT_EQ(Run("report anr.sfdump").out, "anr.html\n");
  EXPECT_EQ(ReadAll(Path("anr.html")), page);
  EXPECT_EQ(Run("report anr.sfdump quiet.sfdump").out, "report.html\n");
  EXPECT_EQ(Run("flame - < anr.sfdump").out, "flame.svg\n");
  WriteAll(Path("xdg-open"), "#!/bin/sh\necho \"$1\" > opened\n");
  fs::permissions(Path("xdg-open"), fs::perms::owner_all);
  EXPECT_EQ(
      std::system(("cd '" + folder_.string() +
                   "' && PATH=.:$PATH '" STILLFRAME_TOOL "' report anr.sfdump --open -o page.html")
                      .c_str()),
      0);
  EXPECT_EQ(ReadAll(Path("opened")), "page.html\n");
  EXPECT_EQ(Run("inspect --json anr.sfdump").out, Run("export anr.sfdump --format json").out);
  EXPECT_EQ(std::system(("gzip -nk '" + Path("anr.sfdump") + "'").c_str()), 0);
  EXPECT_EQ(Run("text anr.sfdump.gz").out, direct.out);
  EXPECT_EQ(Run("text - < anr.sfdump.gz").out, direct.out);
  const Outcome empty = Run("text - < /dev/null");
  EXPECT_EQ(empty.exit_code, 1);
  ExpectOneLine(empty, "standard input");
}

TEST_F(CommandLine, BadFilesAreOne) {
  WriteAll(Path("empty"), "");
  fs::create_directory(folder_ / "no-dumps");
  WriteAll(Path("text"), "this is no dump, but some text that somebody has mistaken for one\n");
  std::string newer = ReadAll(Path("anr.sfdump"));
  dump::FileHeader header;
  std::memcpy(&header, newer.data(), sizeof(header));
  header.major = 99;
  header.crc = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(&header), offsetof(dump::FileHeader, crc)));
  std::memcpy(newer.data(), &header, sizeof(header));
  WriteAll(Path("newer"), newer);
  for (const char* verb : {"report", "text", "flame", "export --format article", "inspect"}) {
    for (const char* file : {"missing", "empty", "text", "newer", "no-dumps"}) {
      const Outcome outcome = Run(std::string(verb) + " " + file);
      EXPECT_EQ(outcome.exit_code, 1) << verb << " " << file;
      EXPECT_EQ(outcome.out, "");
      ExpectOneLine(outcome, file);
    }
  }
}

TEST_F(CommandLine, AMissingMessageNamesThoseThatExist) {
  for (const char* arguments :
       {"flame anr.sfdump --message 4", "export anr.sfdump --format collapsed --message 4"}) {
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    ExpectOneLine(outcome, "anr.sfdump");
    EXPECT_NE(outcome.err.find("choose one of 17, 12, 9"), std::string::npos) << outcome.err;
  }
  const Outcome none = Run("flame quiet.sfdump");
  EXPECT_EQ(none.exit_code, 1);
  ExpectOneLine(none, "quiet.sfdump");
}

TEST_F(CommandLine, ATruncatedDumpIsShownAsFarAsItGoes) {
  const std::string whole = ReadAll(Path("anr.sfdump"));
  WriteAll(Path("cut"), whole.substr(0, whole.size() - 30));
  const Outcome text = Run("text cut");
  EXPECT_EQ(text.exit_code, 1);
  ExpectOneLine(text, "cut");
  EXPECT_NE(text.out.find("partial: "), std::string::npos);
  EXPECT_NE(text.out.find("fixture.Main"), std::string::npos);
  EXPECT_EQ(Run("report cut -o cut.html").exit_code, 1);
  EXPECT_NE(ReadAll(Path("cut.html")).find("This report is partial."), std::string::npos);
  EXPECT_NE(Run("inspect --json cut").out.find("\"partial\": true"), std::string::npos);
}

TEST_F(CommandLine, EveryDamageEndsWithOneLineAndOne) {
  const std::string whole = ReadAll(Path("anr.sfdump"));
  for (size_t step = 0; step < 24; ++step) {
    const size_t at = whole.size() * step / 24;
    WriteAll(Path("cut"), whole.substr(0, at));
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    WriteAll(Path("flipped"), flipped);
    for (const char* file : {"cut", "flipped"}) {
      const Outcome outcome = Run(std::string("text ") + file);
      EXPECT_EQ(outcome.exit_code, 1) << file << " at " << at;
      ExpectOneLine(outcome, file);
    }
  }
}

TEST_F(CommandLine, AGzipFileThatIsCutOrABombIsShownAsFarAsItGoes) {
  EXPECT_EQ(std::system(("gzip -nk '" + Path("anr.sfdump") + "'").c_str()), 0);
  const std::string whole = ReadAll(Path("anr.sfdump.gz"));
  WriteAll(Path("cut.gz"), whole.substr(0, whole.size() * 9 / 10));
  const Outcome cut = Run("text cut.gz");
  EXPECT_EQ(cut.exit_code, 1);
  ExpectOneLine(cut, "cut.gz");
  EXPECT_NE(cut.err.find("of the gzip file"), std::string::npos) << cut.err;
  EXPECT_NE(cut.out.find("partial: "), std::string::npos);
  // 270 MB of zeros; the limit is 256 MiB.
  EXPECT_EQ(
      std::system(("head -c 270000000 /dev/zero | gzip -1 > '" + Path("bomb.gz") + "'").c_str()),
      0);
  const Outcome bomb = Run("text bomb.gz");
  EXPECT_EQ(bomb.exit_code, 1);
  EXPECT_EQ(bomb.out, "");
  EXPECT_NE(bomb.err.find("larger than "), std::string::npos) << bomb.err;
}

TEST_F(CommandLine, AGzipFileOfSeveralMembersAndPaddingIsRead) {
  const std::string plain = ReadAll(Path("anr.sfdump"));
  WriteAll(Path("first"), plain.substr(0, 999));
  WriteAll(Path("second"), plain.substr(999));
  EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && gzip first second").c_str()), 0);
  const std::string members = ReadAll(Path("first.gz")) + ReadAll(Path("second.gz"));
  const std::string expected = Run("text anr.sfdump").out;
  for (const size_t zeros : {0U, 1U, 512U, 600'000U}) {
    WriteAll(Path("padded.gz"), members + std::string(zeros, '\0'));
    const Outcome outcome = Run("text padded.gz");
    EXPECT_EQ(outcome.exit_code, 0) << zeros << outcome.err;
    EXPECT_EQ(outcome.out, expected) << zeros;
  }
  WriteAll(Path("garbage.gz"), members + std::string(512, '\0') + "garbage");
  const Outcome garbage = Run("text garbage.gz");
  EXPECT_EQ(garbage.exit_code, 1);
  ExpectOneLine(garbage, "garbage.gz");
}

TEST_F(CommandLine, WhatTheLibraryKeepsForItselfIsNoInputOfAFolder) {
  fs::create_directory(folder_ / "device");
  fs::copy_file(Path("anr.sfdump"), folder_ / "device" / "stillframe-1.sfdump");
  for (const char* name : {"stillframe-guard-1a2b3c-4", "stillframe-install", "stillframe-verdict",
                           "stillframe-jank.day", "stillframe-session-a-1p2.json",
                           "9f-stillframe-session-a-1p2.json", "stillframe-session-a-1p2.sent",
                           "stillframe-2.sfdump.77.tmp", "stillframe-jank.day.77.part"})
    WriteAll((folder_ / "device" / name).string(), "");
  const Outcome top = Run("top device");
  EXPECT_EQ(top.exit_code, 0);
  EXPECT_EQ(top.err, "");
  const Outcome named = Run("text device/stillframe-2.sfdump.77.tmp");
  EXPECT_EQ(named.exit_code, 1);
  EXPECT_NE(named.err.find("its process died while writing it"), std::string::npos) << named.err;
}

TEST_F(CommandLine, MappingsRestoreNamesInEveryVerb) {
  WriteAll(Path("mapping.txt"),
           "com.shop.Money -> fixture.Decimal:\n    1:99:void times():1001:1099 -> multiply\n");
  WriteAll(Path("other.txt"), "com.shop.Other -> z.z:\n");
  for (const char* verb : {"text", "report -o -", "flame -o -", "export --format collapsed",
                           "inspect --json", "top"}) {
    const Outcome outcome = Run(std::string(verb) + " anr.sfdump --mapping mapping.txt");
    EXPECT_EQ(outcome.exit_code, 0) << verb << outcome.err;
    EXPECT_EQ(outcome.out.find("fixture.Decimal.multiply"), std::string::npos) << verb;
    EXPECT_TRUE(verb == std::string("report -o -") ||
                outcome.out.find("times") != std::string::npos)
        << verb;
  }
  EXPECT_EQ(Run("text - --mapping mapping.txt < anr.sfdump").out,
            Run("text anr.sfdump --mapping mapping.txt").out);
  EXPECT_EQ(std::system(("gzip -nk '" + Path("mapping.txt") + "'").c_str()), 0);
  EXPECT_EQ(Run("top anr.sfdump --mapping mapping.txt.gz").exit_code, 0);
  // Several, of which the first that knows a class wins.
  EXPECT_EQ(Run("top anr.sfdump --mapping other.txt --mapping mapping.txt").exit_code, 0);
  const Outcome wrong = Run("text anr.sfdump --mapping other.txt");
  EXPECT_EQ(wrong.exit_code, 1);
  ExpectOneLine(wrong, "anr.sfdump");
  EXPECT_NE(wrong.out.find("fixture.Decimal.multiply"), std::string::npos);
  const Outcome version = Run("text anr.sfdump --mapping 9.9=mapping.txt");
  EXPECT_EQ(version.exit_code, 1);
  ExpectOneLine(version, "anr.sfdump");
  for (const char* file : {"missing", "anr.sfdump"}) {
    const Outcome outcome = Run(std::string("text quiet.sfdump --mapping ") + file);
    EXPECT_EQ(outcome.exit_code, 1);
    ExpectOneLine(outcome, file);
  }
}

TEST_F(CommandLine, OldDataJoinsIn) {
  EXPECT_EQ(Run("export anr.sfdump --format collapsed -o stacks.txt").exit_code, 0);
  EXPECT_EQ(Run("import stacks.txt -o imported.sfdump").exit_code, 0);
  EXPECT_EQ(Run("export imported.sfdump --format collapsed").out, ReadAll(Path("stacks.txt")));
  EXPECT_EQ(Run("export anr.sfdump --format article -o article.txt").exit_code, 0);
  WriteAll(Path("piped.sfdump"), Run("import - < article.txt").out);
  EXPECT_EQ(Run("export piped.sfdump --format article").out, ReadAll(Path("article.txt")));
  EXPECT_EQ(Run("import article.txt -o article.sfdump").exit_code, 0);
  EXPECT_EQ(Run("export article.sfdump --format article").out, ReadAll(Path("article.txt")));
  EXPECT_EQ(Run("report article.sfdump imported.sfdump -o both.html").exit_code, 0);
  const Outcome bad = Run("import quiet.sfdump -o bad.sfdump");
  EXPECT_EQ(bad.exit_code, 1);
  ExpectOneLine(bad, "quiet.sfdump");
  EXPECT_FALSE(fs::exists(Path("bad.sfdump")));
}

TEST_F(CommandLine, TopAndDiff) {
  const Outcome top = Run("top .");
  EXPECT_EQ(top.exit_code, 0) << top.err;
  EXPECT_NE(top.out.find("3 sampled messages in 2 dumps"), std::string::npos) << top.out;
  EXPECT_EQ(Run("top anr.sfdump quiet.sfdump").out, top.out);
  const Outcome diff = Run("diff anr.sfdump . --rows 3");
  EXPECT_EQ(diff.exit_code, 0) << diff.err;
  EXPECT_NE(diff.out.find("No method's share changed."), std::string::npos) << diff.out;
  EXPECT_EQ(Run("diff quiet.sfdump anr.sfdump --format svg").out.rfind("<svg ", 0), 0U);
  EXPECT_NE(Run("diff quiet.sfdump anr.sfdump --format folded").out.find(" 0 "), std::string::npos);
  EXPECT_EQ(Run("diff anr.sfdump missing").exit_code, 1);
  const Outcome slower = Run("diff quiet.sfdump anr.sfdump --fail-above 5");
  EXPECT_EQ(slower.exit_code, 1);
  EXPECT_EQ(slower.out, Run("diff quiet.sfdump anr.sfdump").out);
  ExpectOneLine(slower, "fixture.Decimal.multiply");
  EXPECT_EQ(Run("diff quiet.sfdump anr.sfdump --fail-above 100 --json -o diff.json").exit_code, 0);
  ExpectOneLine(Run("diff anr.sfdump quiet.sfdump --fail-above 100"), "quiet.sfdump");
  EXPECT_EQ(ReadAll(Path("diff.json")), Run("diff quiet.sfdump anr.sfdump --json").out);
  for (const char* percent : {"nan", "-1", "101", "5%", "''"})
    EXPECT_EQ(Run(std::string("diff . . --fail-above ") + percent).exit_code, 2) << percent;
}

TEST_F(CommandLine, FoldersAreSearchedWithAllBelowThem) {
  fs::create_directories(Path("shop/b/c"));
  fs::rename(Path("anr.sfdump"), Path("shop/b/c/anr.sfdump"));
  fs::rename(Path("quiet.sfdump"), Path("shop/b/a.sfdump"));
  fs::create_directory_symlink("..", Path("shop/b/loop"));
  const Outcome text = Run("text shop");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.out,
            "shop/b/a.sfdump: No slow message was seen\n"
            "shop/b/c/anr.sfdump: Decimal.multiply kept the main thread busy for 2.8 s\n");
  EXPECT_EQ(Run("text shop/b/a.sfdump shop/b/c").out, text.out);
}

TEST_F(CommandLine, LiveNeedsAProcessThatListens) {
  EXPECT_EQ(Run("live --pid 4194304").err, "stillframe: live: no such process: 4194304\n");
  // The process of init, which is none of ours.
  const Outcome outcome = Run("live --pid 1");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "");
  ExpectOneLine(outcome, "process 1");
  EXPECT_EQ(Run("live --pid x").exit_code, 2);
}

TEST_F(CommandLine, OutputIsWholeOrAbsent) {
  const Outcome no_folder = Run("report anr.sfdump -o nowhere/report.html");
  EXPECT_EQ(no_folder.exit_code, 1);
  ExpectOneLine(no_folder, "nowhere/report.html");
  fs::create_directory(folder_ / "folder");
  EXPECT_EQ(Run("report anr.sfdump -o folder").exit_code, 1);
  const Outcome full = Run("report anr.sfdump -o /dev/full");
  EXPECT_EQ(full.exit_code, 1);
  ExpectOneLine(full, "/dev/full");
  WriteAll(Path("kept.html"), "old");
  EXPECT_EQ(Run("report missing -o kept.html").exit_code, 1);
  EXPECT_EQ(ReadAll(Path("kept.html")), "old");
  fs::create_symlink("kept.html", folder_ / "link.html");
  EXPECT_EQ(Run("report anr.sfdump -o link.html").exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.html"));
  EXPECT_GT(ReadAll(Path("kept.html")).size(), 1000U);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

TEST_F(CommandLine, AFullDiskLeavesNothing) {
  // A limit on the file size simulates a full disk; the program gets an error, not the signal.
  const std::string command = "cd '" + folder_.string() + "' && (trap '' XFSZ; ulimit -f 4; '" +
                              STILLFRAME_TOOL + "' report anr.sfdump -o full.html) 2>/dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
    EXPECT_EQ(entry.path().string().find("full.html"), std::string::npos) << entry.path();
}

TEST_F(CommandLine, AHostileDumpGoesThroughEveryVerb) {
  ASSERT_NO_FATAL_FAILURE(WriteSample(HostileDocument(), Path("hostile.sfdump")));
  for (const char* verb :
       {"report -o -", "text", "flame -o -", "export --format article", "export --format collapsed",
        "export --format speedscope", "export --format pprof", "export --format perfetto",
        "export --format firefox", "inspect", "inspect --json"}) {
    const Outcome outcome = Run(std::string(verb) + " hostile.sfdump");
    EXPECT_EQ(outcome.exit_code, 0) << verb << outcome.err;
    EXPECT_NE(outcome.out, "") << verb;
  }
}

}  // namespace
}  // namespace stillframe::host_test
