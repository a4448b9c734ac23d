// SPDX-License-Identifier: Apache-2.0
// One sample at each depth by each method: our handler, an empty one, libunwind,
// Thread.getStackTrace.
#include "bench/native/sample_bench.h"

#include <errno.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/native/caller.h"
#include "bench/native/instruction_count.h"
#include "bench/native/rows.h"
#include "bench/native/sampler_under_test.h"
#include "bench/native/self_signal.h"
#include "bench/native/text_of.h"
#include "src/core/clock.h"
#include "src/os/thread_timer.h"

namespace bench {
namespace {

using stillframe::core::MonotonicNs;
using SignalHandler = void (*)(int, siginfo_t*, void*);

// At every depth, a block fits the profiler's ring.
constexpr int kSignals = 50;
constexpr int kCopiedSignals = 13;  // plus three to warm up: one slot for each copy
constexpr int kDeepSignals = 5;     // the ring holds seven of the deepest samples
constexpr int kUnwinds = 20;
constexpr int kCalls = 20;
constexpr uint64_t kTimerPeriodNs = 1'000'000;
constexpr uint64_t kSpinNs = 100'000'000;
constexpr uint64_t kTimerGapNs = 1'000;  // an iteration of the spinning loop is shorter
constexpr int kMaxFrames = 8192;

Caller g_caller;

// Handlers. The main thread owns the counters.
uint32_t g_unwound = 0;
SignalHandler g_inner = nullptr;
uint64_t g_inside_ns = 0;
uint64_t g_instructions = 0;

void OnEmpty(int, siginfo_t*, void*) {
  const int saved_errno = errno;
  errno = saved_errno;
}

void OnUnwind(int, siginfo_t*, void* context) {
  const int saved_errno = errno;
  unw_cursor_t cursor;
  unw_init_local2(&cursor, static_cast<unw_context_t*>(context), UNW_INIT_SIGNAL_FRAME);
  uint32_t frames = 1;
  while (unw_step(&cursor) > 0 && frames < kMaxFrames) ++frames;
  g_unwound = frames;
  errno = saved_errno;
}

void OnTimed(int signal, siginfo_t* info, void* context) {
  const uint64_t begin_ns = MonotonicNs();
  g_inner(signal, info, context);
  g_inside_ns += MonotonicNs() - begin_ns;
}

void OnCounted(int signal, siginfo_t* info, void* context) {
  InstructionCount::Begin();
  const uint64_t around = InstructionCount::End();
  InstructionCount::Begin();
  g_inner(signal, info, context);
  g_instructions = InstructionCount::End() - around;
}

struct sigaction ActionOf(SignalHandler handler) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  return action;
}

// Nanoseconds that a signal costs this thread with `action` in force: send, delivery, handler,
// return.
double RoundTrip(const SelfSignal& signal, const struct sigaction& action, int count) {
  SamplerUnderTest::Get().Use(action);
  for (int i = 0; i < 3; ++i) signal.Raise();
  const uint64_t begin_ns = MonotonicNs();
  for (int i = 0; i < count; ++i) signal.Raise();
  return static_cast<double>(MonotonicNs() - begin_ns) / count;
}

// The same for a sample of a thread other than the main one: the request, which is another thread's
// work, is not counted.
double AskedRoundTrip(jint depth, int count) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  tested.Use(tested.action());
  uint64_t took_ns = 0;
  for (int i = -3; i < count; ++i) {
    const SelfSignal signal(tested.Ask());
    const uint64_t begin_ns = MonotonicNs();
    signal.Raise();
    if (i >= 0) took_ns += MonotonicNs() - begin_ns;
    tested.ExpectAnswer(static_cast<uint32_t>(depth));
  }
  return static_cast<double>(took_ns) / count;
}

// Nanoseconds inside `handler`, including the clock reads around it.
double Inside(const SelfSignal& signal, SignalHandler handler, int count) {
  g_inner = handler;
  g_inside_ns = 0;
  SamplerUnderTest::Get().Use(ActionOf(OnTimed));
  for (int i = 0; i < count; ++i) signal.Raise();
  return static_cast<double>(g_inside_ns) / count;
}

// Instructions of our handler. Constant except for those of the clock.
double Instructions(const SelfSignal& signal) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  g_inner = tested.action().sa_sigaction;
  tested.Use(ActionOf(OnCounted));
  signal.Raise();
  return static_cast<double>(g_instructions);
}

void ExpectSamples(int count, jint depth) {
  const int taken = SamplerUnderTest::Get().DrainWhole(static_cast<uint32_t>(depth));
  if (taken != count)
    Fail(std::to_string(count) + " signals left " + std::to_string(taken) + " samples");
}

