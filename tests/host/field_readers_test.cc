// SPDX-License-Identifier: Apache-2.0
// Files of other monitors as logs, uploads and editors leave them.
#include <gtest/gtest.h>

#include "tests/host/verdict_case.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/input/field_import.h"

namespace stillframe::host_test {
namespace {

constexpr char kPonies[] = R"({"tag":"Trace_EvilMethod","process":"zoo.ponies","cost":705,)"
                           R"("stack":"0,1048574,1,690\n1,31,12,660\n","time":1650000000000})";
constexpr char kGoats[] = R"({"cost":402,"stack":"0,32,1,400\n"})";
constexpr char kMethods[] = "31,1,zoo.ponies.Stable brush ()V\n32,1,zoo.goats.Pen count ()I\n";

// The document of a text, its notes, and the error if it is refused.
struct Imported {
  model::Document document;
  std::string notes;
  std::string error;
};

Imported Matrix(std::string_view text) {
  Imported made;
  const bool is_read =
      input::ImportMatrixIssue(text, kMethods, &made.document, &made.notes, &made.error);
  EXPECT_EQ(is_read, made.error.empty()) << text;
  return made;
}

Imported Blocks(std::string_view text) {
  Imported made;
  const bool is_read = input::ImportBlockLog(text, &made.document, &made.notes, &made.error);
  EXPECT_EQ(is_read, made.error.empty()) << text;
  return made;
}

Imported Collapsed(std::string_view text) {
  Imported made;
  const bool is_read = input::ImportCollapsed(text, {}, &made.document, &made.notes, &made.error);
  EXPECT_EQ(is_read, made.error.empty()) << text;
  return made;
}

// "class|method|file|line" of each frame with this method.
std::string Frames(const model::Document& document, std::string_view method) {
  std::string text;
  const model::FrameTable& frames = document.frames;
  for (model::FrameId id = 0; id < frames.size(); ++id) {
    const model::Frame& frame = frames.At(id);
    if (frames.MethodName(id) != method) continue;
    text += std::string(frames.ClassName(id)) + "|" + std::string(method) + "|" +
            std::string(frames.String(frame.source_file)) + "|" + std::to_string(frame.line) + " ";
  }
  return text;
}

std::string Value(const model::Document& document, std::string_view name) {
  for (const model::Annotation& entry : document.annotations.entries)
    if (entry.name == name) return entry.value;
  return "";
}

TEST(FieldReaders, IssuesOfMatrixAreFoundInAnyText) {
  const std::string ponies = kPonies;
  const std::string goats = kGoats;
  std::string quoted;
  for (const char c : ponies) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  std::string broken = ponies;
  for (size_t at = broken.find("\\n"); at != std::string::npos; at = broken.find("\\n"))
    broken.replace(at, 2, "\n");
  const std::string texts[] = {
      ponies + "\n" + goats + "\n",
      "[" + ponies + "," + goats + "]",
      "I/Trace: tag: Trace_EvilMethod\n  content: " + ponies + "\nI/Trace: content[" + goats + "]",
      "Intent { act=MAIN } \"{\n" + ponies + goats,
      R"({"data":{"list":[{"content":)" + ponies + "}," + goats + "]}}",
      R"({"content":")" + quoted + "\"}" + goats,
      broken + goats,
  };
  for (const std::string& text : texts) {
    const Imported made = Matrix(text);
    ASSERT_EQ(made.document.history.size(), 2U) << text;
    EXPECT_EQ(made.document.history[0].wall_ns, 705'000'000) << text;
    EXPECT_EQ(made.document.history[1].wall_ns, 402'000'000) << text;
    EXPECT_EQ(made.document.identity.process_name, "zoo.ponies");
    EXPECT_EQ(made.document.trees.size(), 2U);
  }
}

TEST(FieldReaders, ABadIssueOfMatrixDoesNotStopTheOthers) {
  const std::string bad[] = {R"({"cost":5,"stack":""})", R"({"cost":5,"stack":"0,x"})",
                             R"({"cost":5,"stack":7})", R"({"cost":5,"stack":"0,1,1,0"})",
                             R"({"threadStack":"nothing"})"};
  for (const std::string& issue : bad) {
    const Imported made = Matrix(issue + "\n" + kGoats);
    EXPECT_EQ(made.document.history.size(), 1U) << issue;
    EXPECT_TRUE(made.notes.starts_with("issue 1 has ") || made.notes.starts_with("issue 1 is "))
        << made.notes;
    EXPECT_TRUE(Matrix(issue).error.starts_with("issue 1 ")) << issue;
  }
  EXPECT_EQ(Matrix(bad[0]).error, "issue 1 has an empty stack");
  const std::string cut = std::string(kPonies).substr(0, 120);
  EXPECT_EQ(Matrix(kGoats + cut).notes, "the last issue is cut off");
  EXPECT_EQ(Matrix(cut).error, "ends within an issue: its last brace is missing");
  EXPECT_NE(Matrix(R"({"tag":"Trace_FPS","fps":3})").error.find("no issue"), std::string::npos);
  EXPECT_NE(Matrix("nothing").error.find("no JSON"), std::string::npos);
}

TEST(FieldReaders, CallsOfMatrixExplainTheirOwnTimeOnly) {
  const Imported made = Matrix(kPonies);
  EXPECT_TRUE(index::HasRecordedCalls(made.document));
  const Verdict verdict = judge::Judge(DumpIndex(made.document));
  EXPECT_EQ(verdict.named_ns, 660'000'000U);
  EXPECT_EQ(verdict.window_ns, 705'000'000U);
  EXPECT_EQ(SentenceOf(verdict),
            "zoo.ponies.Stable.brush ran during an unidentified message: 660 ms of 705 ms.");
  const words::Words words = words::Explain(verdict);
  EXPECT_EQ((words.confidence + EvidenceOf(verdict)).find("sample"), std::string::npos);
  EXPECT_NE(EvidenceOf(verdict).find("690 ms of 705 ms"), std::string::npos);
  uint64_t sum_ns = 0;
  for (const judge::Contributor& row : verdict.contributors) sum_ns += row.ns;
  EXPECT_EQ(sum_ns, verdict.window_ns);
}

TEST(FieldReaders, AThreadStackOfMatrixIsTheMainThreads) {
  const std::string stack =
      R"("threadStack":" \n at java.lang.Thread:sleep(-2)\n at zoo.ponies.Stable.nap(Stable.kt:8)\n")";
  const Imported alone = Matrix(R"({"detail":"SIGNAL_ANR","process":"zoo.ponies",)" + stack + "}");
  ASSERT_TRUE(alone.document.thread_stacks) << alone.error;
  const model::ThreadStack& main = alone.document.thread_stacks->stacks.at(0);
  EXPECT_EQ(main.name, "main");
  EXPECT_EQ(main.tid, 1U);
  ASSERT_EQ(main.frames.size(), 2U);
  EXPECT_EQ(Frames(alone.document, "sleep"), "java.lang.Thread|sleep||-2 ");
  EXPECT_EQ(Frames(alone.document, "nap"), "zoo.ponies.Stable|nap|Stable.kt|8 ");
  EXPECT_EQ(HeadlineOf(judge::Judge(DumpIndex(alone.document))),
            "At the dump the main thread slept in Stable.nap");
  const Imported timed = Matrix(R"({"detail":"LAG","cost":2100,"pid":77,)" + stack + "}");
  ASSERT_EQ(timed.document.history.size(), 1U);
  EXPECT_TRUE(timed.document.trees.empty());
  EXPECT_EQ(timed.document.thread_stacks->stacks[0].tid, 77U);
  EXPECT_EQ(HeadlineOf(judge::Judge(DumpIndex(timed.document))),
            "At the dump the main thread slept in Stable.nap");
  const Imported both = Matrix(R"({"cost":900,"stack":"0,31,1,880\n",)" + stack + "}");
  EXPECT_EQ(both.document.trees.size(), 1U);
  EXPECT_TRUE(both.document.thread_stacks);
}

constexpr char kBarn[] =
    "**********************\n2020-01-01 00:00:08(write log time)\n\nqua = unknown\n"
    "process = zoo.barn\nuid = uid\ntime = 3000\nthread-time = 90\n"
    "time-start = 12-31 23:59:58.000\ntime-end = 01-01 00:00:01.000\n"
    "cpu-rate = \n01-01 00:00:01.000 cpu:3% app:1% [user:1% system:1% ioWait:0% ]\n\n"
    "stack = 12-31 23:59:59.000\n\njava.lang.Thread.sleep(Native Method)\n"
    "zoo.barn.Door.creak(Door.java:4)\n\n01-01 00:00:00.500\n\n"
    "java.lang.Thread.sleep(Native Method)\nzoo.barn.Door.creak(Door.java:4)\n\n";
constexpr char kHay[] =
    "qualifier = unknown\nprocess = zoo.barn\ntime = 800\nthread-time = 790\n"
    "time-start = 01-01 00:00:06.000\ntime-end = 01-01 00:00:06.800\n"
    "stack = 01-01 00:00:06.400\n\nzoo.barn.Hay.stack(Hay.java:7)\n";

TEST(FieldReaders, BlocksOfOneFileAreMessagesByTheirStarts) {
  for (const std::string& text :
       {std::string(kBarn) + kHay, kHay + std::string("\n") + kBarn, std::string(kBarn) + kBarn}) {
    const Imported made = Blocks(text);
    ASSERT_EQ(made.document.history.size(), 2U) << made.error;
    EXPECT_EQ(made.document.trees.size(), 2U);
    EXPECT_EQ(made.document.history[0].wall_ns, 3'000'000'000);
    EXPECT_EQ(made.document.history[0].cpu_ns, 90'000'000);
    EXPECT_EQ(made.document.trees[0].sample_count(), 2U);
    const uint64_t later_ns = made.document.history[1].start_ns - made.document.history[0].start_ns;
    const bool has_hay = text.find("Hay") != std::string::npos;
    EXPECT_EQ(later_ns, has_hay ? 8'000'000'000U : 3'000'000'000U) << "messages do not overlap";
    EXPECT_EQ(Value(made.document, "time as written"),
              has_hay ? "2020-01-01 00:00:06" : "2020-01-01 00:00:01");
    EXPECT_EQ(made.document.identity.pid + made.document.identity.uid, 0U);
    EXPECT_EQ(made.document.taken_realtime_ns, 0U) << "the zone is unknown";
  }
}

TEST(FieldReaders, CpuTimeOfABlockShowsThatItWaited) {
  const Imported made = Blocks(kBarn);
  const Verdict verdict = judge::Judge(DumpIndex(made.document));
  EXPECT_EQ(HeadlineOf(verdict), "The main thread slept for 3.0 s in Door.creak");
  EXPECT_NE(EvidenceOf(verdict).find("used 90 ms of CPU time in 3.0 s"), std::string::npos);
  const std::string hay = kHay;
  const Imported bare = Blocks(hay.substr(0, hay.find("\n\nzoo")));
  ASSERT_EQ(bare.document.history.size(), 1U) << bare.error;
  EXPECT_TRUE(bare.document.trees.empty());
  const Imported mixed = Blocks("qua = x\ntime = 0\nstack =\na.b(c)\n" + hay);
  EXPECT_EQ(mixed.document.history.size(), 1U);
  EXPECT_EQ(mixed.notes, "block 1 has no line 'time = MS'");
}

TEST(FieldReaders, CollapsedFramesLoseMarksAndKeepPlaces) {
  const Imported made = Collapsed(
      "[main tid=17];zoo/barn/Door.creak_[j];zoo/barn/Door$$Lambda$3/0x00ab.run_[0] 4\n"
      "[unknown];zoo.barn.Hay.stack(Hay.java:7)_[i];std::sort(x.cpp:3);poll_[k] 2\n"
      "zoo.barn.Hay.fork(Hay.java);zoo.barn.Hay.lift(Native Method);a.B.c(int, d.E) 1\n");
  EXPECT_EQ(exports::CollapsedStacks(made.document, std::nullopt, exports::CollapsedUnit::kSamples),
            "[main tid=17];zoo.barn.Door.creak;zoo.barn.Door$$Lambda$3/0x00ab.run 4\n"
            "[unknown];zoo.barn.Hay.stack;std::sort(x.cpp:3);poll 2\n"
            "zoo.barn.Hay.fork;zoo.barn.Hay.lift;a.B.c(int, d.E) 1\n");
  EXPECT_EQ(Frames(made.document, "creak"), "zoo.barn.Door|creak||-1 ");
  EXPECT_EQ(Frames(made.document, "stack"), "zoo.barn.Hay|stack|Hay.java|7 ");
  EXPECT_EQ(Frames(made.document, "fork"), "zoo.barn.Hay|fork|Hay.java|-1 ");
  EXPECT_EQ(Frames(made.document, "lift"), "zoo.barn.Hay|lift||-2 ");
  EXPECT_EQ(Frames(made.document, "[main tid=17]"), "|[main tid=17]||-1 ");
  EXPECT_EQ(Frames(made.document, "std::sort(x.cpp:3)"), "|std::sort(x.cpp:3)||-1 ");
  EXPECT_EQ(Frames(made.document, "c(int, d.E)"), "a.B|c(int, d.E)||-1 ");
}

TEST(FieldReaders, CollapsedLinesWithoutSamplesAreSkipped) {
  const Imported made = Collapsed("a;b 0\na;c 3\na;d\t2\n[kernel];do_sys");
  EXPECT_EQ(made.document.history[0].samples, 5U) << made.error;
  EXPECT_TRUE(made.notes.starts_with("the last line ends early, so it was left out")) << made.notes;
  EXPECT_FALSE(Collapsed("a;b 0\n").error.empty());
  EXPECT_FALSE(Collapsed("a;b\n").error.empty());
}

TEST(FieldReaders, CollapsedTextIsTheSameWhenWrittenAgain) {
  const auto written = [](std::string_view text) {
    return exports::CollapsedStacks(Collapsed(text).document, std::nullopt,
                                    exports::CollapsedUnit::kSamples);
  };
  for (const char* text :
       {"a.b_[j]_[i](F.java:1) 1\n", "(F.java:1);_[j];x/y.z;/system/lib/libx.so 2\n",
        "a.b%28F.java:1);[no name]_[k];[cut: x]_[j] 3\n", "[empty stack]_[0] 4\n", "a/1/b.c 5\n"}) {
    const std::string once = written(text);
    EXPECT_EQ(written(once), once) << text;
  }
}

}  // namespace
}  // namespace stillframe::host_test
