// SPDX-License-Identifier: Apache-2.0
// Walks through pointers with tags, and over memory whose tags fit no pointer, which the CPU
// checks: directly and in the handler of SIGPROF.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "src/core/clock.h"
#include "src/core/sampler.h"
#include "tests/unit/walk/art_image.h"
#include "tests/unit/walk/walk_test.h"

namespace stillframe::walk {
namespace {

using core::RawFrame;
using core::RawFrameKind;
using core::Truncation;

TEST(MemoryTags, AnAddressWithoutATagIsLeftAlone) {
  const auto address = reinterpret_cast<uintptr_t>(&KnownLayouts);
  EXPECT_EQ(arch::Untagged(address), address);
  EXPECT_EQ(arch::Untagged(0), 0U);
}

#if defined(__aarch64__)

uintptr_t Tagged(uintptr_t address, uint64_t tag) { return address | tag << 56; }

// A native method on quick frames, called by methods that are interpreted.
class MemoryTagsTest : public WalkTest {
 protected:
  // Each pointer that the walk follows gets the next of the tags; 0: none.
  void LayStack(const std::vector<uint64_t>& tags) {
    size_t used = 0;
    const auto with_tag = [&](uintptr_t address) {
      return Tagged(address, tags[used++ % tags.size()]);
    };
    const uintptr_t native = image_.NativeMethod();
    methods_ = {native, image_.Method(), image_.Method(), image_.Method()};
    const uintptr_t outer = with_tag(image_.ShadowFrame(methods_[3], 5, 0));
    const uintptr_t outer_fragment = with_tag(image_.Fragment(0, 0, outer));
    uintptr_t shadow = with_tag(image_.ShadowFrame(methods_[2], 4, 0));
    shadow = with_tag(image_.ShadowFrame(methods_[1], 3, shadow));
    const uintptr_t fragment = with_tag(image_.Fragment(0, outer_fragment, shadow));
    const uintptr_t quick = image_.QuickFrames(256, {image_.GenericJni(native)});
    image_.SetTop(with_tag(quick) | image_.layout().generic_jni_tag, fragment, 0);
  }
  void ExpectWhole(const WalkedStack& walked) {
    EXPECT_EQ(walked.truncation, Truncation::kNone);
    EXPECT_EQ(walked.state, ArtImage::kNativeState);
    ExpectMethods(walked, methods_);
  }

