#include "bench/native/slowdown_bench.h"

#include <dlfcn.h>
#include <time.h>

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

}  // namespace

jint SlowdownPairs(JNIEnv*, jclass) { return Rounds(200); }

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

void ReportSlowdown(JNIEnv* env, jclass, jlongArray without, jlongArray with) {
  const std::vector<double> off = Values(env, without);
  const std::vector<double> on = Values(env, with);
  Spread spread = RatioOf(on, off);
  for (double* ratio : {&spread.median, &spread.low, &spread.high}) *ratio = (*ratio - 1) * 100;
  Report("slowdown_at_100hz", spread, "percent");
  Report("slowdown_turn", SpreadOf(off), "ns");
}

}  // namespace bench
