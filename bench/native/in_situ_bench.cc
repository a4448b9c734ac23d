// SPDX-License-Identifier: Apache-2.0
// A timer at the profiler's rate, and the handler's cost for its signals with cold caches: time,
// and the cache lines that each sample touches. BENCH_LINES names a file for the lines themselves.
#include "bench/native/in_situ_bench.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bench/native/rows.h"
#include "bench/native/sampler_under_test.h"
#include "bench/native/text_of.h"
#include "bench/native/touched_lines.h"
#include "src/core/clock.h"
#include "src/os/thread_timer.h"

namespace bench {
namespace {

using stillframe::core::MonotonicNs;

constexpr uint64_t kIntervalNs = 10'000'000;
constexpr int kRounds = 60;
constexpr int kSamplesOfARound = 17;  // 1,020 in all
// Samples may be truncated while the thread changes its state.
constexpr double kMostTruncated = 0.1;  // of all

// Samples whose lines are counted, after the timed ones.
constexpr size_t kCountedSamples = 31;

// The main thread's; its handler writes while the timer is armed.
struct InSitu {
  stillframe::os::ThreadTimer timer;
  std::vector<double> samples;     // ns
  std::vector<double> empties;     // ns
  uint64_t handler_ns = 0;         // sum over all samples so far
  std::vector<double> data_lines;  // a sample
  std::vector<double> code_lines;
  std::vector<double> stack_lines;  // of data_lines, those of the thread's own stack
  bool is_empty_turn = false;
  uint32_t depth = 0;
  size_t drained = 0;
  size_t truncated = 0;
  double timed_bytes = 0;      // walked by the end of the timed samples
  bool is_unknown = false;     // the lines of a sample
  uint64_t unknown_bytes = 0;  // of an instruction
};
InSitu g_run;

void Keep(std::vector<double>* values, uint64_t ns) {
  if (values->size() < values->capacity()) values->push_back(static_cast<double>(ns));
}

bool IsTimed() {
  return g_run.samples.size() == g_run.samples.capacity() &&
         g_run.empties.size() == g_run.empties.capacity();
}

bool IsOnStack(const TouchedLines::Line& line) {
  const stillframe::walk::RuntimeFacts& facts = SamplerUnderTest::Get().facts();
  return line.address >= facts.stack_low && line.address < facts.stack_high;
}

// Counts the lines of one sample. A signal for which none is taken does not count.
void CountLines(int signal, siginfo_t* info, void* context) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  const uint64_t samples = tested.sampler().samples();
  TouchedLines::Begin();
  bool is_known = TouchedLines::End();
  const size_t data = TouchedLines::Data().count;
  const size_t code = TouchedLines::Code().count;
  TouchedLines::Begin();
  tested.action().sa_sigaction(signal, info, context);
  is_known = TouchedLines::End() && is_known;
  if (tested.sampler().samples() == samples) return;
  if (!is_known) {
    g_run.is_unknown = true;
    g_run.unknown_bytes = TouchedLines::Unknown();
  }
  const TouchedLines::Lines lines = TouchedLines::Data();
  Keep(&g_run.data_lines, lines.count - data);
  Keep(&g_run.code_lines, TouchedLines::Code().count - code);
  Keep(&g_run.stack_lines,
       static_cast<uint64_t>(std::count_if(lines.lines, lines.lines + lines.count, IsOnStack)));
}

// Touches little before the sample: the sampler's counter is read only afterwards.
void OnTurn(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (IsTimed()) {
    if (g_run.data_lines.size() < g_run.data_lines.capacity()) CountLines(signal, info, context);
  } else if (g_run.is_empty_turn) {
    const uint64_t begin_ns = MonotonicNs();
    const uint64_t end_ns = MonotonicNs();
    Keep(&g_run.empties, end_ns - begin_ns);
  } else {
    SamplerUnderTest& tested = SamplerUnderTest::Get();
    tested.action().sa_sigaction(signal, info, context);
    const uint64_t handler_ns = tested.sampler().handler_ns();
    if (handler_ns != g_run.handler_ns) Keep(&g_run.samples, handler_ns - g_run.handler_ns);
    g_run.handler_ns = handler_ns;
  }
  g_run.is_empty_turn = !g_run.is_empty_turn;
  errno = saved_errno;
}

void Drain() {
  stillframe::core::Sampler& sampler = SamplerUnderTest::Get().sampler();
  stillframe::core::RawSample sample;
  while (sampler.Peek(&sample)) {
    const bool is_whole = sample.truncation == stillframe::core::Truncation::kNone;
    if (is_whole && sample.depth != g_run.depth && sample.depth != g_run.depth + 1)
      Fail("a sample in situ has " + std::to_string(sample.depth) + " frames and not " +
           std::to_string(g_run.depth));
    ++g_run.drained;
    g_run.truncated += is_whole ? 0 : 1;
    sampler.Release(sample);
  }
}

double Percentile(std::vector<double> values, size_t percent) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) * percent / 100];
}