  std::vector<uintptr_t> methods_;
};

TEST_P(MemoryTagsTest, PointersWithTagsLeadOverTheWholeStack) {
  LayStack({0xa5, 0x01, 0xff, 0, 0x3c});
  ExpectWhole(WalkImage());
}

// ART allocates its Thread with malloc, which tags pointers on Android.
TEST_P(MemoryTagsTest, AThreadWithATagIsWalkedWhole) {
  LayStack({0});
  ExpectWhole(Walk(image_.facts(), Tagged(image_.thread(), 0xb4)));
}

constexpr unsigned long kCheckAtOnce = PR_MTE_TCF_SYNC;
constexpr unsigned long kCheckLater = PR_MTE_TCF_ASYNC;

// Runs `function` on a thread whose loads of tagged memory are checked. The kernel reports
// failed checks at the thread's next system call at the latest.
template <typename Function>
void RunChecked(unsigned long checks, const Function& function) {
  std::thread thread([&] {
    constexpr unsigned long kAnyTag = 0xfffe;
    ASSERT_EQ(prctl(PR_SET_TAGGED_ADDR_CTRL,
                    PR_TAGGED_ADDR_ENABLE | checks | kAnyTag << PR_MTE_TAG_SHIFT, 0, 0, 0),
              0);
    function();
    sched_yield();
  });
  thread.join();
}

bool IsChecked() {
  uint64_t tco = 0;
  asm volatile("mrs %0, s3_3_c4_c2_7" : "=r"(tco));
  return (tco & 1U << 25) == 0;
}

// qemu-user 7.2 and 10.0 restore a thread's PSTATE at the end of a handler. It takes effect at the
// next write of a system register.
void WriteSystemRegister() {
  uint64_t thread = 0;
  asm volatile(
      "mrs %0, tpidr_el0\n"
      "msr tpidr_el0, %0"
      : "=&r"(thread));
}

uint8_t WalkOrFault(const void* facts, uintptr_t thread, const arch::Registers* registers,
                    core::FrameSink* sink) {
  if (thread == 0) *reinterpret_cast<volatile int*>(sizeof(uintptr_t)) = 1;
  return WalkManagedStack(facts, thread, registers, sink);
}

// The one sampler of a process.
struct Bed {
  core::WatchedThread thread;
  core::Sampler sampler;
  RuntimeFacts facts;
};
Bed& TheBed() {
  static Bed* bed = [] {
    auto* made = new Bed;
    EXPECT_EQ(
        made->sampler.Start({WalkOrFault, &made->facts, &made->thread, 1, 64, 65'536, sigaction}),
        0);
    return made;
  }();
  return *bed;
}

// As the kernel would for an expired timer.
void SendTimerSignal() {
  siginfo_t info = {};
  info.si_signo = SIGPROF;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = TheBed().sampler.cookie();
  EXPECT_EQ(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGPROF, &info), 0);
}

// Lets the handler walk `thread`, and takes what it has sampled. False: nothing.
bool SampleThread(const RuntimeFacts& facts, uintptr_t thread, WalkedStack* walked) {
  constexpr uint64_t kSecond = 1'000'000'000;
  Bed& bed = TheBed();
  bed.facts = facts;
  bed.thread.tid = gettid();
  bed.thread.runtime_thread = thread;
  bed.thread.message.Publish(Token{1}, core::MonotonicNs() - kSecond, 0);
  bed.sampler.SetCpuClockBase(0, kSecond, bed.sampler.cookie());
  SendTimerSignal();
  core::RawSample sample;
  if (!bed.sampler.Peek(&sample)) return false;
  *walked = {{}, sample.truncation, sample.thread_state};
  for (uint32_t i = 0; i < sample.depth; ++i) walked->frames.push_back(bed.sampler.FrameAt(i));
  bed.sampler.Release(sample);
  return true;
}

class CheckedTagsTest : public MemoryTagsTest {
 protected:
  void SetUp() override {
    arch::TagChecks::Prepare();
    if (!arch::TagChecks::has_tags()) GTEST_SKIP() << "this CPU tags no memory";
    LayStack({0, 0x0b, 0xac, 0x0d});
    TagMemory();
  }

  // Eight tags, a granule each, none of which is that of a pointer.
  void TagMemory() {
    constexpr int kProtTagged = 0x20;  // PROT_MTE
    constexpr uintptr_t kGranule = 16;
    constexpr uint64_t kMemoryTags = 8;
    ASSERT_EQ(mprotect(reinterpret_cast<void*>(image_.base()), image_.bytes(),
                       PROT_READ | PROT_WRITE | kProtTagged),
              0);
    for (uintptr_t at = image_.base(); at < image_.base() + image_.bytes(); at += kGranule) {
      register uintptr_t tagged asm("x0") = Tagged(at, 1 + at / kGranule % kMemoryTags);
      asm volatile(".inst 0xd9200800" : : "r"(tagged) : "memory");  // stg x0, [x0]
    }
  }

  void WalkUnchecked() {
    arch::TagChecks::SwitchOff();
    walked_ = WalkImage();
    arch::TagChecks::SwitchOn();
  }

  WalkedStack walked_ = {};
};

TEST_P(CheckedTagsTest, AreChecked) {
  RunChecked(kCheckAtOnce, [this] { walked_ = WalkImage(); });
  ExpectOnlyTruncation(walked_, Truncation::kUnreadable);
}

TEST_P(CheckedTagsTest, WhatIsCheckedLaterKills) {
  const pid_t child = fork();
  if (child == 0) {
    RunChecked(kCheckLater, [this] { walked_ = WalkImage(); });
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
}

TEST_P(CheckedTagsTest, AWalkThatLeavesThemUncheckedIsWhole) {
  for (const unsigned long checks : {kCheckAtOnce, kCheckLater}) {
    bool is_checked = false;
    walked_ = {};
    RunChecked(checks, [&] {
      WalkUnchecked();
      is_checked = IsChecked();
    });
    ExpectWhole(walked_);
    EXPECT_TRUE(is_checked) << "they are checked again behind it";
  }
}

TEST_P(CheckedTagsTest, ASampleIsWhole) {
  bool is_sampled = false;
  bool is_checked = false;
  WalkedStack behind = {};
  RunChecked(kCheckAtOnce, [&] {
    is_sampled = SampleThread(image_.facts(), image_.thread(), &walked_);
    is_checked = IsChecked();
    WriteSystemRegister();
    behind = WalkImage();
  });
  ASSERT_TRUE(is_sampled);
  ExpectWhole(walked_);
  EXPECT_TRUE(is_checked) << "they are checked again behind it";
  ExpectOnlyTruncation(behind, Truncation::kUnreadable);
}

TEST_P(CheckedTagsTest, ASampleDoesNotKillLater) {
  bool is_sampled = false;
  RunChecked(kCheckLater, [&] {
    is_sampled = SampleThread(image_.facts(), image_.thread(), &walked_);
    WriteSystemRegister();
  });
  ASSERT_TRUE(is_sampled);
  ExpectWhole(walked_);
}

// After three such faults no more samples are taken.
class LeftHandlerTest : public CheckedTagsTest {};

TEST_P(LeftHandlerTest, HasTheThreadsLoadsCheckedAgain) {
  const uint32_t faults = core::Sampler::handler_faults();
  bool is_sampled = true;
  bool is_checked = false;
  RunChecked(kCheckAtOnce, [&] {
    is_sampled = SampleThread(image_.facts(), 0, &walked_);
    is_checked = IsChecked();
    WriteSystemRegister();
    walked_ = WalkImage();
  });
  EXPECT_FALSE(is_sampled);
  EXPECT_EQ(core::Sampler::handler_faults(), faults + 1);
  EXPECT_TRUE(is_checked);
  ExpectOnlyTruncation(walked_, Truncation::kUnreadable);
}

TEST_P(CheckedTagsTest, AThreadHasThemCheckedAgainWhenItSaysSo) {
  bool is_checked = true;
  bool is_checked_again = false;
  bool is_checked_there = true;
  RunChecked(kCheckAtOnce, [&] {
    arch::TagChecks::SwitchOff();
    is_checked = IsChecked();
    std::thread([&] {
      is_checked_there = IsChecked();
      arch::TagChecks::SwitchOn();
      is_checked_again = IsChecked();
    }).join();
  });
  EXPECT_FALSE(is_checked);
  EXPECT_FALSE(is_checked_there) << "it begins as the thread that made it is";
  EXPECT_TRUE(is_checked_again);
}

INSTANTIATE_TEST_SUITE_P(Rows, MemoryTagsTest, testing::Range(0U, KnownLayouts().count), RowName);
INSTANTIATE_TEST_SUITE_P(Rows, CheckedTagsTest, testing::Range(0U, KnownLayouts().count), RowName);
INSTANTIATE_TEST_SUITE_P(Rows, LeftHandlerTest, testing::Values(0U), RowName);

#endif

}  // namespace
}  // namespace stillframe::walk
