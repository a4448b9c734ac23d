// SPDX-License-Identifier: Apache-2.0
// The dumps that are written without a request, and their content. Without a VM, questions to
// it stay unanswered. Times are passed in, not waited for.
#include "src/collector/anr_triggers.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "src/core/clock.h"
#include "src/os/duration.h"
#include "src/sigquit/catcher_watch.h"
#include "src/walk/layout.h"
#include "tests/unit/collector/usual_setup.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/test_waker.h"

namespace stillframe::collector {
namespace {

using os::kNsPerMs;
using os::kNsPerSecond;

class AnrTriggersTest : public testing::Test {
 protected:
  AnrTriggersTest() {
    std::string folder = testing::TempDir() + "triggers-XXXXXX";
    config_.dump_dir = mkdtemp(folder.data());
    facts_.layout = walk::KnownLayouts().rows;
  }
  ~AnrTriggersTest() override { std::filesystem::remove_all(folder_); }

  void Start() {
    folder_ = config_.dump_dir.empty() ? folder_ : config_.dump_dir;
    ASSERT_NO_FATAL_FAILURE(bed_.Start(&names_, settings::TapChoice::kNone, &trees_, &facts_));
    dumps_.Start({.config = &config_,
                  .state = &state_,
                  .runtime = &facts_,
                  .build_id = &build_id_,
                  .pipelines = &bed_.pipelines,
                  .main_thread = &bed_.main_thread(),
                  .main_watch = &bed_.main_watch,
                  .taps = &bed_.taps,
                  .sampler = &sampler_,
                  .trees = &trees_,
                  .others = &others_,
                  .names = &names_,
                  .writer = &writer_,
                  .questions = &questions_,
                  .survey = {},
                  .stacks_absent = &no_threads_,
                  .annotations = &annotations_,
                  .identity = &identity_,
                  .process_facts = &process_facts_,
                  .loaded_ns = core::MonotonicNs()});
    triggers_.Start({&config_, &bed_.main_thread(), &bed_.main_watch, &bed_.taps, &questions_,
                     &dumps_, &writer_, &news_});
  }

  const std::string no_threads_ = "no runtime here";

  // A message begins now; later times are after that.
  void Begin(Token token) {
    begun_ns_ = core::MonotonicNs();
    bed_.main_thread().message.Publish(token, begun_ns_, 0);
    TickAfter(0);
  }
  uint64_t TickAfter(uint64_t ns) { return triggers_.Tick(begun_ns_ + ns, false); }

  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      files.push_back(entry.path().string());
    return files;
  }
  static model::Document Read(const std::string& path) {
    dump::ReadResult read = dump::ReadDumpFile(path.c_str());
    EXPECT_TRUE(read.ok()) << read.error;
    return std::move(read.document);
  }

