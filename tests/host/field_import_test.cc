// SPDX-License-Identifier: Apache-2.0
// Files of other monitors and of the system, in their own formats.
#include "tools/stillframe/input/field_import.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/host/verdict_case.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/judge/judge.h"

namespace stillframe::host_test {
namespace {

// As Matrix 2.0 reports an evil method; ids are those of its build plug-in.
constexpr char kIssue[] = R"({"tag": "Trace_EvilMethod", "type": 0, "process": "com.shop",
  "time": 1700000000000, "machine": "HIGH", "detail": "NORMAL", "cost": 990, "usage": "37.35%",
  "scene": "com.shop.Main",
  "stack": "0,1048574,1,990\n1,12,1,980\n2,13,2,700\n2,14,1,200\n1,15,1,10\n",
  "stackKey": "13|"})";
constexpr char kMapping[] =
    "12,1,com.shop.Cart load (I)V\r\n13,9,com.shop.Cart parse ()V\n14,1,com/shop/Cart sort ()V\n"
    "not a method\n15,1,com.shop.Cart show ()V\n1048574,1,android.os.Handler dispatchMessage "
    "(Landroid.os.Message;)V\n";
constexpr char kBlock[] =
    "qualifier = unknown\r\nversionName = 2.1\r\nmodel = Pixel 3\r\nprocess = com.shop\r\n"
    "time = 1200\r\nthread-time = 300\r\ntime-start = 06-16 17:00:00.100\r\n"
    "time-end = 06-16 17:00:01.300\r\ncpu-busy = false\r\ncpu-rate =  \r\n"
    "06-16 17:00:00.900 cpu:31% app:20% [user:18% system:13% ioWait:0% ] \r\n"
    "stack = 06-16 17:00:00.500\r\n\r\n"
    "java.lang.Thread.sleep(Native Method)\r\ncom.shop.Cart.load(Cart.java:12)\r\n\r\n"
    "06-16 17:00:00.900\r\n\r\ncom.shop.Cart.sort(Cart.java:40)\r\ncom.shop.Cart.load(Cart.java:13)"
    "\r\n\r\n";
// A shortened trace file of ART 11, below the system's header.
constexpr char kTraces[] =
    "Subject: Broadcast of Intent { act=SYNC flg=0x10 cmp=com.shop/.Sync }\n\n"
    "----- pid 1793 at 2026-11-22 13:11:59 -----\nCmd line: com.shop\n"
    "Build fingerprint: 'unknown'\nABI: 'x86_64'\n\nDALVIK THREADS (2):\n"
    "\"main\" prio=5 tid=1 Runnable\n  | group=\"main\" sCount=0 dsCount=0 flags=0 obj=0x7 "
    "self=0x8\n"
    "  | sysTid=1793 nice=0 cgrp=default sched=0/0 handle=0x7f\n"
    "  at fixture.scenario.Busy.inner(Busy.java:33)\n  at fixture.App.main(App.java:53)\n\n"
    "\"Signal Catcher\" daemon prio=5 tid=2 WaitingInMainSignalCatcherLoop\n  (no managed "
    "stack)\n\n"
    "----- end 1793 -----\n----- pid 5 at 2026-11-22 13:12:00 -----\nCmd line: system_server\n";

std::string Times(const model::Document& document) {
  return exports::CollapsedStacks(document, std::nullopt, exports::CollapsedUnit::kMicroseconds);
}

TEST(FieldImport, AnIssueOfMatrixKeepsEachEntrysOwnTime) {
  model::Document document;
  std::string notes;
  std::string error;
  ASSERT_TRUE(input::ImportMatrixIssue(kIssue, kMapping, &document, &notes, &error)) << error;
  EXPECT_EQ(Times(document),
            "android.os.Handler.dispatchMessage;com.shop.Cart.load 80000\n"
            "android.os.Handler.dispatchMessage;com.shop.Cart.load;com.shop.Cart.parse 700000\n"
            "android.os.Handler.dispatchMessage;com.shop.Cart.load;com.shop.Cart.sort 200000\n"
            "android.os.Handler.dispatchMessage;com.shop.Cart.show 10000\n");
  EXPECT_EQ(document.identity.process_name, "com.shop");
  EXPECT_EQ(document.annotations.scene, "com.shop.Main");
  EXPECT_EQ(document.history[0].wall_ns, 990'000'000);
  const judge::Verdict verdict = judge::Judge(index::DumpIndex(document));
  EXPECT_EQ(verdict.culprit.value().method, "com.shop.Cart.parse") << SentenceOf(verdict);
}

