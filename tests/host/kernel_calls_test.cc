// SPDX-License-Identifier: Apache-2.0
// Kernel waits of native methods, in causes, sentence and evidence.
#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "src/model/context_names.h"
#include "tests/host/verdict_case.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/judge/message_parts.h"

namespace stillframe::judge {
namespace {

using namespace host_test;
using index::KernelWait;

struct Stretch {
  std::string_view call;
  uint32_t samples;
};

// Adds the tree of a thread that stays in `stack`, with its kernel calls in stretches of samples.
// The message ended at `end_us`; 0: with its last sample.
void AddTree(uint64_t token, const StackText& stack, const std::vector<Stretch>& stretches,
             uint32_t interval_us, uint32_t end_us, model::Document* document) {
  model::TraceTree tree(Token{token});
  std::vector<model::FrameId> frames;
  for (const std::string_view text : stack) frames.push_back(AddFrame(document, text));
  uint32_t wall_us = 0;
  for (const auto& [call, samples] : stretches) {
    frames.push_back(document->frames.InternFrame(model::kKernel, call, "", "", model::kLineUnknown,
                                                  model::FrameKind::kNative));
    for (uint32_t i = 0; i < samples; ++i)
      tree.Add(frames, {wall_us += interval_us, interval_us, 0, ThreadState::kNative});
    frames.pop_back();
  }
  tree.CloseAt(end_us);
  document->trees.push_back(std::move(tree));
}

// Three seconds in a native method.
model::Document StandingIn(std::string_view method, std::string_view call, std::string_view rest) {
  model::Document document = QuietDocument();
  document.running = RunningMessage(document, 9, 3'000, 1);
  AddTree(9, InCallback({method}), {{call, 200}, {rest, 100}}, 10'000, 0, &document);
  return document;
}

TEST(KernelCalls, AreTheCauseOfAStandstillInNativeCode) {
  const model::Document document = StandingIn("app.Store.step:native", "fsync file", "futex");
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kInputOutput);
  EXPECT_NE(SentenceOf(verdict).find("Main did I/O in app.Store.step"), std::string::npos)
      << SentenceOf(verdict);
  EXPECT_NE(EvidenceOf(verdict).find("In the kernel it waited in fsync file for 2.0 s."),
            std::string::npos)
      << EvidenceOf(verdict);
  ASSERT_EQ(verdict.contributors.size(), 2U);
  EXPECT_EQ(verdict.contributors[1].cause, Cause::kWait);
}

// In managed code too, and beside what the method computes.
TEST(KernelCalls, PageFaultsAreACauseOfTheirOwn) {
  model::Document document = QuietDocument();
  document.running = RunningMessage(document, 9, 3'000, 1);
  model::TraceTree tree(Token{9});
  std::vector<model::FrameId> frames;
  for (const std::string_view text : InCallback({"app.Index.find"}))
    frames.push_back(AddFrame(&document, text));
  const model::FrameId fault = document.frames.InternFrame(
      model::kKernel, "page fault", "", "", model::kLineUnknown, model::FrameKind::kNative);
  for (uint32_t i = 1; i <= 300; ++i) {
    const bool is_computing = i % 3 == 0;  // uses all CPU time
    if (!is_computing) frames.push_back(fault);
    tree.Add(frames, {i * 10'000, 10'000, i / 3 * 10'000, ThreadState::kRunnable});
    if (!is_computing) frames.pop_back();
  }
  document.trees.push_back(std::move(tree));
  document.context.push_back({std::string(model::context::kMemory),
                              std::string(model::context::kMajorFaults),
                              model::ContextEntry::State::kNumber, "", 4'000});
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kPageFaults);
  EXPECT_NE(SentenceOf(verdict).find("Main waited for pages of memory in app.Index.find"),
            std::string::npos)
      << SentenceOf(verdict);
  EXPECT_NE(
      EvidenceOf(verdict).find(
          "Main was in page faults for 2.0 s of 3.0 s (67%); the process had 4,000 major ones."),
      std::string::npos)
      << EvidenceOf(verdict);
  ASSERT_EQ(verdict.contributors.size(), 2U);
  EXPECT_EQ(verdict.contributors[0].cause, Cause::kMemory);
  EXPECT_EQ(verdict.contributors[1].cause, Cause::kWork);
}

TEST(KernelCalls, PageFaultsWithoutMajorOnesMayBeForALock) {
  const model::Document document = StandingIn("app.Store.step:native", "page fault", "page fault");
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kPageFaults);
  EXPECT_NE(EvidenceOf(verdict).find("no major one is known"), std::string::npos)
      << EvidenceOf(verdict);
}

TEST(KernelCalls, AWaitIsSaidToBeOneInNativeCode) {
  const model::Document document = StandingIn("app.Store.step:native", "futex", "futex");
  const Verdict verdict = Judge(DumpIndex(document));
  EXPECT_EQ(verdict.kind, Kind::kStandstill);
  EXPECT_NE(SentenceOf(verdict).find("Main waited in app.Store.step"), std::string::npos)
      << SentenceOf(verdict);
}

TEST(KernelCalls, MethodsThatAreKnownGoFirst) {
  const model::Document document =
      StandingIn("android.os.BinderProxy.transactNative:native", "futex", "futex");
  EXPECT_EQ(Judge(DumpIndex(document)).kind, Kind::kBinderCall);
}

TEST(KernelCalls, NamesThatMeanAWait) {
  const std::pair<std::string_view, KernelWait> cases[] = {
      {"", KernelWait::kNothing},
      {"futex", KernelWait::kWait},
      {"flock file", KernelWait::kWait},
      {"fcntl file", KernelWait::kWait},
      {"nanosleep", KernelWait::kSleep},
      {"read socket", KernelWait::kInputOutput},
      {"page fault", KernelWait::kMemory},
      {"ioctl /dev/binder", KernelWait::kBinder},
      {"ioctl /dev/vndbinder", KernelWait::kBinder},
      {"ioctl /dev/kgsl-3d0", KernelWait::kNothing},
      {"ioctl", KernelWait::kNothing},
      {"system call 451", KernelWait::kNothing}};
  for (const auto& [call, what] : cases) EXPECT_EQ(index::WaitInKernel(call), what) << call;
}

// Samples until 995 ms, the message ended at 1,000.
TEST(MessageParts, TheTailOfAnEndedMessageCountsOnce) {
  model::Document document = QuietDocument();
  const model::Message message = PastMessage(document, 7, 1'500, 1'000, 1);
  document.history.push_back(message);
  AddTree(7, InCallback({"app.Store.step:native"}), {{"futex", 199}}, 5'000, 1'000'000, &document);
  const DumpIndex index(document);
  const Attribution parts = Attribute(index, message, SpanOf(message), {});
  ASSERT_EQ(parts.parts.size(), 1U);
  const Source all = {&parts, 0};
  const auto tree = TreeOf(index, std::span(&all, 1));
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->root().total_us, 1'000'000U);
}

}  // namespace
}  // namespace stillframe::judge
