// SPDX-License-Identifier: Apache-2.0
// art-run: arguments, environment, ways to end, class loaders, the Signal Catcher's trace.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "beds.h"
#include "program.h"

namespace stillframe::testbed {
namespace {

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Launcher : public testing::TestWithParam<Bed> {
 protected:
  static std::vector<std::string> ArtRun(const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {
        TESTBED_ART_RUN,        "--art", GetParam().release,  "--interpreter",
        GetParam().interpreter, "-cp",   TESTBED_PROGRAMS_JAR};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }

  static Finished RunOnArt(const std::vector<std::string>& arguments) {
    return Program(ArtRun(arguments)).Finish();
  }
};

TEST_P(Launcher, PassesArgumentsEnvironmentAndOptions) {
  setenv("TEST_BED_VARIABLE", "seen", 1);
  const Finished finished =
      RunOnArt({"-Down.name=value", "-Xmx32m", "programs.Args", "one", "two words", "-Xint"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out,
            "[one, two words, -Xint]\nenv seen property value\nheap 33554432\nmain main 1\n"
            "loader dalvik.system.PathClassLoader\nparent java.lang.BootClassLoader\n");
  EXPECT_EQ(finished.err, "");
}

TEST(CommandLine, TakesRelativePathsAndDefaults) {
  const std::string jar = TESTBED_PROGRAMS_JAR;
  const size_t slash = jar.rfind('/');
  const Finished finished =
      Program({TESTBED_ART_RUN, "-cp", jar.substr(slash + 1), "programs/Args"},
              jar.substr(0, slash))
          .Finish();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(Contains(finished.out, "[]\n")) << finished.out;
}

TEST(CommandLine, SaysWhatIsWrong) {
  EXPECT_EQ(Program({TESTBED_ART_RUN}).Finish().exit_code, 2);
  EXPECT_EQ(Program({TESTBED_ART_RUN, "--art", "12", "Main"}).Finish().exit_code, 2);
  EXPECT_EQ(Program({TESTBED_ART_RUN, "--mode", "quick", "Main"}).Finish().exit_code, 2);
  EXPECT_EQ(Program({TESTBED_ART_RUN, "--art", "10", "--mode", "nterp", "Main"}).Finish().exit_code,
            2);
  EXPECT_EQ(Program({TESTBED_ART_RUN, "--mode", "jit", "--interpreter", "mterp", "Main"})
                .Finish()
                .exit_code,
            2);
  const Finished no_mterp =
      Program({TESTBED_ART_RUN, "--art", "14", "--interpreter", "mterp", "Main"}).Finish();
  EXPECT_EQ(no_mterp.exit_code, 2);
  EXPECT_TRUE(Contains(no_mterp.err, "ART 14 for amd64 has no interpreter mterp")) << no_mterp.err;
  const Finished missing = Program({TESTBED_ART_RUN, "-cp", "no-such.jar", "Main"}).Finish();
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(Contains(missing.err, "no-such.jar: No such file")) << missing.err;
  EXPECT_EQ(Program({TESTBED_ART_RUN, "--help"}).Finish().exit_code, 0);
}

TEST_P(Launcher, NamesAClassThatIsMissing) {
  const Finished finished = RunOnArt({"no.such.Main"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_TRUE(Contains(finished.err, "no.such.Main")) << finished.err;
}

TEST_P(Launcher, ExitHasItsCodeAndRunsHooks) {
  const Finished finished = RunOnArt({"programs.Ends", "exit"});
  EXPECT_EQ(finished.exit_code, 7);
  EXPECT_EQ(finished.out, "leaving\nhook\n");
  EXPECT_EQ(RunOnArt({"programs.Ends", "thread-exit"}).exit_code, 5);
  const Finished halted = RunOnArt({"programs.Ends", "halt"});
  EXPECT_EQ(halted.exit_code, 9);
  EXPECT_EQ(halted.out, "");
}

TEST_P(Launcher, AnUncaughtExceptionPrintsItsTraceAndEndsWithOne) {
  const Finished finished = RunOnArt({"programs.Ends", "throw"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.out, "hook\n");
  EXPECT_EQ(finished.err,
            "Exception in thread \"main\" java.lang.Exception: outer\n"
            "\tat programs.Ends.fail(Ends.java:13)\n"
            "\tat programs.Ends.main(Ends.java:27)\n"
            "Caused by: programs.Ends$Cause: inner\n"
            "\t... 2 more\n");
}

TEST_P(Launcher, WaitsForThreadsButNotForDaemons) {
  const Finished finished = RunOnArt({"programs.Ends", "thread"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out, "main is done\nthread is done\nhook\n");
  EXPECT_EQ(RunOnArt({"programs.Ends", "daemon"}).exit_code, 0);
  const Finished dying = RunOnArt({"programs.Ends", "dying-thread"});
  EXPECT_EQ(dying.exit_code, 0);
  EXPECT_TRUE(Contains(
      dying.err, "Exception in thread \"dying\" java.lang.IllegalStateException: in a thread"))
      << dying.err;
}

TEST_P(Launcher, EndsCleanlyAgainAndAgain) {
  for (int i = 0; i < 30; ++i) {
    const Finished finished = RunOnArt({"programs.Args"});
    ASSERT_EQ(finished.exit_code, 0);
    ASSERT_EQ(finished.err, "");
  }
}

TEST_P(Launcher, LoadsClassesFromJarsAndMemory) {
  const Finished finished =
      RunOnArt({"programs.Loaders", TESTBED_PROGRAMS_JAR, TESTBED_PROGRAMS_DEX});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out,
            "PathClassLoader own true same false next 1 boot true\nnot found\n"
            "DexClassLoader own false same true next 2 boot true\nnot found\n"
            "InMemoryDexClassLoader own true same false next 1 boot true\nnot found\n"
            "InMemoryDexClassLoader own true same false next 1 boot true\nnot found\n"
            "PathClassLoader own false same true next 3 boot true\nnot found\n");
}

TEST_P(Launcher, UnloadsClasses) {
  const Finished finished =
      RunOnArt({"programs.Unloads", TESTBED_PROGRAMS_JAR, TESTBED_PROGRAMS_DEX});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, "kind 0 alive 0 of 30\nkind 1 alive 0 of 30\nkind 2 alive 0 of 30\n");
}

TEST_P(Launcher, SigquitPrintsTheTraceTwice) {
  Program program(ArtRun({"programs.Waits"}));
  const pid_t pid = program.pid();
  ASSERT_TRUE(program.WaitForOutput("ready", 30));
  usleep(200'000);  // Until it waits.
  kill(program.pid(), SIGQUIT);
  ASSERT_TRUE(program.WaitForOutput("----- end", 30));
  kill(program.pid(), SIGQUIT);
  usleep(1'000'000);
  kill(program.pid(), SIGTERM);
  const Finished finished = program.Finish();
  EXPECT_TRUE(Contains(finished.err, "DALVIK THREADS")) << finished.err;
  EXPECT_TRUE(Contains(finished.err, "at programs.Waits.waitHere(Waits.java:10)")) << finished.err;
  EXPECT_TRUE(Contains(finished.err, "\"spinner\" daemon"));
  EXPECT_TRUE(Contains(finished.err, "\"Signal Catcher\""));
  EXPECT_TRUE(Contains(finished.err, "sysTid=" + std::to_string(pid)))
      << "main's thread id is the pid";
  const size_t first = finished.err.find("DALVIK THREADS");
  EXPECT_NE(finished.err.find("DALVIK THREADS", first + 1), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Beds, Launcher, testing::ValuesIn(kBeds),
                         [](const auto& test) { return test.param.Name(); });

TEST(Compile, SaysWhatTheCoreLibraryLacks) {
  const std::string source = std::string(TESTBED_SCRATCH) + "/Lacking.java";
  std::ofstream(source) << "class Lacking { java.util.stream.Stream<String> none; }\n";
  const Finished finished = Program({TESTBED_ART_COMPILE, "--build-folder", TESTBED_BUILD_FOLDER,
                                     source, "-o", source + ".jar"})
                                .Finish();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_TRUE(Contains(finished.err, "java.util.stream")) << finished.err;
  EXPECT_EQ(Program({TESTBED_ART_COMPILE}).Finish().exit_code, 2);
}

}  // namespace
}  // namespace stillframe::testbed
