// SPDX-License-Identifier: Apache-2.0
// The walker against ART's own StackVisitor, frame by frame, in an ART process of its own.
//
// In native code: the handler itself walks, on a SIGPROF that the thread sends itself. At a
// safepoint: another thread suspends the main thread and both walk it. Context: natives of
// OracleCheck.java
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "src/art/jni_method.h"
#include "src/art/runtime_probe.h"
#include "src/core/guarded_memory.h"
#include "src/core/sampler.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"
#include "src/walk/code_elsewhere.h"
#include "src/walk/walk.h"
#include "tests/process/runtime_facts_here.h"
#include "tests/testbed/oracle/art_oracle.h"

namespace stillframe {
namespace {

constexpr uint32_t kMaxDepth = 2048;

// Between the two calls of OracleCheck.compareFromCritical.
constexpr uint32_t kMaxCodeUnitsBetween = 8;

struct Check {
  testbed::ArtOracle oracle;
  walk::RuntimeFacts facts;
  core::WatchedThread main;
  core::Sampler sampler;
  void* main_thread = nullptr;
  uint64_t critical = 0;  // ArtMethod* of compareHereCritical
  // The stack of the method that is about to call it.
  std::vector<testbed::OracleFrame> before_critical;
  std::string first_difference;
  std::string first_truncation;
};

// Never destroyed: the handler stays installed.
Check& TheCheck() {
  static auto* check = new Check;
  return *check;
}

// Sends the own thread what the sampling timer would send.
void RaiseSample() {
  siginfo_t info = {};
  info.si_signo = SIGPROF;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = TheCheck().sampler.cookie();
  syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGPROF, &info);
}

// As OracleCheck.java numbers them.
enum Result : jint { kEqual, kDifferent, kTruncated };

// Code that was compiled ahead of time names what is inlined into it by its index in the dex file;
// all methods of this program are of one.
constexpr uint64_t kByIndex = uint64_t{1} << 63;

bool IsMethod(uint64_t expected, uint64_t walked) {
  uint32_t index = 0;
  return expected == walked || ((walked & kByIndex) != 0 &&
                                arch::GuardedLoad32(static_cast<uintptr_t>(expected) +
                                                        TheCheck().facts.layout->method_dex_index,
                                                    &index) &&
                                index == static_cast<uint32_t>(walked));
}

bool AreEqual(const testbed::OracleFrame& expected, const core::RawFrame& walked) {
  return IsMethod(expected.method, walked.method) && expected.dex_pc == walked.dex_pc;
}

// True when only frames are missing, where the walk says so: those before its first truncation and
// those behind its last one are ART's.
bool IsTruncationOf(const std::vector<testbed::OracleFrame>& expected,
                    const std::vector<core::RawFrame>& walked) {
  const auto is_truncation = [](const core::RawFrame& frame) {
    return frame.kind == core::RawFrameKind::kTruncated;
  };
  const auto first = std::find_if(walked.begin(), walked.end(), is_truncation);
  const auto last = std::find_if(walked.rbegin(), walked.rend(), is_truncation);
  return first != walked.end() && walked.size() <= expected.size() + 1 &&
         std::equal(walked.begin(), first, expected.begin(),
                    [](const auto& a, const auto& b) { return AreEqual(b, a); }) &&
         std::equal(walked.rbegin(), last, expected.rbegin(),
                    [](const auto& a, const auto& b) { return AreEqual(b, a); });
}

// Frames of compiled code become those of the methods that are inlined at their place, and their
// own.
std::vector<core::RawFrame> WithInlined(const std::vector<core::RawFrame>& walked) {
  const walk::RuntimeFacts& facts = TheCheck().facts;
  std::vector<core::RawFrame> frames;
  for (const core::RawFrame& raw : walked) {
    if (raw.kind != core::RawFrameKind::kCompiled) {
      frames.push_back(raw);
      continue;
    }
    walk::CompiledCode code;
    walk::CompiledFrame methods[walk::kMaxInlined + 1];
    const uint32_t count = walk::MethodsOf(facts, raw, methods, &code);
    for (uint32_t i = 0; i < count; ++i) {
      frames.push_back(raw);
      frames.back().method =
          methods[i].method != 0 ? methods[i].method : kByIndex | methods[i].method_index;
      frames.back().dex_pc = methods[i].dex_pc;
    }
  }
  return frames;
}

std::string Difference(const std::vector<testbed::OracleFrame>& expected,
                       const std::vector<core::RawFrame>& walked) {
  if (expected.size() != walked.size()) {
    return std::to_string(walked.size()) + " frames walked, " + std::to_string(expected.size()) +
           " by ART";
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!AreEqual(expected[i], walked[i])) {
      return "frame " + std::to_string(i) + " of " + std::to_string(expected.size()) + " is " +
             testbed::ArtOracle::PrettyMethod(expected[i].method) + " at " +
             std::to_string(expected[i].dex_pc) + " by ART and at " +
             std::to_string(walked[i].dex_pc) + " by the walk";
    }
  }
  return "";
}

