// SPDX-License-Identifier: Apache-2.0
// How often the collector polls, by the rate of messages; over made-up times.
#include "src/sampling/poll_schedule.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "src/os/duration.h"

namespace stillframe::sampling {
namespace {

using os::kNsPerMs;
constexpr uint64_t kSecond = 1'000 * kNsPerMs;
constexpr uint64_t kBegin = 5 * kSecond;
constexpr uint64_t kBecomesSlowNs = PollSchedule::kPollNs;

// Messages that come one after the other, and the collector's reaction.
class World {
 public:
  struct Message {
    uint64_t pause_ns;
    uint64_t length_ns;
  };
  explicit World(std::function<Message()> next) : next_message_(std::move(next)) { Advance(); }

  void RunUntil(uint64_t end_ns) {
    while (now_ns_ < end_ns) {
      const uint64_t in_ns = Look();
      if (in_ns != UINT64_MAX) {
        now_ns_ += in_ns;
      } else {
        // The next message wakes it.
        while (start_ns_ < now_ns_) Advance();
        now_ns_ = start_ns_;
        ++rings;
      }
    }
  }
  int looks = 0;
  int rings = 0;
  int messages = 0;

 private:
  void Advance() {
    const Message message = next_message_();
    start_ns_ = end_ns_ + message.pause_ns;
    end_ns_ = start_ns_ + message.length_ns;
    ++messages;
  }
  uint64_t Look() {
    ++looks;
    while (end_ns_ <= now_ns_) Advance();
    const bool runs = start_ns_ <= now_ns_;
    const auto begun = static_cast<uint64_t>(messages - (runs ? 0 : 1));
    return schedule_.NextPollNs({begun, runs ? start_ns_ + kBecomesSlowNs - now_ns_ : UINT64_MAX},
                                now_ns_);
  }

  std::function<Message()> next_message_;
  PollSchedule schedule_;
  uint64_t now_ns_ = kBegin;
  uint64_t start_ns_ = kBegin;
  uint64_t end_ns_ = kBegin;
};

TEST(PollSchedule, ALoneMessageCostsTwoLooks) {
  World world([] { return World::Message{1'500 * kNsPerMs, kNsPerMs}; });
  world.RunUntil(kBegin + 300 * kSecond);
  EXPECT_LE(world.looks, 2 * world.messages);
  EXPECT_GE(world.rings, world.messages - 1);
}

TEST(PollSchedule, AMessageThatIsOverWhenItComesCostsOne) {
  PollSchedule rest;
  EXPECT_EQ(rest.NextPollNs({7, UINT64_MAX}, kBegin), UINT64_MAX);
  EXPECT_EQ(rest.NextPollNs({8, UINT64_MAX}, kBegin + kSecond), UINT64_MAX);
}

TEST(PollSchedule, QuickMessagesAreLookedAtTwentyTimesASecond) {
  World world([] { return World::Message{500'000, 500'000}; });
  world.RunUntil(kBegin + 100 * kSecond);
  EXPECT_LE(world.looks, 2'100);
  EXPECT_GE(world.looks, 2'000);
  EXPECT_LE(world.rings, 1) << "no system call a message";
}

TEST(PollSchedule, AMessageOfAnyAgeIsFoundSlowAtOnce) {
  for (uint64_t age_ms = 0; age_ms < 50; ++age_ms) {
    PollSchedule rest;
    uint64_t now_ns = kBegin;
    for (uint64_t i = 0; i < 100; ++i, now_ns += kBecomesSlowNs)
      EXPECT_EQ(rest.NextPollNs({i, UINT64_MAX}, now_ns), i == 0 ? UINT64_MAX : kBecomesSlowNs);
    const uint64_t due_ns = kBecomesSlowNs - age_ms * kNsPerMs;
    EXPECT_EQ(rest.NextPollNs({101, due_ns}, now_ns), due_ns);
  }
}

// For any pauses and lengths: over a long time the polls stay under the bound. A message is polled
// before it lasts twice as long as a slow one.
TEST(PollSchedule, NoRhythmOfMessagesCostsMore) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 300; ++i) {
    const uint64_t pause_ns = random() % (120 * kNsPerMs);
    const uint64_t length_ns = random() % (49 * kNsPerMs);
    const bool varies = i % 2 == 0;
    World world([&] {
      return varies ? World::Message{random() % (pause_ns + 1), random() % (length_ns + 1)}
                    : World::Message{pause_ns, length_ns};
    });
    world.RunUntil(kBegin + 60 * kSecond);
    EXPECT_LE(world.looks, 60 * PollSchedule::kMaxPollsPerSecond + 5)
        << pause_ns << " " << length_ns << " " << varies;
  }
}

TEST(PollSchedule, LooksAtASlowMessageAreNotCounted) {
  PollSchedule rest;
  EXPECT_EQ(rest.NextPollNs({1, kBecomesSlowNs}, kBegin), kBecomesSlowNs);
  for (uint64_t i = 0; i < 100; ++i) rest.FollowsSlow(1, kBegin + i * 10 * kNsPerMs);
  EXPECT_EQ(rest.NextPollNs({1, UINT64_MAX}, kBegin + kSecond), UINT64_MAX);
}

}  // namespace
}  // namespace stillframe::sampling
