// SPDX-License-Identifier: Apache-2.0
// The rules about threads other than the main one, and about debuggers.
#include "src/model/context_names.h"
#include "tests/host/verdict_case.h"

namespace stillframe::judge {
namespace {

using namespace host_test;

// A thread's row and tree of the message 7: `own` samples of 100 ms in app.Sync.inflate, and more
// in another method.
void AddFollowed(model::Document* document, model::ThreadRole role, const std::string& name,
                 uint32_t tid, uint32_t own, uint32_t elsewhere) {
  const uint64_t token = 70'000 + tid;
  TreeMaker tree(document, token);
  tree.Add({"app.Sync.run:3", "app.Sync.inflate:40"}, own, 100'000);
  if (elsewhere != 0) tree.Add({"app.Sync.run:5", "app.Sync.close:60"}, elsewhere, 100'000);
  tree.FinishThread();
  model::OtherThread row;
  row.during = Token{7};
  row.tree = Token{token};
  row.tid = tid;
  row.name = name;
  row.role = role;
  row.looks = own + elsewhere;
  row.followed_us = (own + elsewhere) * 100'000;
  document->other_threads.push_back(row);
}

model::Document Blocked() {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.CheckIn.run:3", "app.Store.save:40"}), 310, 10'000,
           ThreadState::kBlocked)
      .Finish();
  document.running = RunningMessage(document, 7, 3'100, 0);
  document.running->lock_owner = "order-sync";
  document.running->lock_owner_tid = 4'750;
  return document;
}

TEST(OtherThreads, TheOwnersMethodIsInHeadlineSentenceStepAndEvidence) {
  model::Document document = Blocked();
  AddFollowed(&document, model::ThreadRole::kEndsTheWait, "order-sync", 4'750, 25, 3);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kBlocked);
  EXPECT_EQ(HeadlineOf(verdict),
            "Main waited 3.1 s for a lock held by order-sync, 2.5 of 2.8 s in Sync.inflate");
  EXPECT_TRUE(Says(verdict, "; order-sync spent 2.5 of 2.8 s in app.Sync.inflate (Sync.java:40)"))
      << SentenceOf(verdict);
  EXPECT_EQ(words::Explain(verdict).next_step,
            "Shorten what order-sync does while it holds the lock: app.Sync.inflate "
            "(Sync.java:40).");
  EXPECT_NE(EvidenceOf(verdict).find("Meanwhile thread order-sync (tid 4750) spent 2.5 of 2.8 s in "
                                     "app.Sync.inflate (Sync.java:40)."),
            std::string::npos)
      << EvidenceOf(verdict);
}

TEST(OtherThreads, NothingIsClaimedOfAnotherMessageOrAThreadThatOnlyUsedCpu) {
  model::Document document = Blocked();
  const std::string before = HeadlineOf(Judge(DumpIndex(document)));
  AddFollowed(&document, model::ThreadRole::kUsedCpu, "order-sync", 4'750, 25, 3);
  EXPECT_EQ(HeadlineOf(Judge(DumpIndex(document))), before);
  document.other_threads[0].role = model::ThreadRole::kEndsTheWait;
  document.other_threads[0].during = Token{6};
  EXPECT_EQ(HeadlineOf(Judge(DumpIndex(document))), before);
  document.other_threads[0].during = Token{7};
  EXPECT_NE(HeadlineOf(Judge(DumpIndex(document))), before);
  document.other_threads[0].tid = 4'751;
  EXPECT_EQ(HeadlineOf(Judge(DumpIndex(document))), before) << "it did not hold the lock";
}

TEST(OtherThreads, AnOwnerWithoutAStackSaysWhy) {
  model::Document document = Blocked();
  document.other_threads = {{.during = Token{7},
                             .tid = 4'750,
                             .name = "order-sync",
                             .role = model::ThreadRole::kEndsTheWait,
                             .missed = 28,
                             .absent = "it blocks SIGPROF"}};
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_FALSE(verdict.spent);
  EXPECT_NE(EvidenceOf(verdict).find("Meanwhile thread order-sync (tid 4750) was not to be seen: "
                                     "it blocks SIGPROF."),
            std::string::npos)
      << EvidenceOf(verdict);
}

// A Looper beside the main one, with a message of `wall_ms`, sampled in app.Bundle.parse.
model::Document WithLooper(int64_t wall_ms, bool is_sampled) {
  model::Document document = QuietDocument();
  document.loopers = {{"main", document.identity.pid, "observer", 9, {}},
                      {"mqt_js", 4'760, "observer", 9, {}}};
  model::Message message = PastMessage(document, 8, wall_ms + 200, wall_ms, wall_ms);
  message.looper = 1;
  message.target = "android.os.Handler";
  message.callback = "app.Bundle";
  document.history.push_back(message);
  if (is_sampled)
    TreeMaker(&document, 8)
        .Add(InCallback({"app.Bundle.run:3", "app.Bundle.parse:40"}),
             static_cast<uint32_t>(wall_ms / 10))
        .Finish();
  return document;
}

TEST(OtherThreads, ALooperThatHungAloneIsNamedAndMainIsSaidToBeWell) {
  const model::Document document = WithLooper(3'100, true);
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kNothingSlow) << "of the main thread";
  EXPECT_EQ(HeadlineOf(verdict), "Main was well; thread mqt_js hung for 3.1 s in Bundle.parse");
  EXPECT_NE(EvidenceOf(verdict).find("Thread mqt_js (tid 4760) ran Runnable app.Bundle for 3.1 s, "
                                     "most of it in app.Bundle.parse (Bundle.java:40)."),
            std::string::npos)
      << EvidenceOf(verdict);
  EXPECT_EQ(verdict.threads, std::vector<std::string>{"mqt_js"});

  const Verdict short_one = Judge(DumpIndex(WithLooper(900, true)));
  EXPECT_FALSE(short_one.other_looper);
  const Verdict unsampled = Judge(DumpIndex(WithLooper(3'100, false)));
  EXPECT_NE(EvidenceOf(unsampled).find("it was not sampled"), std::string::npos);
  model::Document dropped = WithLooper(3'100, false);
  dropped.history.back().samples = 300;
  EXPECT_EQ(EvidenceOf(Judge(DumpIndex(dropped))).find("it was not sampled"), std::string::npos)
      << "its tree was dropped later";
}

TEST(OtherThreads, ALooperThatHungIsNotAmongTheThreadsToBlameForMainsHang) {
  model::Document document = Blocked();
  const std::vector<std::string> before = Judge(DumpIndex(document)).threads;
  const model::Document with_looper = WithLooper(3'100, false);
  document.loopers = with_looper.loopers;
  document.history = with_looper.history;
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.threads, before);
  EXPECT_NE(EvidenceOf(verdict).find("Thread mqt_js (tid 4760) ran"), std::string::npos);
}

TEST(OtherThreads, ARecordOfAnotherThreadSaysNothingOfMain) {
  model::Document document = WithLooper(3'100, true);
  document.loopers[0].messages = 0;
  EXPECT_EQ(HeadlineOf(Judge(DumpIndex(document))), "Thread mqt_js hung for 3.1 s in Bundle.parse");
}

TEST(OtherThreads, ALongerMessageOfAnotherLooperIsNotTheMainThreads) {
  model::Document document = WithLooper(9'000, true);
  model::Message message = PastMessage(document, 9, 2'000, 1'500, 1'500);
  message.target = "android.os.Handler";
  message.callback = "app.Draw";
  document.history.push_back(message);
  TreeMaker(&document, 9).Add(InCallback({"app.Draw.run:3"}), 150).Finish();
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kMethod);
  ASSERT_TRUE(verdict.culprit);
  EXPECT_EQ(verdict.culprit->method, "app.Draw.run");
  EXPECT_FALSE(verdict.other_looper);
}

TEST(OtherThreads, ADebuggerLowersTheConfidence) {
  model::Document document = Blocked();
  document.context.push_back({std::string(model::context::kProcess),
                              std::string(model::context::kDebugger),
                              model::ContextEntry::State::kText, "gdb (pid 7)", 0});
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.confidence, Confidence::kLow);
  EXPECT_EQ(verdict.confidence_reason, ConfidenceReason::kDebugged);
  EXPECT_NE(EvidenceOf(verdict).find("A debugger was attached: gdb (pid 7)."), std::string::npos);
}

}  // namespace
}  // namespace stillframe::judge