jint Note(const std::string& difference) {
  if (TheCheck().first_difference.empty()) TheCheck().first_difference = difference;
  return difference.empty() ? kEqual : kDifferent;
}

void NoteTruncation(const std::vector<testbed::OracleFrame>& expected,
                    const std::vector<core::RawFrame>& walked) {
  std::string& note = TheCheck().first_truncation;
  if (!note.empty()) return;
  for (size_t i = 0; i < walked.size() && note.empty(); ++i) {
    if (walked[i].kind != core::RawFrameKind::kTruncated) continue;
    note =
        std::string(core::TruncationName(static_cast<core::Truncation>(walked[i].method))) +
        " for " +
        (i < expected.size() ? testbed::ArtOracle::PrettyMethod(expected[i].method) : "the base");
  }
}

jint Compare(const std::vector<testbed::OracleFrame>& expected,
             const std::vector<core::RawFrame>& raw) {
  const auto walked = WithInlined(raw);
  if (!IsTruncationOf(expected, walked)) return Note(Difference(expected, walked));
  NoteTruncation(expected, walked);
  return kTruncated;
}

std::vector<testbed::OracleFrame> ArtsOwn() {
  return testbed::ArtOracle::WalkByStackVisitor(TheCheck().main_thread);
}

extern "C" jboolean Open(JNIEnv* env, jclass type, jstring release, jclass probe) {
  Check& check = TheCheck();
  JavaVM* vm = nullptr;
  const auto kernel_sigaction = os::KernelSigaction();
  const walk::Layout* layout = process_test::LayoutOf(env, release);
  if (layout == nullptr || env->GetJavaVM(&vm) != JNI_OK || !check.oracle.Open(vm) ||
      core::InstallFaultRecovery(kernel_sigaction) != 0) {
    fprintf(stderr, "oracle check: no such release, or no oracle\n");
    return JNI_FALSE;
  }
  if (!process_test::FindFacts(env, *layout, probe, __builtin_return_address(0), &check.facts))
    return JNI_FALSE;
  check.main_thread = testbed::ArtOracle::ThreadOf(env);
  check.critical =
      art::MethodOf(env, type, env->GetStaticMethodID(type, "compareHereCritical", "()I"));
  check.main.tid = gettid();
  check.main.runtime_thread = reinterpret_cast<uintptr_t>(check.main_thread);
  check.main.message.Publish(Token{1}, 0, 0);
  const int error = check.sampler.Start(
      {walk::WalkManagedStack, &check.facts, &check.main, 0, kMaxDepth, 1 << 20, kernel_sigaction});
  return error == 0 ? JNI_TRUE : JNI_FALSE;
}

// In native code, on the main thread.
std::vector<core::RawFrame> Sampled() {
  Check& check = TheCheck();
  RaiseSample();
  core::RawSample sample;
  std::vector<core::RawFrame> walked;
  if (!check.sampler.Peek(&sample)) return walked;
  for (uint32_t i = 0; i < sample.depth; ++i) walked.push_back(check.sampler.FrameAt(i));
  check.sampler.Release(sample);
  return walked;
}