TEST(FieldImport, ListsAndNestedIssuesAreMessagesOneAfterAnother) {
  const std::string text = std::string("[") + kIssue + ", {\"content\": " + kIssue + "}]";
  model::Document document;
  std::string notes;
  std::string error;
  ASSERT_TRUE(input::ImportMatrixIssue(text, "", &document, &notes, &error)) << error;
  ASSERT_EQ(document.history.size(), 2U);
  EXPECT_EQ(document.history[1].start_ns, document.history[0].start_ns + 990'000'000);
  EXPECT_NE(Times(document).find("1048574;12;13"), std::string::npos) << Times(document);
}

TEST(FieldImport, OurOwnIssueComesBackWithItsStack) {
  const model::Document document = AnrDocument();
  const index::DumpIndex index(document);
  for (const model::TraceTree& tree : document.trees) {
    const std::string issue = exports::MatrixIssue(index, tree.token());
    model::Document imported;
    std::string notes;
    std::string error;
    ASSERT_TRUE(input::ImportMatrixIssue(issue, "", &imported, &notes, &error)) << error;
    const std::string again = exports::MatrixIssue(index::DumpIndex(imported), Token{1});
    const auto root = [](const std::string& text) {
      const std::string stack = nlohmann::json::parse(text)["stack"];
      return stack.substr(0, stack.find(','));
    };
    EXPECT_EQ(root(again), root(issue));
    EXPECT_EQ(nlohmann::json::parse(again)["cost"], nlohmann::json::parse(issue)["cost"]);
  }
}