struct WayTimes {
  std::vector<double> empty, sample, asked, unwind, stack_trace, suspend, handler;
};

void MeasureOurs(const SelfSignal& signal, jint depth, WayTimes* rounds) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  const int signals = tested.has_copies() ? kCopiedSignals : kSignals;
  rounds->empty.push_back(RoundTrip(signal, ActionOf(OnEmpty), signals));
  rounds->sample.push_back(RoundTrip(signal, tested.action(), signals));
  ExpectSamples(signals + 3, depth);
  rounds->asked.push_back(AskedRoundTrip(depth, signals));
  const double timed_empty = Inside(signal, OnEmpty, signals);
  const double timed_ours = Inside(signal, tested.action().sa_sigaction, signals);
  ExpectSamples(signals, depth);
  rounds->handler.push_back(timed_ours - timed_empty);
}

void MeasureOthers(const SelfSignal& signal, jint depth, WayTimes* rounds) {
  rounds->unwind.push_back(RoundTrip(signal, ActionOf(OnUnwind), kUnwinds));
  SamplerUnderTest::Get().Use(ActionOf(OnEmpty));
  const auto frames = static_cast<uint32_t>(depth);
  rounds->stack_trace.push_back(g_caller.CallParked(Way::kGetStackTrace, kCalls, frames));
  rounds->suspend.push_back(g_caller.CallParked(Way::kSuspendWalk, kCalls, frames));
}

// Time that a real timer's signal takes from a thread in native code: the median of the gaps in a
// loop that reads the clock.
double TimerGap(const struct sigaction& action, stillframe::os::ThreadTimer* timer) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  tested.Use(action);
  std::vector<double> gaps;
  gaps.reserve(kSpinNs / kTimerPeriodNs * 4);
  timer->Arm(kTimerPeriodNs, kTimerPeriodNs);
  const uint64_t begin_ns = MonotonicNs();
  uint64_t before_ns = begin_ns;
  while (before_ns - begin_ns < kSpinNs && gaps.size() < gaps.capacity()) {
    const uint64_t now_ns = MonotonicNs();
    if (now_ns - before_ns > kTimerGapNs) gaps.push_back(static_cast<double>(now_ns - before_ns));
    before_ns = now_ns;
  }
  timer->Disarm();
  return SpreadOf(std::move(gaps)).median;
}

void MeasureTimer(jint depth, const std::string& suffix) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  stillframe::os::ThreadTimer timer;
  if (timer.Create(CLOCK_MONOTONIC, gettid(), tested.sampler().cookie()) != 0) Fail("no timer");
  std::vector<double> empty, sample;
  for (int i = 0; i < std::min(Rounds(200), 5); ++i) {
    empty.push_back(TimerGap(ActionOf(OnEmpty), &timer));
    sample.push_back(TimerGap(tested.action(), &timer));
    tested.DrainWhole(static_cast<uint32_t>(depth));
  }
  Report("real_timer_empty_signal" + suffix, SpreadOf(empty), "ns");
  Report("real_timer_sample" + suffix, SpreadOf(sample), "ns");
}

void ReportOurs(const WayTimes& rounds, const std::string& suffix) {
  Report("sample_vs_empty_signal" + suffix, RatioOf(rounds.sample, rounds.empty), "ratio");
  Report("other_thread_sample_vs_empty_signal" + suffix, RatioOf(rounds.asked, rounds.empty),
         "ratio");
  Report("empty_signal" + suffix, SpreadOf(rounds.empty), "ns");
  Report("sample" + suffix, SpreadOf(rounds.sample), "ns");
  Report("handler" + suffix, SpreadOf(rounds.handler), "ns");
}

void ReportOthers(const WayTimes& rounds, const std::string& suffix) {
  Report("sample_vs_parked_getstacktrace" + suffix, RatioOf(rounds.sample, rounds.stack_trace),
         "ratio");
  Report("sample_vs_parked_suspend_walk" + suffix, RatioOf(rounds.sample, rounds.suspend), "ratio");
  Report("sample_vs_unw_step" + suffix, RatioOf(rounds.sample, rounds.unwind), "ratio");
  Report("handler_vs_getstacktrace" + suffix, RatioOf(rounds.handler, rounds.stack_trace), "ratio");
  Report("getstacktrace_call" + suffix, SpreadOf(rounds.stack_trace), "ns");
  Report("suspend_walk_call" + suffix, SpreadOf(rounds.suspend), "ns");
  Report("unw_step" + suffix, SpreadOf(rounds.unwind), "ns");
  Report("unw_step_frames" + suffix, static_cast<double>(g_unwound), "frames");
}

