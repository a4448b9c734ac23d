// SPDX-License-Identifier: Apache-2.0
// Help, wrong usage, completion and terminals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/host/command_line.h"
#include "tests/host/sample_documents.h"

namespace stillframe::host_test {
namespace {

constexpr std::string_view kLongName =
    "com.example.shop.checkout.presentation.internal.CheckoutSummaryViewModelFactoryImplementation."
    "createInstanceForConfiguration:3";

TEST_F(CommandLine, HelpAndVersion) {
  const Outcome help = Run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("Example"), std::string::npos);
  for (const char* verb : {"report", "text", "flame", "top", "diff", "export", "import", "inspect",
                           "janks", "cohort", "live", "record", "pull", "doctor"}) {
    const Outcome verb_help = Run(std::string(verb) + " --help");
    EXPECT_EQ(verb_help.exit_code, 0);
    EXPECT_EQ(Run(std::string("help ") + verb).out, verb_help.out);
    EXPECT_EQ(verb_help.out.find(" TEXT "), std::string::npos) << verb_help.out;
    EXPECT_NE(verb_help.out.find("Example:\n  stillframe " + std::string(verb)), std::string::npos);
  }
  const Outcome version = Run("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("stillframe 0.", 0), 0U);
  EXPECT_EQ(Run("version").out, version.out);
  EXPECT_EQ(Run("help").out, help.out);
}

TEST_F(CommandLine, CompletionKnowsWhatHelpSays) {
  const auto completed = [this](const std::string& words, int position) {
    WriteAll(Path("ask"), "source '" STILLFRAME_COMPLETION "'\nCOMP_WORDS=('" STILLFRAME_TOOL "' " +
                              words + ") COMP_CWORD=" + std::to_string(position) +
                              "\n_stillframe\nIFS='|'\necho \"${COMPREPLY[*]}\"\n");
    EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && bash ask > answer").c_str()), 0);
    return ReadAll(Path("answer"));
  };
  EXPECT_EQ(completed("ex", 1), "export\n");
  EXPECT_EQ(completed("c", 1), "config|cohort\n");
  EXPECT_EQ(completed("export --form", 2), "--format\n");
  EXPECT_EQ(completed("help do", 2), "doctor\n");
  EXPECT_EQ(completed("config s", 2), "show|schema\n");
  EXPECT_EQ(completed("text qu", 2), "\n") << "files are the shell's";
}

TEST_F(CommandLine, HelpFitsOnOneScreen) {
  const std::string help = Run("--help").out;
  EXPECT_LE(std::count(help.begin(), help.end(), '\n'), 23) << help;
  for (const char* group : {"\nlook ", "\ncompare ", "\nphone ", "\nconvert ", "\nroll out "})
    EXPECT_NE(help.find(group), std::string::npos) << group;
}

TEST_F(CommandLine, UnknownWordsAreSaidWithTheNearestKnownOne) {
  EXPECT_EQ(Run("repot anr.sfdump").err,
            "stillframe: wrong usage: unknown verb 'repot'; did you mean 'report'?\n");
  EXPECT_EQ(
      Run("flame --mesage 1 anr.sfdump").err,
      "stillframe: wrong usage: 'flame' has no option '--mesage'; did you mean '--message'?\n");
  EXPECT_EQ(
      Run("flame anr.sfdump --output=x --mesage=1").err,
      "stillframe: wrong usage: 'flame' has no option '--mesage'; did you mean '--message'?\n");
  EXPECT_EQ(Run("xyzzy").err,
            "stillframe: wrong usage: unknown verb 'xyzzy'; see 'stillframe --help'\n");
  EXPECT_EQ(Run("").err, "stillframe: wrong usage: no verb is given; see 'stillframe --help'\n");
  EXPECT_EQ(Run("flame a b").err,
            "stillframe: wrong usage: unexpected argument 'b': 'flame' takes one DUMP; see "
            "'stillframe flame --help'\n");
  EXPECT_EQ(Run("help nope").exit_code, 2);
  EXPECT_EQ(Run("record -p a.b --for banana").err,
            "stillframe: wrong usage: --for: 'banana' is not a duration (30s, 5m); see 'stillframe "
            "record --help'\n");
}

size_t LongestLine(const std::string& text) {
  size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST_F(CommandLine, HelpStaysInItsColumns) {
  EXPECT_LE(LongestLine(Run("--help").out), 80U);
  for (const char* verb : {"report", "text", "flame", "top", "diff", "export", "import", "inspect",
                           "janks", "cohort", "live", "record", "pull", "doctor", "config"})
    EXPECT_LE(LongestLine(Run(std::string(verb) + " --help").out), 100U) << verb;
}

// script(1) gives a command a terminal of its own.
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
  // Names are shortened for a terminal only.
  model::Document long_names = QuietDocument();
  TreeMaker(&long_names, 1).Add(InCallback({kLongName}), 200).Finish();
  ASSERT_NO_FATAL_FAILURE(WriteSample(long_names, Path("long.sfdump")));
  EXPECT_NE(on_terminal("TERM=xterm", "top long.sfdump").find("..."), std::string::npos);
  EXPECT_NE(Run("top long.sfdump").out.find(kLongName.substr(0, kLongName.find(':'))),
            std::string::npos);
}

TEST_F(CommandLine, WrongUsageIsTwo) {
  for (const char* arguments : {"",
                                "nonsense",
                                "text",
                                "flame a b",
                                "text --nonsense anr.sfdump",
                                "export anr.sfdump",
                                "export anr.sfdump --format pdf",
                                "export anr.sfdump --format 1",
                                "flame anr.sfdump --message x",
                                "flame anr.sfdump --message -1",
                                "flame anr.sfdump --token 17",
                                "flame anr.sfdump --message 99999999999999999999",
                                "export anr.sfdump --format collapsed --unit hours",
                                "report anr.sfdump -o",
                                "report anr.sfdump --open -o -",
                                "diff . . --json --format svg",
                                "report anr.sfdump --examples 0",
                                "report anr.sfdump --examples -1",
                                "report anr.sfdump --source-url https://host/src",
                                "report anr.sfdump --source-url javascript://{file}",
                                "report anr.sfdump --source-url JavaScript://{file}",
                                "report anr.sfdump --source-url ' javascript://{file}'"}) {
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    ExpectOneLine(outcome, "wrong usage");
  }
  EXPECT_EQ(Run("report anr.sfdump -o - --source-url 'vscode://file/src/{file}:{line}'").exit_code,
            0);
}

}  // namespace
}  // namespace stillframe::host_test