TEST(FieldImport, ALogOfBlockCanaryDealsItsTimeOutToItsStacks) {
  model::Document document;
  std::string notes;
  std::string error;
  ASSERT_TRUE(input::ImportBlockLog(kBlock, &document, &notes, &error)) << error;
  EXPECT_EQ(Times(document),
            "com.shop.Cart.load;com.shop.Cart.sort 600000\n"
            "com.shop.Cart.load;java.lang.Thread.sleep 600000\n");
  EXPECT_EQ(document.identity.process_name, "com.shop");
  EXPECT_EQ(document.history[0].wall_ns, 1'200'000'000);
  const auto& facts = document.annotations.entries;
  EXPECT_TRUE(std::any_of(facts.begin(), facts.end(), [](const model::Annotation& fact) {
    return fact.name == "model" && fact.value == "Pixel 3";
  }));
}

TEST(FieldImport, OurOwnBlockComesBack) {
  const model::Document document = AnrDocument();
  const index::DumpIndex index(document);
  model::Document imported;
  std::string notes;
  std::string error;
  ASSERT_TRUE(input::ImportBlockLog(exports::BlockFacts(index, *document.running), &imported,
                                    &notes, &error))
      << error;
  EXPECT_EQ(imported.history[0].wall_ns / 1'000'000, document.running->wall_ns / 1'000'000);
}

TEST(FieldImport, TracesOfTheSystemGiveReasonProcessAndMainFrame) {
  model::Document document;
  std::string notes;
  std::string error;
  ASSERT_TRUE(input::ImportAnrTraces(kTraces, &document, &notes, &error)) << error;
  EXPECT_EQ(document.identity.pid, 1793U);
  EXPECT_EQ(document.identity.process_name, "com.shop");
  EXPECT_EQ(document.signal_catcher->text.find("system_server"), std::string::npos);
  const judge::Verdict verdict = judge::Judge(index::DumpIndex(document));
  EXPECT_EQ(verdict.confidence, judge::Confidence::kLow) << "one look is no measurement";
  EXPECT_EQ(verdict.anr.value().kind, judge::AnrKind::kBroadcast);
  EXPECT_EQ(verdict.kind, judge::Kind::kMethod);
  EXPECT_EQ(SentenceOf(verdict), "Main was running in fixture.scenario.Busy.inner (Busy.java:33).");
}

TEST(FieldImport, TracesOfTheSystemTellWhoWaitsForWhom) {
  constexpr char kDeadlock[] =
      "----- pid 5 at 2026-11-22 13:12:00 -----\nCmd line: com.shop\nDALVIK THREADS (3):\n"
      "\"db \" writer\" daemon prio=5 tid=12 Blocked\n  | sysTid=19 nice=0\n"
      "  at com.shop.Store.flush(Store.java:9)\n"
      "  - waiting to lock <0x0b> (a com.shop.Cart) held by thread 1\n"
      "  ... repeated 3 times\n\n"
      "\"main\" prio=5 tid=1 Blocked\n  | sysTid=5 nice=0\n"
      "  at com.shop.Cart.save(Cart.java:12)\n"
      "  - waiting to lock <0x0a> (a com.shop.Store) held by thread 12\n"
      "  at java.lang.Thread.run(Native method)\n\n"
      "\"odd\" prio=5 tid=0 Native\n  at no.place\n\n----- end 5 -----\n";
  model::Document document;
  std::string notes;
  std::string error;
  ASSERT_TRUE(input::ImportAnrTraces(kDeadlock, &document, &notes, &error)) << error;
  ASSERT_EQ(document.thread_stacks->stacks.size(), 3U);
  const model::ThreadStack& main = document.thread_stacks->stacks[0];
  EXPECT_EQ(main.name, "main");
  EXPECT_EQ(main.state, model::ThreadState::kBlocked);
  ASSERT_EQ(main.frames.size(), 2U);
  EXPECT_EQ(document.frames.At(main.frames[1]).line, model::kLineNative);
  EXPECT_EQ(document.thread_stacks->stacks[1].name, "db \" writer");
  const judge::Verdict verdict = judge::Judge(index::DumpIndex(document));
  EXPECT_EQ(verdict.kind, judge::Kind::kDeadlock);
  EXPECT_EQ(
      SentenceOf(verdict),
      "Main waits in com.shop.Cart.save (Cart.java:12) for a lock on com.shop.Store, held by db "
      "\" writer; db \" writer waits in com.shop.Store.flush (Store.java:9) for a lock on "
      "com.shop.Cart, held by main. It will never end.");
}

TEST(FieldImport, OtherTextsAreRefusedInOneLine) {
  for (const char* text :
       {"", "{", "[]", "{}", "null", "[1]", "{\"stack\": 5}", "{\"stack\": \"\"}",
        "{\"stack\": \"5,1,1,10\"}", "{\"stack\": \"0,1,1,x\"}", "{\"stack\": \"0,1,1,0\"}",
        "{\"stack\": \"0,1,1,99999999999\"}", "{\"content\": []}"}) {
    model::Document document;
    std::string notes;
    std::string error;
    EXPECT_FALSE(input::ImportMatrixIssue(text, "", &document, &notes, &error)) << text;
    EXPECT_FALSE(error.empty()) << text;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  for (const char* text : {"", "time = 5", "time = 0\nstack = \na.b(c)", "stack = \na.b(c)"}) {
    model::Document document;
    std::string notes;
    std::string error;
    EXPECT_FALSE(input::ImportBlockLog(text, &document, &notes, &error)) << text;
    EXPECT_FALSE(error.empty());
  }
  for (const char* text : {"", "----- pid 5", "\"main\" prio=5"}) {
    model::Document document;
    std::string notes;
    std::string error;
    EXPECT_FALSE(input::ImportAnrTraces(text, &document, &notes, &error)) << text;
    EXPECT_FALSE(error.empty());
  }
}

}  // namespace
}  // namespace stillframe::host_test
