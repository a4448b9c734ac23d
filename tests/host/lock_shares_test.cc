// SPDX-License-Identifier: Apache-2.0
// How the blocked time of a message is attributed to several monitors.
#include "tests/host/verdict_case.h"
#include "tools/stillframe/judge/contributors.h"
#include "tools/stillframe/judge/lock_owner.h"

namespace stillframe::judge {
namespace {

using namespace host_test;
using Shares = std::vector<std::pair<judge::Thread, uint64_t>>;

model::LockWait Wait(uint32_t from_ms, uint32_t until_ms, uint32_t blocked_ms, uint32_t tid,
                     const std::string& owner) {
  return {from_ms * 1000, until_ms * 1000, blocked_ms * 1000, tid, owner, "app.Store"};
}

// 2 s of a message that is blocked in app.Feed.load.
model::Document Blocked(std::vector<model::LockWait> waits) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Feed.load:3"}), 200, 10'000, ThreadState::kBlocked)
      .Finish();
  document.running = RunningMessage(document, 7, 2'000, 0);
  document.running->blocked_ns = 2'000'000'000;
  document.running->lock_owner = "writer-a";
  document.running->lock_owner_tid = 8;
  document.running->lock_waits = std::move(waits);
  return document;
}

TEST(LockShares, EachOwnerHasItsTime) {
  const model::Document document =
      Blocked({Wait(0, 1'200, 1'200, 8, "writer-a"), Wait(1'200, 2'000, 800, 9, "writer-b")});
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kBlocked);
  EXPECT_NE(SentenceOf(verdict).find("; writer-a held it 60%, writer-b 40%: all of the 2.0 s"),
            std::string::npos)
      << SentenceOf(verdict);
  EXPECT_EQ(verdict.threads, (std::vector<std::string>{"writer-a", "writer-b"}));
  EXPECT_NE(
      EvidenceOf(verdict).find("Thread writer-b (tid 9) held the lock on app.Store for 800 ms."),
      std::string::npos)
      << EvidenceOf(verdict);
}

// Each owner has less time than the process's own code; all owners together have more.
TEST(LockShares, OwnersOfOneMessageCountTogether) {
  std::vector<model::LockWait> waits;
  for (uint32_t i = 0; i < 10; ++i)
    waits.push_back(Wait(i * 140, (i + 1) * 140, 140, 100 + i, "pool-" + std::to_string(i)));
  model::Document document = Blocked(std::move(waits));
  document.trees.clear();
  TreeMaker(&document, 7)
      .Add(InCallback({"app.Feed.load:3"}), 140, 10'000, ThreadState::kBlocked)
      .Add(InCallback({"app.Feed.sort:9"}), 60, 10'000, ThreadState::kRunnable)
      .Finish();
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kBlocked) << SentenceOf(verdict);
  EXPECT_NE(SentenceOf(verdict).find(" and 7 others:"), std::string::npos) << SentenceOf(verdict);
}

TEST(LockShares, OneOwnerOfAllIsToldAsBefore) {
  const model::Document document = Blocked({Wait(0, 2'000, 2'000, 8, "writer-a")});
  EXPECT_NE(SentenceOf(Judge(DumpIndex(document))).find("; writer-a holds it"), std::string::npos);
}

TEST(LockShares, AnOwnerOfAPartHasNoMoreThanThat) {
  const model::Document document = Blocked({Wait(0, 1'200, 1'200, 8, "writer-a")});
  const std::string sentence = SentenceOf(Judge(DumpIndex(document)));
  EXPECT_NE(sentence.find("; writer-a held it 6"), std::string::npos) << sentence;
}

const judge::Thread kA = {"a", 1};
const judge::Thread kB = {"b", 2};

TEST(LockShares, StretchesThatOverlapKeepTheirSums) {
  model::Message message;
  // Merged: a holds the lock for 300 ms in time slices of 30, b for 600 ms in slices of 60. Only
  // a's first slice has a record of its own.
  message.lock_waits = {Wait(0, 30, 30, 1, "a"), Wait(30, 900, 600, 2, "b"),
                        Wait(90, 900, 270, 1, "a")};
  const LockShares shares(message);
  EXPECT_EQ(shares.Of(0, 30'000, 30'000), (Shares{{kA, 30'000}}));
  uint64_t a_us = 0;
  uint64_t all_us = 0;
  for (uint64_t at_us = 0; at_us < 900'000; at_us += 10'000) {
    for (const auto& [who, us] : shares.Of(at_us, at_us + 10'000, 10'000)) {
      a_us += who == kA ? us : 0;
      all_us += us;
    }
  }
  EXPECT_EQ(all_us, 900'000U);
  EXPECT_NEAR(static_cast<double>(a_us), 300'000, 20'000);
}

TEST(LockShares, WhatNoStretchIsNearIsNobodys) {
  model::Message message;
  message.lock_owner = "a";
  message.lock_owner_tid = 1;
  EXPECT_EQ(LockShares(message).Of(0, 10'000, 9'000), (Shares{{kA, 9'000}}))
      << "of dumps before 1.4";
  message.lock_waits = {Wait(100, 200, 100, 2, "b")};
  const LockShares shares(message);
  EXPECT_EQ(shares.Of(0, 20'000, 9'000), (Shares{{{}, 9'000}}));
  EXPECT_EQ(shares.Of(210'000, 220'000, 9'000), (Shares{{kB, 9'000}}));
  EXPECT_EQ(shares.Of(900'000, 910'000, 9'000), (Shares{{{}, 9'000}}));
}

TEST(LockShares, StretchesMayBeAnything) {
  model::Message message;
  message.lock_waits = {{UINT32_MAX, 0, UINT32_MAX, 1, "a", ""},
                        {0, UINT32_MAX, UINT32_MAX, 2, "b", ""},
                        {5, 5, UINT32_MAX, 0, "", ""},
                        {0, 10, UINT32_MAX, 3, "c", ""}};
  const LockShares shares(message);
  for (const uint64_t until_us : {uint64_t{0}, uint64_t{7}, uint64_t{UINT32_MAX}, UINT64_MAX}) {
    uint64_t sum_us = 0;
    for (const auto& [who, us] : shares.Of(3, until_us, 1'000)) sum_us += us;
    EXPECT_EQ(sum_us, 1'000U) << until_us;
  }
}

TEST(IdleHandlers, ThatFollowEachOtherAreToldApart) {
  model::Document document = QuietDocument();
  const auto in = [](std::string_view method) {
    return StackText{"app.Main.main:1", "android.os.Looper.loop:5",
                     "android.os.MessageQueue.next:8", method, "app.Work.spin:3"};
  };
  TreeMaker(&document, 7)
      .Add(in("app.Fonts.queueIdle:2"), 60, 10'000, ThreadState::kRunnable)
      .Add(in("app.Shaders.queueIdle:2"), 140, 10'000, ThreadState::kRunnable)
      .Finish();
  document.running = RunningMessage(document, 7, 2'000, 2'000);
  document.running->segment.kind = model::SegmentKind::kIdleHandler;
  document.running->segment.method = "app.Shaders.queueIdle";
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_NE(SentenceOf(verdict).find(
                "app.Shaders.queueIdle, mostly in app.Work.spin, ran during an idle handler"),
            std::string::npos)
      << SentenceOf(verdict);
  ASSERT_GE(verdict.contributors.size(), 2U);
  EXPECT_NE(words::Label(verdict.contributors[0], verdict.window_ns)
                .find("idle handler app.Shaders.queueIdle"),
            std::string::npos)
      << words::Label(verdict.contributors[0], verdict.window_ns);
  EXPECT_NEAR(static_cast<double>(verdict.contributors[0].ns), 1.4e9, 2e7);
  EXPECT_NE(words::Label(verdict.contributors[1], verdict.window_ns)
                .find("idle handler app.Fonts.queueIdle"),
            std::string::npos)
      << words::Label(verdict.contributors[1], verdict.window_ns);
  EXPECT_NEAR(static_cast<double>(verdict.contributors[1].ns), 0.6e9, 2e7);
}

}  // namespace
}  // namespace stillframe::judge