// The main thread's gaps during a call, in nanoseconds.
double LossWithin(const Call& call, const std::vector<jlong>& gaps) {
  double loss_ns = 0;
  for (size_t i = 0; i + 1 < gaps.size(); i += 2) {
    const auto begin = static_cast<uint64_t>(gaps[i]);
    const auto end = static_cast<uint64_t>(gaps[i + 1]);
    if (begin < call.end_ns && end > call.begin_ns) loss_ns += static_cast<double>(end - begin);
  }
  return loss_ns;
}

}  // namespace

void PrepareSampler(JNIEnv* env, jclass) {
  SamplerUnderTest::Get().Prepare(env);
  if (!InstructionCount::Open(stillframe::os::KernelSigaction())) Fail("no handler for SIGTRAP");
  jclass thread = env->FindClass("java/lang/Thread");
  const jmethodID current = env->GetStaticMethodID(thread, "currentThread", "()Ljava/lang/Thread;");
  g_caller.Open(env, env->CallStaticObjectMethod(thread, current));
}

void MeasureSamples(JNIEnv*, jclass, jint depth, jboolean ours_only) {
  const SelfSignal signal(SamplerUnderTest::Get().sampler().cookie());
  const std::string suffix = "_depth" + std::to_string(depth);
  WayTimes rounds;
  MeasureOurs(signal, depth, &rounds);
  if (ours_only == JNI_FALSE) MeasureOthers(signal, depth, &rounds);
  Report("instructions" + suffix, Instructions(signal), "count");
  ExpectSamples(1, depth);
  rounds = {};  // discards the warm-up
  for (int i = 0; i < Rounds(200); ++i) {
    MeasureOurs(signal, depth, &rounds);
    if (ours_only == JNI_FALSE) MeasureOthers(signal, depth, &rounds);
  }
  ReportOurs(rounds, suffix);
  if (ours_only == JNI_TRUE) return;
  ReportOthers(rounds, suffix);
  MeasureTimer(depth, suffix);
}

void MeasureDeep(JNIEnv* env, jclass, jint depth, jstring tag) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  const SelfSignal signal(tested.sampler().cookie());
  const auto take = [&tested, depth](int count) {
    if (tested.DrainDeep(static_cast<uint32_t>(depth)) != count) Fail("deep samples are lost");
  };
  const std::string name = std::to_string(depth) + "_deep" + TextOf(env, tag);
  constexpr int kUsual = 200;
  if (Rounds(kUsual) == kUsual) {  // a trap for each of two million takes half a minute
    Report("instructions_" + name, Instructions(signal), "count");
    take(1);
  }
  std::vector<double> rounds;
  for (int i = 0; i < Rounds(kUsual); ++i) {
    const double timed_empty = Inside(signal, OnEmpty, kDeepSignals);
    rounds.push_back(Inside(signal, tested.action().sa_sigaction, kDeepSignals) - timed_empty);
    take(kDeepSignals);
  }
  Report("handler_" + name + "_ns", SpreadOf(rounds), "ns");
}

void StartCallers(JNIEnv* env, jclass) {
  static const auto samples =
      static_cast<jclass>(env->NewGlobalRef(env->FindClass("bench/Samples")));
  const jfieldID done = env->GetStaticFieldID(samples, "done", "Z");
  SamplerUnderTest::Get().Use(ActionOf(OnEmpty));
  g_caller.StartSpaced(Rounds(200) * 5, 200, samples, done);
}

void ReportGaps(JNIEnv* env, jclass, jint depth, jlongArray gaps, jint count) {
  std::vector<jlong> moments(2 * static_cast<size_t>(count));
  env->GetLongArrayRegion(gaps, 0, 2 * count, moments.data());
  std::vector<double> durations[2], losses[2];
  for (const Call& call : g_caller.TakeSpaced()) {
    const auto way = static_cast<size_t>(call.way);
    durations[way].push_back(static_cast<double>(call.end_ns - call.begin_ns));
    losses[way].push_back(LossWithin(call, moments));
  }
  const char* const names[] = {"getstacktrace", "suspend_walk"};
  for (size_t way = 0; way < 2; ++way) {
    const std::string name = std::string("running_main_") + names[way];
    const std::string suffix = "_depth" + std::to_string(depth);
    Report(name + "_call" + suffix, SpreadOf(durations[way]), "ns");
    Report(name + "_loss" + suffix, SpreadOf(losses[way]), "ns");
  }
}

}  // namespace bench
