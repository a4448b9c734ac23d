// SPDX-License-Identifier: Apache-2.0
// Random streams of messages through the recorder and the history, against the naive model.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <random>

#include "src/history/history.h"
#include "tests/unit/history/history_model.h"
#include "tests/unit/tap/usual_limits.h"

namespace stillframe::history {
namespace {

constexpr HistorySizes kSizes = {.groups = 20, .records = 60, .messages = 40};
constexpr uintptr_t kLoopFrame = 0x8000;  // of the outermost loop; nested ones are further down

// One stream, as a thread with a tap would make it, with a collector that checks now and then.
class Stream {
 public:
  explicit Stream(uint32_t seed) : random_(seed) {
    thread_.tid = gettid();
    recorder_->Start({&thread_, tap::kLimits, &wake_up_, nullptr});
  }

  void Run(int messages) {
    for (int i = 0; i < messages; ++i) {
      Pause();
      Dispatch();
      if (Chance(40) || ++since_drain_ == 20) Drain();
    }
  }
  void Check() {
    Drain();
    uint64_t lost = 0;
    const tap::OpenHistory open = recorder_->ReadOpen();
    CheckGroups(history_.Groups(open, &lost), &lost);
    CheckRecords(history_.Records(open, &lost), &lost);
    CheckMessages();
  }
  const std::vector<ModelMessage>& messages() const { return messages_; }

 private:
  bool Chance(uint32_t percent) { return random_() % 100 < percent; }

