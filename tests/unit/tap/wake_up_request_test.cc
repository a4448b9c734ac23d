// SPDX-License-Identifier: Apache-2.0
// A message that begins wakes an idle collector.
#include "src/tap/wake_up_request.h"

#include <atomic>
#include <thread>

#include "tests/unit/tap/recorder_fixture.h"

namespace stillframe::tap {
namespace {

TEST_F(RecorderTest, WakesARestingCollectorOnce) {
  const auto message = [this] {
    recorder_->Begin();
    recorder_->End();
  };
  message();
  EXPECT_FALSE(IsWoken());
  wake_up_.Request();
  message();
  EXPECT_TRUE(IsWoken());
  message();
  EXPECT_FALSE(IsWoken()) << "it has not come to look yet: one system call is enough";
  wake_up_.Request();
  wake_up_.Cancel();
  message();
  EXPECT_FALSE(IsWoken());
}

// If a message begins while the collector goes idle, it is seen, or the collector is woken.
TEST_F(RecorderTest, NoMessageIsMissedByACollectorThatLiesDown) {
  constexpr int kRounds = 2'000;
  std::atomic<int> round{0};
  std::atomic<int> has_begun{0};
  std::thread watched([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (round != i) {
      }
      recorder_->Begin();
      has_begun = i;
      while (round == i) {
      }
      recorder_->End();
    }
  });
  int missed = 0;
  for (int i = 1; i <= kRounds; ++i) {
    round = i;
    wake_up_.Request();
    const bool is_seen = thread_.message.token.load(std::memory_order_seq_cst) != Token::kNone;
    while (has_begun != i) {
    }
    missed += !IsWoken() && !is_seen ? 1 : 0;
    wake_up_.Cancel();
    round = -i;
    while (thread_.message.token != Token::kNone) {
    }
  }
  round = 0;
  watched.join();
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace stillframe::tap
