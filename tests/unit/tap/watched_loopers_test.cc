// SPDX-License-Identifier: Apache-2.0
// Which threads get a recorder, and that each has its own.
#include "src/tap/watched_loopers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/counted.h"
#include "tests/unit/tap/usual_limits.h"
#include "tests/unit/test_waker.h"

namespace stillframe::tap {
namespace {

class WatchedLoopersTest : public testing::Test {
 protected:
  void Start(const LooperSelection& selection) {
    ASSERT_EQ(loopers_->Start({kLimits, waker_.get(), selection, CountBind, this}, gettid()), 0);
  }
  static void CountBind(void* test, WatchedLooper*) {
    static_cast<WatchedLoopersTest*>(test)->bound_.fetch_add(1);
  }
  void OnThread(const char* name, const std::function<void()>& body) {
    std::thread thread([&] {
      pthread_setname_np(pthread_self(), name);
      body();
    });
    thread.join();
  }

  TestWaker waker_;
  std::atomic<int> bound_{0};
  std::unique_ptr<WatchedLoopers> loopers_ = std::make_unique<WatchedLoopers>();
};

TEST_F(WatchedLoopersTest, TheMainThreadIsWatchedByDefaultAndNobodyElse) {
  Start({});
  OnThread("other", [&] {
    EXPECT_EQ(loopers_->Current(), nullptr);
    EXPECT_EQ(loopers_->Current(), nullptr);
  });
  EXPECT_EQ(bound_, 0);
  EXPECT_EQ(loopers_->Current(), &loopers_->main().recorder);
  EXPECT_EQ(loopers_->Current(), &loopers_->main().recorder);
  EXPECT_EQ(loopers_->CurrentIndex(), 0U);
  EXPECT_EQ(bound_, 1);
  EXPECT_STREQ(loopers_->main().name, "main");
  EXPECT_EQ(loopers_->At(1), nullptr);
}

TEST_F(WatchedLoopersTest, ThreadsAreSelectedByNameOrByItsBeginning) {
  const LooperSelection some = {.all = false, .names = "js,,mqt_native*,averyveryverylongname"};
  EXPECT_TRUE(some.Matches("js"));
  EXPECT_FALSE(some.Matches("js2"));
  EXPECT_TRUE(some.Matches("mqt_native"));
  EXPECT_TRUE(some.Matches("mqt_native_mod"));
  EXPECT_TRUE(some.Matches("averyveryverylo")) << "the kernel keeps 15 bytes";
  EXPECT_FALSE(some.Matches(""));
  EXPECT_FALSE(LooperSelection().Matches("js"));
  EXPECT_TRUE((LooperSelection{.all = true, .names = ""}).Matches("any"));
}

TEST_F(WatchedLoopersTest, EachThreadHasItsOwnRecorderAndTokens) {
  Start({.all = true, .names = ""});
  std::set<Recorder*> recorders;
  std::set<Token> tokens;
  for (int i = 0; i < 5; ++i) {
    OnThread(
        "worker",
        [&] {
          Recorder* recorder = loopers_->Current();
          ASSERT_NE(recorder, nullptr);
          recorders.insert(recorder);
          recorder->Begin();
          tokens.insert(recorder->thread().message.token);
          recorder->End();
          EXPECT_EQ(recorder->thread().tid, gettid());
          EXPECT_STREQ(loopers_->At(loopers_->CurrentIndex())->name, "worker");
        });
  }
  EXPECT_EQ(recorders.size(), 5U);
  EXPECT_EQ(tokens.size(), 5U);
  for (uint32_t i = 1; i <= 5; ++i) EXPECT_NE(loopers_->At(i), nullptr) << "it stays readable";
  EXPECT_EQ(loopers_->At(6), nullptr);
}

TEST_F(WatchedLoopersTest, ThreadsBeyondTheLastPlaceAreRefusedAndCounted) {
  const Counted counted;
  Start({.all = true, .names = ""});
  for (uint32_t i = 1; i < WatchedLoopers::kMaxLoopers + 3; ++i) {
    OnThread(
        "worker",
        [&] { EXPECT_EQ(loopers_->Current() != nullptr, i < WatchedLoopers::kMaxLoopers); });
  }
  EXPECT_EQ(counted.Of(Counter::kLoopersRefused), 3U);
  EXPECT_NE(loopers_->Current(), nullptr) << "the main thread's place is kept";
}

TEST_F(WatchedLoopersTest, AThreadMayAskToBeWatched) {
  Start({});
  loopers_->SetActiveTap(7);
  OnThread("late", [&] {
    EXPECT_EQ(loopers_->Current(), nullptr);
    EXPECT_TRUE(loopers_->WatchCurrent());
    EXPECT_TRUE(loopers_->WatchCurrent());
    ASSERT_NE(loopers_->Current(), nullptr);
    loopers_->Current()->Begin(7);
    EXPECT_EQ(loopers_->Current()->thread().message.begun, 1U);
  });
  EXPECT_EQ(loopers_->At(2), nullptr);
}

TEST_F(WatchedLoopersTest, AThreadWithoutALooperBeats) {
  using Beat = WatchedLoopers::Beat;
  EXPECT_EQ(loopers_->BeginBeat("early"), Beat::kNotStarted);
  EXPECT_FALSE(loopers_->EndBeat());
  Start({});
  loopers_->SetActiveTap(7);
  EXPECT_EQ(loopers_->BeginBeat("main"), Beat::kHasLooper);
  OnThread("renderer", [&] {
    EXPECT_FALSE(loopers_->EndBeat()) << "nothing was begun";
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(loopers_->BeginBeat("engine"), Beat::kBegun);
      EXPECT_TRUE(loopers_->EndBeat());
      EXPECT_FALSE(loopers_->EndBeat());
    }
    EXPECT_EQ(loopers_->BeginBeat("engine"), Beat::kBegun);
    EXPECT_EQ(loopers_->BeginBeat("engine"), Beat::kBegun) << "ends the one before";
    const core::WatchedThread& thread = loopers_->At(1)->thread;
    EXPECT_NE(thread.message.token, Token::kNone);
    EXPECT_EQ(thread.message.around, 0U);
    const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    EXPECT_GT(here, thread.stack_low);
    EXPECT_LT(here, thread.stack_high);
  });
  ASSERT_NE(loopers_->At(1), nullptr);
  EXPECT_STREQ(loopers_->At(1)->name, "engine");
  EXPECT_TRUE(loopers_->At(1)->has_heartbeat);
  EXPECT_EQ(loopers_->At(1)->thread.message.begun, 5U);
  EXPECT_EQ(loopers_->At(1)->thread.message.token, Token::kNone) << "the thread has ended";
  EXPECT_EQ(loopers_->At(1)->recorder.ReadOpen().run.messages, 5U);
  OnThread(
      "looper",
      [&] {
        EXPECT_TRUE(loopers_->WatchCurrent());
        EXPECT_EQ(loopers_->BeginBeat(nullptr), Beat::kHasLooper);
      });
  OnThread("named by itself", [&] { EXPECT_EQ(loopers_->BeginBeat(nullptr), Beat::kBegun); });
  EXPECT_STREQ(loopers_->At(3)->name, "named by itself");
}

TEST_F(WatchedLoopersTest, ThreadsThatComeAtOnceGetAPlaceEach) {
  Start({.all = true, .names = ""});
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 2'000; ++n) {
        loopers_->Current()->Begin();
        loopers_->Current()->End();
      }
    });
  }
  // As the collector, while they run.
  uint64_t seen = 0;
  for (int i = 0; i < 1'000; ++i) {
    for (uint32_t index = 0; index < WatchedLoopers::kMaxLoopers; ++index) {
      WatchedLooper* looper = loopers_->At(index);
      EndedMessage ended;
      if (looper == nullptr) continue;
      while (looper->recorder.TakeEnded(&ended)) seen += ended.messages;
      const OpenHistory open = looper->recorder.ReadOpen();
      EXPECT_LE(open.run.start_ns, open.run.end_ns);
    }
  }
  for (std::thread& thread : threads) thread.join();
  uint64_t total = seen;
  for (uint32_t index = 1; index <= 8; ++index) {
    uint64_t messages = loopers_->At(index)->recorder.ReadOpen().run.messages;
    EndedMessage ended;
    while (loopers_->At(index)->recorder.TakeEnded(&ended)) messages += ended.messages;
    total += messages;
    EXPECT_EQ(loopers_->At(index)->thread.message.begun, 2'000U);
  }
  EXPECT_EQ(total, 8 * 2'000U);
}

TEST_F(WatchedLoopersTest, TheChildOfAForkRecordsNothing) {
  Start({.all = true, .names = ""});
  loopers_->Current()->Begin();
  loopers_->Forget();
  EXPECT_EQ(loopers_->main().thread.message.token, Token::kNone);
  EXPECT_EQ(loopers_->Current(), nullptr);
  EXPECT_FALSE(loopers_->WatchCurrent());
  OnThread("child", [&] { EXPECT_EQ(loopers_->Current(), nullptr); });
}

}  // namespace
}  // namespace stillframe::tap
