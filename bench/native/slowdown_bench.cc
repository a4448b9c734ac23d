// SPDX-License-Identifier: Apache-2.0
// Rounds of the same work without signals, with empty ones and with samples, and their bootstrap.
#include "bench/native/slowdown_bench.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <stillframe/profiler.h>

#include "bench/native/rows.h"

namespace bench {
namespace {

constexpr long kIntervalNs = 1'000'000;  // must equal the setting in bench/run.py

using Switch = stillframe_status (*)();

Switch ProfilerFunction(const char* name) {
  const auto function = reinterpret_cast<Switch>(dlsym(RTLD_DEFAULT, name));
  if (function == nullptr) Fail(std::string("the profiler is not preloaded: no ") + name);
  return function;
}

std::vector<double> Values(JNIEnv* env, jlongArray array) {
  std::vector<jlong> longs(static_cast<size_t>(env->GetArrayLength(array)));
  env->GetLongArrayRegion(array, 0, static_cast<jsize>(longs.size()), longs.data());
  return {longs.begin(), longs.end()};
}

// Median of the ratios, with the interval that holds 95 % of the medians of resamples with
// replacement.
Spread BootstrapMedian(const std::vector<double>& ratios) {
  constexpr int kDraws = 2000;
  std::mt19937_64 random(7);
  std::vector<double> medians;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> drawn;
    for (size_t i = 0; i < ratios.size(); ++i) drawn.push_back(ratios[random() % ratios.size()]);
    medians.push_back(SpreadOf(std::move(drawn)).median);
  }
  std::sort(medians.begin(), medians.end());
  return {SpreadOf(ratios).median, medians[kDraws / 40], medians[kDraws - 1 - kDraws / 40]};
}

// Percentage by which `turns` exceed `quiet` ones.
Spread PercentMore(const std::vector<double>& turns, const std::vector<double>& quiet) {
  std::vector<double> percents;
  for (size_t i = 0; i < quiet.size(); ++i) percents.push_back((turns[i] / quiet[i] - 1) * 100);
  return BootstrapMedian(percents);
}

timer_t EmptyTimer() {
  const int signal_number = SIGRTMIN + 6;
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_number;
  event._sigev_un._tid = gettid();
  timer_t timer = {};
  if (sigaction(signal_number, &action, nullptr) != 0 ||
      timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    Fail("no timer");
  return timer;
}

}  // namespace

jint SlowdownRounds(JNIEnv*, jclass) { return Rounds(300); }

void SetEmptySignals(JNIEnv*, jclass, jboolean on) {
  static const timer_t timer = EmptyTimer();
  const timespec interval = {0, on == JNI_TRUE ? kIntervalNs : 0};
  const itimerspec setting = {interval, interval};
  if (timer_settime(timer, 0, &setting, nullptr) != 0) Fail("the timer does not switch");
}

void SetSampling(JNIEnv*, jclass, jboolean on) {
  static const Switch resume = ProfilerFunction("stillframe_resume");
  static const Switch stop = ProfilerFunction("stillframe_stop");
  if ((on == JNI_TRUE ? resume : stop)() != STILLFRAME_OK) Fail("the profiler does not switch");
}

jlong ThreadCpuNs(JNIEnv*, jclass) {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

void ReportSlowdown(JNIEnv* env, jclass, jlongArray quiet, jlongArray empty_signals,
                    jlongArray sampled, jlong all_sampled_ns) {
  const std::vector<double> base = Values(env, quiet);
  Report("slowdown_by_empty_signals", PercentMore(Values(env, empty_signals), base), "percent");
  Report("slowdown_as_sampled", PercentMore(Values(env, sampled), base), "percent");
  Report("slowdown_sampled", static_cast<double>(all_sampled_ns), "ns");
  Report("slowdown_turn", SpreadOf(base), "ns");
}

}  // namespace bench