  uint64_t Duration() {
    switch (random_() % 12) {
      case 0: return 0;
      case 1: return 29 * kNsPerMs + random_() % (2 * kNsPerMs);
      case 2: return 49 * kNsPerMs + random_() % (2 * kNsPerMs);
      case 3: return random_() % (300 * kNsPerMs);
      case 4: return 299 * kNsPerMs + random_() % (2 * kNsPerMs);
      case 5: return random_() % (6'000 * kNsPerMs);
      case 6: return 30 * kNsPerMs;
      case 7: return 50 * kNsPerMs;
      case 8: return 300 * kNsPerMs;
      default: return random_() % (20 * kNsPerMs);
    }
  }
  void Pause() {
    if (burst_ > 0)
      --burst_;
    else if (Chance(10))
      burst_ = static_cast<uint32_t>(random_() % 200);
    else if (Chance(10))
      now_ns_ += 999 * kNsPerMs + random_() % (2 * kNsPerMs);
    else if (Chance(5))
      now_ns_ += random_() % (3'600'000 * kNsPerMs);
    else
      now_ns_ += random_() % (16 * kNsPerMs);
  }
  // An Error leaves the loop's caller, so the next message finds the frames of this one gone.
  void Dispatch() {
    CloseAbandoned();
    ModelMessage message = Begin(kLoopFrame);
    const bool is_cut = Chance(8) && Nest(&message, 1);
    now_ns_ += burst_ > 0 ? random_() % (3 * kNsPerMs) : Duration();
    if (Chance(3)) {
      abandoned_ = message;
      is_abandoned_ = !is_cut;
      return;
    }
    End("com.example.Handler" + std::to_string(random_() % 50), is_cut ? nullptr : &message);
  }
  ModelMessage Begin(uintptr_t stack_pointer) {
    recorder_->BeginAt(now_ns_, stack_pointer);
    ModelMessage message;
    message.start_ns = now_ns_;
    message.token = thread_.message.token;
    return message;
  }
  // A loop inside `around`, which ends where the loop's first message begins. False if the loop had
  // no messages or none are recorded: then `around` continues.
  bool Nest(ModelMessage* around, int level) {
    constexpr int kRecordedLevels = 7;  // beside the outermost one
    const bool is_recorded = level <= kRecordedLevels;
    bool is_cut = false;
    for (auto i = random_() % 3; i > 0; --i) {
      now_ns_ += random_() % (4 * kNsPerMs);
      if (is_recorded && !is_cut) {
        around->end_ns = now_ns_;
        messages_.push_back(*around);
        last_target_.clear();
        is_cut = true;
      }
      ModelMessage message = Begin(kLoopFrame - static_cast<uintptr_t>(level) * 0x100);
      const bool has_loop = level < 10 && Chance(30) && Nest(&message, level + 1);
      now_ns_ += Duration();
      End("nested", is_recorded && !has_loop ? &message : nullptr);
    }
    return is_cut;
  }
  void CloseAbandoned() {
    if (!is_abandoned_) return;
    is_abandoned_ = false;
    abandoned_.end_ns = now_ns_;
    messages_.push_back(abandoned_);
    last_target_.clear();
  }
  // As the taps' Java part does it. Null for a message that ended before, or is not recorded.
  void End(const std::string& target, ModelMessage* message) {
    const uint32_t wanted = recorder_->EndAt(now_ns_);
    if ((wanted & tap::Recorder::kDescribeRun) != 0)
      recorder_->DescribeRun(last_target_.c_str(), "", 0);
    if ((wanted & tap::Recorder::kDescribe) != 0)
      recorder_->Describe(target.c_str(), "", 0, 0, Chance(10));
    if (message == nullptr) return;
    last_target_ = target;
    message->target = target;
    message->end_ns = now_ns_;
    messages_.push_back(*message);
  }
  void Drain() {
    since_drain_ = 0;
    tap::EndedMessage ended;
    while (recorder_->TakeEnded(&ended)) history_.Add(ended, {});
  }

  void CheckGroups(const std::vector<model::HistoryGroup>& groups, const uint64_t* lost) const {
    std::vector<ModelGroup> found;
    for (const model::HistoryGroup& group : groups) {
      if (group.messages == 0) continue;
      found.push_back({group.start_ns, group.start_ns + group.span_ns, group.wall_ns,
                       group.messages, group.tokens});
    }
    const auto wanted = ModelGroups(messages_, tap::kLimits);
    EXPECT_EQ(*lost, wanted.size() - found.size());
    EXPECT_EQ(found.size(), std::min<size_t>(wanted.size(), kSizes.groups));
    EXPECT_TRUE(found == Newest(wanted, kSizes.groups));
  }
  void CheckRecords(const std::vector<model::HistoryRecord>& records, const uint64_t* lost) const {
    auto wanted = ModelRecords(messages_, is_abandoned_ ? abandoned_.start_ns : 0, tap::kLimits);
    const size_t all = wanted.size();
    wanted = Newest(wanted, kSizes.records);
    EXPECT_EQ(*lost, all - wanted.size());
    ASSERT_EQ(records.size(), wanted.size());
    for (size_t i = 0; i < records.size(); ++i) {
      const model::HistoryRecord& record = records[i];
      ModelRecord found;
      found.is_idle = record.kind == model::SpanKind::kIdle;
      found.is_merged = record.kind == model::SpanKind::kQuick;
      found.start_ns = record.start_ns;
      found.end_ns = record.start_ns + record.span_ns;
      found.wall_ns = record.wall_ns;
      found.messages = record.messages;
      found.token = record.token;
      found.target = found.is_merged ? "" : record.target;
      found.names = wanted[i].names;
      // The run that is still open, and one that an abandoned message ended, are not described.
      if (found.is_merged && !record.target.empty())
        EXPECT_TRUE(found.names.contains(record.target));
      EXPECT_TRUE(found == wanted[i]) << "record " << i << " of " << records.size();
    }
  }
  void CheckMessages() const {
    std::vector<Token> wanted;
    for (const ModelMessage& message : messages_)
      if (message.wall_ns() >= tap::kLimits.slow_ns) wanted.push_back(message.token);
    EXPECT_EQ(history_.messages_lost() + history_.Messages().size(), wanted.size());
    wanted = Newest(wanted, kSizes.messages);
    std::vector<Token> found;
    for (const model::Message& message : history_.Messages()) found.push_back(message.token);
    EXPECT_EQ(found, wanted);
  }

  std::mt19937 random_;
  tap::WakeUpRequest wake_up_;
  core::WatchedThread thread_;
  std::unique_ptr<tap::Recorder> recorder_ = std::make_unique<tap::Recorder>();
  model::FrameTable names_;
  History history_{kSizes, tap::kLimits, &names_};
  std::vector<ModelMessage> messages_;
  ModelMessage abandoned_;
  bool is_abandoned_ = false;
  std::string last_target_;
  uint64_t now_ns_ = 1'000'000 * kNsPerMs;
  uint32_t burst_ = 0;
  int since_drain_ = 0;
};

TEST(HistoryProperty, BothViewsAgreeWithTheNaiveModel) {
  size_t messages = 0;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Stream stream(seed);
    // From streams that fill nothing to streams that wrap every ring many times.
    for (int i = 0; i < 4; ++i) {
      stream.Run(static_cast<int>(seed % 7 == 0 ? 2'000 : 1 + seed));
      stream.Check();
    }
    messages += stream.messages().size();
    if (HasFailure()) return;
  }
  EXPECT_GT(messages, 100'000U);
}

}  // namespace
}  // namespace stillframe::history
