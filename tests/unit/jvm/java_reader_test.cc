// SPDX-License-Identifier: Apache-2.0
// The reading thread over a VM that only attaches, or not even that.
#include "src/jvm/java_reader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "src/jvm/java_questions.h"

namespace stillframe::jvm {
namespace {

using model::Outcome;
using model::Status;

#if defined(__ANDROID__)
using AttachedEnv = JNIEnv;
#else
using AttachedEnv = void;
#endif

JNINativeInterface_ g_no_functions = {};
JNIEnv g_env = {&g_no_functions};
std::atomic<jint> g_attach_result{JNI_OK};
std::atomic<int> g_attached{0};

jint Attach(JavaVM*, AttachedEnv** env, void*) {
  *env = &g_env;
  if (g_attach_result == JNI_OK) ++g_attached;
  return g_attach_result;
}

jint Detach(JavaVM*) {
  --g_attached;
  return JNI_OK;
}

art::Vm FakeVm() {
  static JNIInvokeInterface_ functions = {};
  functions.AttachCurrentThreadAsDaemon = Attach;
  functions.DetachCurrentThread = Detach;
  static JavaVM vm = {&functions};
  return art::Vm(&vm);
}

class Counting : public JavaReader::Job {
 public:
  void Run(JNIEnv*) override { ++runs; }
  std::atomic<int> runs{0};
};

class Stuck : public JavaReader::Job {
 public:
  void Run(JNIEnv*) override {
    while (!released) released.wait(false);
  }
  std::atomic<bool> released{false};
};

// Runs for 60 ms, and notes its duration, which includes time without a CPU.
class Busy : public JavaReader::Job {
 public:
  void Run(JNIEnv*) override {
    while (ElapsedMs() < 60) ++turns;
    took_ms = ElapsedMs();
  }
  int64_t ElapsedMs() const {
    return (std::chrono::steady_clock::now() - begin_) / std::chrono::milliseconds(1);
  }
  std::atomic<int> turns{0};
  std::atomic<int64_t> took_ms{0};  // 0: not ended

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

constexpr uint32_t kLongMs = 60'000;

TEST(JavaReader, RunsEachJobOnce) {
  static auto* const reader = new JavaReader;  // a job's thread may end after the job
  reader->Start(FakeVm());
  for (int i = 0; i < 20; ++i) {
    const auto job = std::make_shared<Counting>();
    const Outcome outcome = reader->Run(job, kLongMs);
    ASSERT_TRUE(outcome.ok()) << outcome.why;
    EXPECT_EQ(job->runs, 1);
    EXPECT_EQ(g_attached, 0) << "attached for a job only";
  }
}

TEST(JavaReader, RefusesJobsWhileOneIsStuck) {
  static auto* const reader = new JavaReader;
  reader->Start(FakeVm());
  const auto stuck = std::make_shared<Stuck>();
  const Outcome stuck_outcome = reader->Run(stuck, 20);
  EXPECT_EQ(stuck_outcome.status, Status::kTimedOut);
  EXPECT_NE(stuck_outcome.why.find("20 ms"), std::string::npos) << stuck_outcome.why;
  const auto refused = std::make_shared<Counting>();
  const Outcome refused_outcome = reader->Run(refused, kLongMs);
  EXPECT_EQ(refused_outcome.status, Status::kBusy);
  EXPECT_NE(refused_outcome.why.find("earlier"), std::string::npos) << refused_outcome.why;
  stuck->released = true;
  stuck->released.notify_all();
  const auto later = std::make_shared<Counting>();
  while (!reader->Run(later, kLongMs).ok()) std::this_thread::yield();
  EXPECT_EQ(later->runs, 1);
  EXPECT_EQ(refused->runs, 0);
}

TEST(JavaReader, WaitsLongerWhileTheJobIsRunnable) {
  constexpr int kMeasurements = 20;  // the first that the machine does not disturb counts
  constexpr int64_t kUndisturbedMs = 150;
  static auto* const reader = new JavaReader;
  reader->Start(FakeVm());
  ASSERT_TRUE(reader->Run(std::make_shared<Counting>(), kLongMs).ok());
  for (int i = 0; i < kMeasurements; ++i) {
    const auto job = std::make_shared<Busy>();
    const Outcome outcome = reader->Run(job, 10);
    if (outcome.ok()) return;
    const bool has_begun = job->turns != 0;
    while (has_begun && job->took_ms == 0) std::this_thread::yield();
    if (has_begun) EXPECT_GT(job->took_ms, kUndisturbedMs) << outcome.why;
    while (!reader->Run(std::make_shared<Counting>(), kLongMs).ok()) std::this_thread::yield();
  }
  GTEST_SKIP() << "no measurement of " << kMeasurements << " had a CPU";
}

TEST(JavaReader, ReportsAVmThatRefusesToAttach) {
  static auto* const reader = new JavaReader;
  reader->Start(FakeVm());
  g_attach_result = JNI_ERR;
  const auto job = std::make_shared<Counting>();
  const Outcome outcome = reader->Run(job, kLongMs);
  EXPECT_EQ(outcome.status, Status::kRefused);
  EXPECT_NE(outcome.why.find("attached"), std::string::npos) << outcome.why;
  EXPECT_EQ(job->runs, 0);
  g_attach_result = JNI_OK;
  EXPECT_TRUE(reader->Run(std::make_shared<Counting>(), kLongMs).ok());
}

TEST(JavaReader, IsUnavailableWithoutAVm) {
  JavaReader reader;
  const Outcome outcome = reader.Run(std::make_shared<Counting>(), kLongMs);
  EXPECT_EQ(outcome.status, Status::kUnavailable);
  EXPECT_NE(outcome.why, "");
}

// No VM was ever created in this process.
TEST(JavaQuestions, EveryAnswerIsAbsentWithTheReasonWithoutAVm) {
  JavaQuestions questions;
  const std::string why = "the Java VM has been destroyed";
  EXPECT_EQ(questions.ReadQueue(8).absent, why);
  const JavaQuestions::Answers answers = questions.ReadForDump(8, 50);
  EXPECT_EQ(answers.pending.absent, why);
  EXPECT_EQ(answers.pending.source, "");
  EXPECT_GE(answers.facts.size(), 10U);
  for (const model::ContextEntry& fact : answers.facts) {
    EXPECT_EQ(fact.state, model::ContextEntry::State::kAbsent) << fact.name;
    EXPECT_EQ(fact.text, why) << fact.name;
  }
  ErrorState state;
  const model::Outcome outcome = questions.ReadErrorState(&state);
  EXPECT_EQ(outcome.status, model::Status::kUnavailable);
  EXPECT_EQ(outcome.why, why);
}

}  // namespace
}  // namespace stillframe::jvm