extern "C" jint CompareHere(JNIEnv*, jclass) { return Compare(ArtsOwn(), Sampled()); }

// Runs as managed code does.
extern "C" jint CompareHereFast(JNIEnv*, jclass) { return Compare(ArtsOwn(), Sampled()); }

extern "C" void BeforeCritical(JNIEnv*, jclass) { TheCheck().before_critical = ArtsOwn(); }

// Called with its arguments only. Compiled code then leaves nothing of the stack for ART, whose
// visitor would walk garbage. So the caller's stack of a moment ago is the truth. The caller has
// moved on since, within the expression of the call.
extern "C" jint CompareHereCritical() {
  const auto raw = Sampled();
  const auto walked = WithInlined(raw);
  std::vector<testbed::OracleFrame> expected = TheCheck().before_critical;
  expected[0].method = TheCheck().critical;
  const bool has_gone_on = walked.size() > 1 && IsMethod(expected[1].method, walked[1].method) &&
                           walked[1].dex_pc > expected[1].dex_pc &&
                           walked[1].dex_pc - expected[1].dex_pc <= kMaxCodeUnitsBetween;
  if (has_gone_on) expected[1].dex_pc = walked[1].dex_pc;
  // Compiled code calls it without a frame of its own, or through a stub that nothing is known of.
  if (!walked.empty() && IsMethod(expected[1].method, walked[0].method)) {
    expected.erase(expected.begin());
    expected[0].dex_pc = walked[0].dex_pc;
  }
  return Compare(expected, raw);
}

// Java calls back into Java through here, which starts a new fragment.
extern "C" jint Through(JNIEnv* env, jclass type, jint depth) {
  return env->CallStaticIntMethod(type, env->GetStaticMethodID(type, "descend", "(I)I"), depth);
}

// From another thread, with the main thread stopped at a safepoint; 3 when it did not stop.
extern "C" jint CompareSuspended(JNIEnv*, jclass) {
  Check& check = TheCheck();
  void* suspended = check.oracle.SuspendById(testbed::ArtOracle::IdOf(check.main_thread));
  if (suspended == nullptr) return kTruncated + 1;
  std::vector<core::RawFrame> walked(kMaxDepth);
  uint32_t depth = 0;
  core::Truncation truncation = core::Truncation::kNone;
  check.sampler.WalkBlocked(walked.data(), kMaxDepth, &depth, &truncation);
  walked.resize(depth);
  const jint result = Compare(ArtsOwn(), walked);
  check.oracle.Resume(suspended);
  return result;
}

// Why the check failed.
extern "C" jstring FirstDifference(JNIEnv* env, jclass) {
  const Check& check = TheCheck();
  const std::string truncated = "first truncated stack: " + check.first_truncation;
  return env->NewStringUTF(
      (check.first_difference.empty() ? truncated : check.first_difference).c_str());
}

}  // namespace
}  // namespace stillframe

extern "C" __attribute__((visibility("default"))) void Java_OracleCheck_bind(JNIEnv* env,
                                                                             jclass type) {
  namespace sf = stillframe;
  const JNINativeMethod natives[] = {
      sf::art::JniMethod("open", "(Ljava/lang/String;Ljava/lang/Class;)Z", sf::Open),
      sf::art::JniMethod("compareHere", "()I", sf::CompareHere),
      sf::art::JniMethod("compareHereFast", "()I", sf::CompareHereFast),
      sf::art::JniMethod("beforeCritical", "()V", sf::BeforeCritical),
      sf::art::JniMethod("compareHereCritical", "()I", sf::CompareHereCritical),
      sf::art::JniMethod("through", "(I)I", sf::Through),
      sf::art::JniMethod("compareSuspended", "()I", sf::CompareSuspended),
      sf::art::JniMethod("firstDifference", "()Ljava/lang/String;", sf::FirstDifference),
  };
  env->RegisterNatives(type, natives, sizeof natives / sizeof natives[0]);
}
