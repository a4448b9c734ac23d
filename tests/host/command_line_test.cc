// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user does.
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

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

constexpr std::string_view kLongName =
    "com.example.shop.checkout.presentation.internal.CheckoutSummaryViewModelFactoryImplementation."
    "createInstanceForConfiguration:3";

std::string ReadAll(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void WriteAll(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("command-line-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    ASSERT_NO_FATAL_FAILURE(WriteSample(AnrDocument(), Path("anr.sfdump")));
    ASSERT_NO_FATAL_FAILURE(WriteSample(QuietDocument(), Path("quiet.sfdump")));
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // `arguments` go through the shell, in the test's folder.
  Outcome Run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" STILLFRAME_TOOL "' " +
                                arguments + " >'" + Path("out") + "' 2>'" + Path("err") + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadAll(Path("out")),
            ReadAll(Path("err"))};
  }

  // One line on standard error: "stillframe: SUBJECT: what; what to do".
  static void ExpectOneLine(const Outcome& outcome, const std::string& subject) {
    EXPECT_EQ(outcome.err.rfind("stillframe: " + subject + ": ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_NE(outcome.err.find("; "), std::string::npos) << "says not what to do: " << outcome.err;
  }

  fs::path folder_;
};

TEST_F(CommandLine, EveryVerbWorks) {
  const Outcome report = Run("report anr.sfdump -o report.html");
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_EQ(report.out + report.err, "");
  EXPECT_NE(ReadAll(Path("report.html")).find("fixture.Decimal.multiply (Decimal.java:23)"),
            std::string::npos);
  // What cannot be read is left out of the page.
  const Outcome several = Run("report anr.sfdump missing anr.sfdump -o several.html");
  EXPECT_EQ(several.exit_code, 1);
  ExpectOneLine(several, "missing");
  EXPECT_NE(ReadAll(Path("several.html")).find(" and 1 more</title>"), std::string::npos);
  const Outcome text = Run("text anr.sfdump");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("VERDICT  high confidence\n  fixture.Decimal.multiply (Decimal.java:23)"),
            std::string::npos);
  const Outcome flame = Run("flame anr.sfdump");
  EXPECT_EQ(flame.exit_code, 0);
  EXPECT_EQ(flame.out.rfind("<svg ", 0), 0U);
  const Outcome collapsed = Run("export anr.sfdump --format collapsed --token 9");
  EXPECT_EQ(collapsed.exit_code, 0);
  EXPECT_NE(collapsed.out.find("fixture.Account.balance;java.lang.Object.wait 118\n"),
            std::string::npos);
  const Outcome article = Run("export --format article anr.sfdump --token 9");
  EXPECT_EQ(article.exit_code, 0);
  EXPECT_EQ(article.out.rfind("fixture.Main.main(Main.java:15);122;0;1;", 0), 0U) << article.out;
  for (const char* format : {"speedscope", "pprof", "perfetto", "firefox", "chrome", "json"}) {
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
  EXPECT_NE(Run("text anr.sfdump").out.find("fixture.Decimal.multiply (Decimal.java:23) held"),
            std::string::npos);
  EXPECT_NE(Run("text --app fixture.Checkout,other anr.sfdump")
                .out.find("fixture.Checkout.total (Checkout.java:18) held"),
            std::string::npos);
  EXPECT_EQ(Run("report --app fixture.Checkout --app other anr.sfdump -o app.html").exit_code, 0);
}

TEST_F(CommandLine, StandardStreams) {
  const Outcome direct = Run("text anr.sfdump");
  EXPECT_EQ(Run("text - < anr.sfdump").out, direct.out);
  EXPECT_EQ(Run("text - -o - < anr.sfdump").out, direct.out);
  EXPECT_EQ(Run("text anr.sfdump -o text.txt").exit_code, 0);
  EXPECT_EQ(ReadAll(Path("text.txt")), direct.out);
  EXPECT_EQ(Run("report anr.sfdump -o -").out, Run("report anr.sfdump").out);
  EXPECT_EQ(Run("inspect --json anr.sfdump").out, Run("export anr.sfdump --format json").out);
  EXPECT_EQ(std::system(("gzip -nk '" + Path("anr.sfdump") + "'").c_str()), 0);
  EXPECT_EQ(Run("text anr.sfdump.gz").out, direct.out);
  EXPECT_EQ(Run("text - < anr.sfdump.gz").out, direct.out);
  const Outcome empty = Run("text - < /dev/null");
  EXPECT_EQ(empty.exit_code, 1);
  ExpectOneLine(empty, "standard input");
}

TEST_F(CommandLine, HelpAndVersion) {
  const Outcome help = Run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("Example"), std::string::npos);
  for (const char* verb :
       {"report", "text", "flame", "top", "diff", "export", "import", "inspect", "live"}) {
    const Outcome verb_help = Run(std::string(verb) + " --help");
    EXPECT_EQ(verb_help.exit_code, 0);
    EXPECT_NE(verb_help.out.find("Example:\n  stillframe " + std::string(verb)), std::string::npos);
  }
  const Outcome version = Run("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("stillframe 0.", 0), 0U);
}

TEST_F(CommandLine, ManPagesAndCompletionSayWhatHelpSays) {
  const Outcome page = Run("man");
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_NE(page.out.find(".TH STILLFRAME 1\n"), std::string::npos);
  EXPECT_NE(page.out.find(".SH EXIT STATUS\nExit codes: 0 fine"), std::string::npos) << page.out;
  for (const char* verb :
       {"report", "text", "flame", "top", "diff", "export", "import", "inspect", "live"}) {
    EXPECT_NE(page.out.find(std::string(".B ") + verb + "\n"), std::string::npos) << verb;
    const Outcome verb_page = Run(std::string("man ") + verb);
    EXPECT_EQ(verb_page.exit_code, 0);
    EXPECT_NE(verb_page.out.find(std::string(".SH EXAMPLE\n.nf\n  stillframe ") + verb),
              std::string::npos)
        << verb_page.out;
  }
  EXPECT_NE(Run("man inspect").out.find(".B \\-\\-json\n"), std::string::npos) << "no value";
  EXPECT_EQ(Run("man nonsense").exit_code, 2);
  EXPECT_EQ(Run("completion bash -o completion.bash").exit_code, 0);
  const auto completed = [this](const std::string& words, int position) {
    WriteAll(Path("ask"), "source completion.bash\nCOMP_WORDS=(stillframe " + words +
                              ") COMP_CWORD=" + std::to_string(position) +
                              "\n_stillframe\nIFS='|'\necho \"${COMPREPLY[*]}\"\n");
    EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && bash ask > answer").c_str()), 0);
    return ReadAll(Path("answer"));
  };
  EXPECT_EQ(completed("ex", 1), "export\n");
  EXPECT_EQ(completed("export --form", 2), "--format\n");
  EXPECT_EQ(completed("export --format sp", 3), "speedscope\n");
  EXPECT_EQ(completed("text qu", 2), "quiet.sfdump\n");
  EXPECT_EQ(completed("man re", 2), "report\n");
  EXPECT_EQ(completed("completion z", 2), "zsh\n");
  EXPECT_EQ(completed("top --by t", 3), "total\n");
  // One name, not two words.
  WriteAll(Path("two words.sfdump"), "");
  EXPECT_EQ(completed("text tw", 2), "two words.sfdump\n");
  EXPECT_EQ(completed("text tw", 2).find('|'), std::string::npos);
  const Outcome zsh = Run("completion zsh");
  EXPECT_EQ(zsh.out.rfind("#compdef stillframe\n", 0), 0U);
  EXPECT_NE(zsh.out.find("'--by["), std::string::npos);
}

TEST_F(CommandLine, UnknownWordsAreSaidWithTheNearestKnownOne) {
  EXPECT_EQ(Run("repot anr.sfdump").err,
            "stillframe: wrong usage: there is no verb 'repot'; did you mean 'report'?\n");
  EXPECT_EQ(Run("flame --tokn 1 anr.sfdump").err,
            "stillframe: wrong usage: 'flame' has no option '--tokn'; did you mean '--token'?\n");
  EXPECT_EQ(Run("flame anr.sfdump --output=x --tokn=1").err,
            "stillframe: wrong usage: 'flame' has no option '--tokn'; did you mean '--token'?\n");
  EXPECT_EQ(Run("xyzzy").err,
            "stillframe: wrong usage: there is no verb 'xyzzy'; see 'stillframe --help'\n");
  EXPECT_EQ(Run("").err, "stillframe: wrong usage: no verb is given; see 'stillframe --help'\n");
  EXPECT_EQ(Run("text a b").err,
            "stillframe: wrong usage: 'text' takes nothing more than it has, and got 'b'; see "
            "'stillframe text --help'\n");
}

size_t LongestLine(const std::string& text) {
  size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST_F(CommandLine, HelpStaysInItsColumns) {
  for (const char* verb : {"report", "text", "flame", "top", "diff", "export", "import", "inspect",
                           "live", "completion", "man"})
    EXPECT_LE(LongestLine(Run(std::string(verb) + " --help").out), 100U) << verb;
  EXPECT_NE(Run("man export").out.find(".SH DESCRIPTION\n"), std::string::npos);
  EXPECT_NE(Run("man export").out.find(".SH EXIT STATUS\n"), std::string::npos);
}

// script(1) runs a command on a terminal of its own.
TEST_F(CommandLine, TerminalsGetTheirWidthAndColours) {
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "script(1) is missing";
  const auto on_terminal = [this](const std::string& variables, const std::string& arguments) {
    WriteAll(Path("run"), "cd '" + folder_.string() + "' && stty cols 70 && env " + variables +
                              " '" STILLFRAME_TOOL "' " + arguments + "\n");
    EXPECT_EQ(std::system(("script -qec 'sh " + Path("run") + "' /dev/null </dev/null >'" +
                           Path("out") + "'")
                              .c_str()),
              0);
    return ReadAll(Path("out"));
  };
  const std::string coloured = on_terminal("TERM=xterm", "text anr.sfdump");
  EXPECT_NE(coloured.find("\x1b[1mVERDICT\x1b[0m"), std::string::npos) << coloured.substr(0, 400);
  const std::string plain = on_terminal("TERM=xterm NO_COLOR=1", "text anr.sfdump");
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  const std::string sentence = plain.substr(plain.find("VERDICT"), 300);
  EXPECT_LE(LongestLine(sentence), 71U) << "a carriage return ends each line";
  EXPECT_EQ(Run("text anr.sfdump").out.find('\x1b'), std::string::npos);
  // Names are cut for a terminal only.
  model::Document long_names = QuietDocument();
  TreeMaker(&long_names, 1).Add(InCallback({kLongName}), 200).Finish();
  ASSERT_NO_FATAL_FAILURE(WriteSample(long_names, Path("long.sfdump")));
  EXPECT_NE(on_terminal("TERM=xterm", "top long.sfdump").find("..."), std::string::npos);
  EXPECT_NE(Run("top long.sfdump").out.find(kLongName.substr(0, kLongName.find(':'))),
            std::string::npos);
}

TEST_F(CommandLine, WrongUsageIsTwo) {
  for (const char* arguments :
       {"", "nonsense", "text", "text a b", "text --nonsense anr.sfdump", "export anr.sfdump",
        "export anr.sfdump --format pdf", "export anr.sfdump --format 1",
        "flame anr.sfdump --token x", "flame anr.sfdump --token -1",
        "flame anr.sfdump --token 99999999999999999999",
        "export anr.sfdump --format collapsed --unit hours", "report anr.sfdump -o"}) {
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    ExpectOneLine(outcome, "wrong usage");
  }
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

TEST_F(CommandLine, AMissingTokenNamesThoseThatExist) {
  for (const char* arguments :
       {"flame anr.sfdump --token 4", "export anr.sfdump --format collapsed --token 4"}) {
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
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

TEST_F(CommandLine, MappingsRestoreNamesInEveryVerb) {
  WriteAll(Path("mapping.txt"),
           "com.shop.Money -> fixture.Decimal:\n    1:99:void times():1001:1099 -> multiply\n");
  WriteAll(Path("other.txt"), "com.shop.Other -> z.z:\n");
  for (const char* verb :
       {"text", "report", "flame", "export --format collapsed", "inspect --json", "top"}) {
    const Outcome outcome = Run(std::string(verb) + " anr.sfdump --mapping mapping.txt");
    EXPECT_EQ(outcome.exit_code, 0) << verb << outcome.err;
    EXPECT_EQ(outcome.out.find("fixture.Decimal.multiply"), std::string::npos) << verb;
    EXPECT_TRUE(verb == std::string("report") || outcome.out.find("times") != std::string::npos)
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
}

TEST_F(CommandLine, LiveNeedsAProcessThatListens) {
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
  // A limit on the file size stands for a full disk; the program gets an error instead of the
  // signal.
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
       {"report", "text", "flame", "export --format article", "export --format collapsed",
        "export --format speedscope", "export --format pprof", "export --format perfetto",
        "export --format firefox", "export --format chrome", "inspect", "inspect --json"}) {
    const Outcome outcome = Run(std::string(verb) + " hostile.sfdump");
    EXPECT_EQ(outcome.exit_code, 0) << verb << outcome.err;
    EXPECT_NE(outcome.out, "") << verb;
  }
}

}  // namespace
}  // namespace stillframe::host_test