void ReportPercentiles(const std::string& name, const std::vector<double>& values) {
  Report(name + "p50_ns", SpreadOf(values), "ns");
  Report(name + "p99_ns", Percentile(values, 99), "ns");
}

void WriteLines(std::ofstream* out, const char* what, const TouchedLines::Lines& lines) {
  for (size_t i = 0; i < lines.count; ++i)
    *out << what << std::hex << " " << lines.lines[i].address << " " << lines.lines[i].pc << "\n";
}

// The last sample's lines, each with the address of the instruction that touched it first, and the
// process's memory map.
void WriteLines(const char* path) {
  std::ofstream out(path);
  WriteLines(&out, "data", TouchedLines::Data());
  WriteLines(&out, "code", TouchedLines::Code());
  out << std::ifstream("/proc/self/maps").rdbuf();
}

}  // namespace

void LoadLibraries(JNIEnv* env, jclass, jstring folder) {
  stillframe::unwind::CodeModules& modules = *SamplerUnderTest::Get().facts().modules;
  std::vector<uintptr_t> code;
  for (const auto& file : std::filesystem::directory_iterator(TextOf(env, folder))) {
    void* library = dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) Fail(dlerror());
    link_map* entry = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &entry) != 0) Fail(dlerror());
    code.push_back(entry->l_addr);
  }
  modules.Refresh();
  for (const uintptr_t begin : code)
    if (!modules.IsInRow(begin)) Fail("a library has no row");
  std::sort(code.begin(), code.end());
  const auto different = std::unique(code.begin(), code.end()) - code.begin();
  Report("in_situ_libraries", static_cast<double>(different), "count");
}

void StartInSitu(JNIEnv*, jclass, jint depth) {
  SamplerUnderTest& tested = SamplerUnderTest::Get();
  stillframe::core::Sampler& sampler = tested.sampler();
  g_run.depth = static_cast<uint32_t>(depth);
  g_run.samples.reserve(static_cast<size_t>(Rounds(kRounds)) * kSamplesOfARound);
  g_run.empties.reserve(g_run.samples.capacity());
  for (std::vector<double>* lines : {&g_run.data_lines, &g_run.code_lines, &g_run.stack_lines})
    lines->reserve(kCountedSamples);
  g_run.handler_ns = sampler.handler_ns();
  struct sigaction action = tested.action();
  action.sa_sigaction = OnTurn;
  tested.Use(action);
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  const uint64_t now_ns =
      static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  sampler.SetCpuClockBase(now_ns + kIntervalNs, kIntervalNs, sampler.cookie());
  if (g_run.timer.Create(CLOCK_THREAD_CPUTIME_ID, gettid(), sampler.cookie()) != 0 ||
      g_run.timer.Arm(kIntervalNs, kIntervalNs) != 0)
    Fail("no timer");
}

jboolean InSituGoesOn(JNIEnv* env, jclass, jlong walked_bytes, jstring tag) {
  Drain();
  if (!IsTimed()) return JNI_TRUE;
  if (g_run.timed_bytes == 0) g_run.timed_bytes = static_cast<double>(walked_bytes);
  if (g_run.data_lines.size() < g_run.data_lines.capacity()) return JNI_TRUE;
  g_run.timer.Disarm();
  Drain();
  const auto drained = static_cast<double>(g_run.drained);
  if (static_cast<double>(g_run.truncated) > kMostTruncated * drained)
    Fail("of " + std::to_string(g_run.drained) + " samples in situ " +
         std::to_string(g_run.truncated) + " are not whole");
  if (g_run.is_unknown) {
    std::ostringstream bytes;
    bytes << std::hex << g_run.unknown_bytes;
    Fail("the lines of a sample are not known; bytes of an instruction, the first one lowest: " +
         bytes.str());
  }
  if (const char* path = getenv("BENCH_LINES")) WriteLines(path);
  const std::string name = "in_situ_" + TextOf(env, tag);
  ReportPercentiles("handler_" + name, g_run.samples);
  ReportPercentiles("empty_handler_" + name, g_run.empties);
  Report("handler_" + name + "data_lines", SpreadOf(g_run.data_lines), "count");
  Report("handler_" + name + "code_lines", SpreadOf(g_run.code_lines), "count");
  Report("handler_" + name + "stack_lines", SpreadOf(g_run.stack_lines), "count");
  std::vector<double> beside;
  for (size_t i = 0; i < g_run.data_lines.size(); ++i)
    beside.push_back(g_run.data_lines[i] - g_run.stack_lines[i]);
  Report("handler_" + name + "data_lines_beside_stack", SpreadOf(beside), "count");
  Report(name + "truncated", static_cast<double>(g_run.truncated) / drained * 100, "percent");
  const double turns = static_cast<double>(g_run.samples.size() + g_run.empties.size());
  Report(name + "kib_between_samples", g_run.timed_bytes / turns / 1024, "KiB");
  return JNI_FALSE;
}

}  // namespace bench
