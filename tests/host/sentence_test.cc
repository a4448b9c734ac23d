// SPDX-License-Identifier: Apache-2.0
// Verdicts must not claim more than was seen, nor name a cause that cannot be acted on.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/host/verdict_case.h"

namespace stillframe::judge {
namespace {

using namespace host_test;

bool Says(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void AddPast(model::Document* document, uint64_t token, int64_t before_ms, int64_t wall_ms,
             int64_t ready_ms, const std::string& callback) {
  model::Message message = PastMessage(*document, token, before_ms, wall_ms, wall_ms - ready_ms);
  message.runqueue_wait_ns = ready_ms * 1'000'000;
  message.target = "android.os.Handler";
  message.callback = callback;
  document->history.push_back(message);
}

// The running message, in the callback of app.Main.
model::Document RunningFor(int64_t wall_ms, int64_t cpu_ms) {
  model::Document document = QuietDocument();
  document.running = RunningMessage(document, 7, wall_ms, cpu_ms);
  return document;
}

TEST(Sentence, AThreadThatUsedLittleDidNotHaveTheCpu) {
  model::Document document = QuietDocument();
  AddPast(&document, 10, 4'000, 3'000, 2'900, "app.Draw");
  AddWaiting(&document, 4'000, "app.Service");
  document.threads.emplace();
  document.threads->rows = {{4731, "HeapTaskDaemon", 'R', 100, 70, 2'500, 0, 3},
                            {4711, "main", 'R', 30, 10, 2'500, 0, 2'100}};
  const auto judged = [&document](uint64_t interval_ms) {
    for (model::ThreadRow& row : document.threads->rows) row.interval_ms = interval_ms;
    const Verdict verdict = Judge(DumpIndex(document));
    EXPECT_EQ(verdict.kind, Kind::kStarved);
    return verdict;
  };
  EXPECT_FALSE(Says(SentenceOf(judged(2'500)), "had it")) << SentenceOf(judged(2'500));
  EXPECT_TRUE(Says(EvidenceOf(judged(2'500)), "other processes used the CPUs for longer"));
  EXPECT_TRUE(Says(SentenceOf(judged(300)), "Thread HeapTaskDaemon used the CPU"));
  EXPECT_FALSE(Says(SentenceOf(judged(1)), "had it"));
  EXPECT_TRUE(Says(EvidenceOf(judged(1)), "they were watched for 1.0 ms only"));
}

// A shared wait for a CPU must not hide what the messages did.
TEST(Sentence, WaitingForACpuDoesNotHideManyMessages) {
  model::Document document = QuietDocument();
  for (uint64_t i = 0; i < 8; ++i)
    AddPast(&document, 10 + i, 4'000 - static_cast<int64_t>(i) * 500, 500, 150,
            "app.Step" + std::to_string(i));
  AddWaiting(&document, 4'000, "app.Click");
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kEarlier) << SentenceOf(verdict);
  EXPECT_TRUE(Says(SentenceOf(verdict), "8 slow messages had ended, mostly Runnable app.Step"))
      << SentenceOf(verdict);
  EXPECT_EQ(HeadlineOf(verdict), "8 earlier messages took 4.0 s");
  EXPECT_TRUE(Says(SentenceOf(verdict), "runnable, waiting for a CPU 30%")) << SentenceOf(verdict);
}

TEST(Sentence, ManyMessagesThatAreTooSmallToBeNamedAreToldTogether) {
  model::Document document = RunningFor(1'500, 1'500);
  TreeMaker(&document, 7).Add(InCallback({"app.Feed.load:3"}), 150).Finish();
  for (uint64_t i = 0; i < 7; ++i)
    AddPast(&document, 10 + i, 4'300 - static_cast<int64_t>(i) * 400, 400, 0,
            "app.Step" + std::to_string(i));
  AddWaiting(&document, 4'300, "app.Click");
  const std::string sentence = SentenceOf(document);
  EXPECT_TRUE(Says(sentence, "app.Feed.load (Feed.java:3) ran during")) << sentence;
  EXPECT_TRUE(Says(sentence, "the other earlier messages 65% together")) << sentence;
}

// A second of unknown causes, with stacks for a small part of it.
TEST(Sentence, AFewStacksDoNotStandForTheRest) {
  model::Document document = QuietDocument();
  for (uint64_t i = 0; i < 10; ++i)
    AddPast(&document, 10 + i, 4'000 - static_cast<int64_t>(i) * 200, 200, 0, "app.Task");
  AddWaiting(&document, 4'000, "app.Click");
  TreeMaker(&document, 19).Add(InCallback({"app.Task.run:3", "app.Store.sort:8"}), 20).Finish();
  EXPECT_FALSE(Says(SentenceOf(document), "app.Store.sort")) << SentenceOf(document);
  for (uint64_t token = 16; token < 19; ++token)
    TreeMaker(&document, token)
        .Add(InCallback({"app.Task.run:3", "app.Store.sort:8"}), 20)
        .Finish();
  EXPECT_TRUE(Says(SentenceOf(document), "10 slow messages had ended, mostly Runnable app.Task"))
      << SentenceOf(document);
}

TEST(Sentence, ATimeThatIsCutOffIsNotTheWholeOfIt) {
  model::Document document = RunningFor(33'000, 33'000);
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Feed.load:3"}), 2'000)
      .Add(InCallback({"app.Feed.wait:3"}), 1'300, 10'000, ThreadState::kSleeping)
      .Finish();
  AddWaiting(&document, 32'000, "app.Click");
  const std::string sentence = SentenceOf(document);
  EXPECT_TRUE(Says(sentence, "of the last 30.0 s that Runnable app.Click waited")) << sentence;
}

TEST(Sentence, QuickMessagesThatHardlyComputedMayNotBeToBlame) {
  model::Document document = QuietDocument();
  AddWaiting(&document, 3'000, "app.Click");
  model::HistoryRecord run;
  run.kind = model::SpanKind::kQuick;
  run.start_ns = document.taken_monotonic_ns - 3'000'000'000;
  run.span_ns = 3'000'000'000;
  run.wall_ns = 3'000'000'000;
  run.cpu_ns = 2'900'000'000;
  run.messages = 70;
  run.target = "android.os.Handler";
  run.callback = "app.Row";
  document.records = {run};
  EXPECT_EQ(Judge(DumpIndex(document)).confidence, Confidence::kHigh);
  document.records[0].cpu_ns = 1'500'000'000;
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.confidence, Confidence::kMedium);
  EXPECT_TRUE(Says(EvidenceOf(verdict), "Short messages used 1.5 s of CPU time in 3.0 s (50%)"));
}

TEST(Sentence, StacksThatWereDroppedWereSeen) {
  model::Document document = QuietDocument();
  AddPast(&document, 10, 3'000, 900, 0, "app.Sync");
  document.history.back().cpu_ns = 1'000'000;
  document.history.back().samples = 85;
  AddWaiting(&document, 3'000, "app.Click");
  const std::string sentence = SentenceOf(document);
  EXPECT_TRUE(Says(sentence, "waiting (no stacks kept) in Runnable app.Sync")) << sentence;
}

TEST(Sentence, ATimeBeforeTheFirstStackIsNotInTheNativeMethodThere) {
  model::Document document = RunningFor(3'000, 950);
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Fourth.inflate:3"}), 1, 2'050'000, ThreadState::kSleeping)
      .Add(InCallback({"app.Fourth.inflate:3"}), 95)
      .Finish();
  // The same, but in a native method that computes.
  model::TraceTree tree(Token{7});
  document.trees[0].ForEachStack([&](uint32_t i, auto stack, model::Sample sample) {
    if (i == 0) sample.state = ThreadState::kNative;
    sample.cpu_us += 2'000;
    tree.Add(stack, sample);
  });
  document.trees[0] = tree;
  const Verdict verdict = Judge(DumpIndex(document));
  ASSERT_FALSE(verdict.contributors.empty());
  EXPECT_EQ(verdict.contributors[0].cause, judge::Cause::kStill) << SentenceOf(verdict);
  EXPECT_FALSE(Says(words::Label(verdict.contributors[0], verdict.window_ns), "inflate"))
      << words::Label(verdict.contributors[0], verdict.window_ns);
}

}  // namespace
}  // namespace stillframe::judge
