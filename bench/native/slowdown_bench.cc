// SPDX-License-Identifier: Apache-2.0
// Pairs of turns with sampling off and on, and the bootstrap over them.
#include "bench/native/slowdown_bench.h"

#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "bench/native/rows.h"
#include "include/stillframe/profiler.h"

namespace bench {
namespace {

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

// The median of the ratios, and between what bounds 95 % of the medians lie that samples of them,
// drawn with replacement, give.
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

}  // namespace

jint SlowdownPairs(JNIEnv*, jclass) { return Rounds(400); }

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

void ReportSlowdown(JNIEnv* env, jclass, jlongArray without, jlongArray with, jlong sampled_ns) {
  const std::vector<double> off = Values(env, without);
  const std::vector<double> on = Values(env, with);
  std::vector<double> percents;
  for (size_t i = 0; i < off.size(); ++i) percents.push_back((on[i] / off[i] - 1) * 100);
  Report("slowdown_as_sampled", BootstrapMedian(percents), "percent");
  Report("slowdown_sampled", static_cast<double>(sampled_ns), "ns");
  Report("slowdown_turn", SpreadOf(off), "ns");
}

}  // namespace bench