  settings::Config config_;
  std::string folder_;
  uint64_t begun_ns_ = 0;
  SamplerState state_;
  walk::RuntimeFacts facts_;
  std::string build_id_;
  model::FrameTable names_;
  dump::Writer writer_;
  native::FileSymbols file_symbols_;
  native::NativeFrames native_{facts_, &names_, &file_symbols_};
  sampling::TreeBuilder trees_{{kNsPerSecond, 10, 65'536}, facts_, &names_, &native_, &writer_};
  sampling::OtherThreads others_;
  core::Sampler sampler_;
  PipelineBed bed_;
  jvm::JavaQuestions questions_;
  context::AnnotationStore annotations_;
  context::Identity identity_;
  context::ProcessFacts process_facts_;
  FileNews news_;
  DumpAssembler dumps_;
  AnrTriggers triggers_;
};

TEST_F(AnrTriggersTest, ALongMessageIsDumpedOnceWithItsReason) {
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{7});
  TickAfter(settings::Ns(config_.long_ms) - 1);
  EXPECT_EQ(Files().size(), 0U);
  TickAfter(settings::Ns(config_.long_ms));
  TickAfter(2 * settings::Ns(config_.long_ms));
  ASSERT_EQ(Files().size(), 1U);
  const model::Document dump = Read(Files()[0]);
  EXPECT_EQ(dump.trigger, model::Trigger::kLongMessage);
  EXPECT_EQ(dump.trigger_detail, "one message has been running for 5000 ms; the limit is 5000 ms");
  ASSERT_TRUE(dump.running);
  EXPECT_EQ(dump.running->token, Token{7});
}

TEST_F(AnrTriggersTest, TimeInWhichNobodyRanIsNotTheMessages) {
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{7});
  triggers_.WasFrozen(10 * kNsPerSecond);
  TickAfter(14 * kNsPerSecond);
  EXPECT_EQ(Files().size(), 0U);
  TickAfter(15 * kNsPerSecond);
  EXPECT_EQ(Files().size(), 1U);
}

TEST_F(AnrTriggersTest, ARequestedDumpHasItsTriggerAndHoldsBackTheNextForTheGap) {
  config_.long_ms = settings::Milliseconds(100);
  config_.dump_gap_ms = settings::Milliseconds(60'000);
  ASSERT_NO_FATAL_FAILURE(Start());
  const DumpAssembler::Written written = triggers_.DumpOnRequest(model::Trigger::kApi);
  ASSERT_TRUE(written.result.ok());
  EXPECT_EQ(Files(), std::vector{written.path});
  EXPECT_EQ(Read(written.path).trigger, model::Trigger::kApi);
  Begin(Token{8});
  TickAfter(30 * kNsPerSecond);
  EXPECT_EQ(Files().size(), 1U);
  TickAfter(61 * kNsPerSecond);
  EXPECT_EQ(Files().size(), 2U);
}

TEST_F(AnrTriggersTest, WithoutAFolderNothingIsDumpedAndNothingIsDue) {
  folder_ = config_.dump_dir;
  config_.dump_dir.clear();
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{7});
  testing::internal::CaptureStderr();
  EXPECT_EQ(TickAfter(3'600 * kNsPerSecond), UINT64_MAX);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "nobody tries";
  EXPECT_FALSE(triggers_.DumpOnRequest(model::Trigger::kApi).result.ok());
  EXPECT_EQ(Files().size(), 0U);
}

// One case for all, since the process never resets its SIGQUIT count.
TEST_F(AnrTriggersTest, ASigquitReplacesTheDumpOfItsMessageAndLearnsThatItWasNoAnr) {
  using Sigwait = int (*)(const sigset_t*, int*);
  ASSERT_NO_FATAL_FAILURE(Start());
  Begin(Token{7});
  TickAfter(6 * kNsPerSecond);
  ASSERT_EQ(Files().size(), 1U);
  const std::string of_long_message = Files()[0];

  sigset_t quit;
  sigemptyset(&quit);
  sigaddset(&quit, SIGQUIT);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &quit, nullptr), 0);
  const TestWaker waker;
  sigquit::CatcherWatch::Start({waker.get(), 0});
  const auto wait = reinterpret_cast<Sigwait>(sigquit::CatcherWatch::Replacement(
      reinterpret_cast<uintptr_t>(static_cast<Sigwait>(sigwait)), false));
  kill(getpid(), SIGQUIT);
  int signal = 0;
  ASSERT_EQ(wait(&quit, &signal), 0);
  sigquit::CatcherWatch::Forget();

  TickAfter(7 * kNsPerSecond);
  ASSERT_EQ(Files().size(), 1U);
  const std::string of_signal = Files()[0];
  EXPECT_NE(of_signal, of_long_message);
  EXPECT_EQ(Read(of_signal).trigger, model::Trigger::kSigquit);
  EXPECT_EQ(Read(of_signal).trigger_confirmed, "");
  EXPECT_EQ(Read(of_signal).trigger_detail, "SIGQUIT");
  TickAfter(26 * kNsPerSecond);
  EXPECT_EQ(Read(of_signal).trigger_detail, "SIGQUIT");
  TickAfter(27 * kNsPerSecond);
  EXPECT_EQ(Read(of_signal).trigger_detail,
            "SIGQUIT; no ANR: the system did not say so within 20 s");
}

TEST(CatcherTraces, TracesThatMayStillComeAreSaidToBeLate) {
  EXPECT_EQ(CatcherTraces().WhyAbsent(), "they were not there when this dump was written");
}

TEST(CatcherTraces, ASettingThatForbidsThemIsNamed) {
  CatcherTraces traces;
  traces.HookSignalCatcher(false, nullptr);
  EXPECT_EQ(traces.WhyAbsent(), "switched off by STILLFRAME_COPY_TRACES=0");
}

TEST(CatcherTraces, ARuntimeThatDoesNotHandThemOutIsNamed) {
  CatcherTraces traces;
  traces.HookSignalCatcher(true, nullptr);
  EXPECT_EQ(traces.WhyAbsent(), "this build of ART does not hand its traces to libartpalette");
}

}  // namespace
}  // namespace stillframe::collector
