// SPDX-License-Identifier: Apache-2.0
// libbench.so: binds the natives of bench.Natives.
// Context: main thread
#include <jni.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/native/compiled_bench.h"
#include "bench/native/rows.h"
#include "bench/native/sample_bench.h"
#include "bench/native/size_bench.h"
#include "bench/native/slowdown_bench.h"
#include "bench/native/tap_bench.h"
#include "src/core/clock.h"
#include "tests/testbed/native/register_natives.h"

namespace bench {
namespace {

void Spin(JNIEnv*, jclass, jlong microseconds) {
  const uint64_t end_ns =
      stillframe::core::MonotonicNs() + static_cast<uint64_t>(microseconds) * 1'000;
  while (stillframe::core::MonotonicNs() < end_ns) {
  }
}

void Empty(JNIEnv*, jclass) {}

constexpr unsigned long kJavaHeapEnd = 1UL << 32;

// Pages that only this process has, apart from the Java heap, whose size is the collector's choice.
// ART keeps it below 4 GiB, where nothing else is mapped: references are 32 bits (ART 11
// runtime/gc/heap.cc).
void ReportMemory(JNIEnv*, jclass) {
  FILE* maps = fopen("/proc/self/smaps", "r");
  if (maps == nullptr) Fail("no /proc/self/smaps");
  char line[4096];
  bool is_java = false;
  long native_kib = 0;
  long java_kib = 0;
  while (fgets(line, sizeof line, maps) != nullptr) {
    long kib = 0;
    unsigned long begin = 0;
    unsigned long end = 0;
    if (sscanf(line, "Private_Clean: %ld", &kib) == 1 ||
        sscanf(line, "Private_Dirty: %ld", &kib) == 1) {
      (is_java ? java_kib : native_kib) += kib;
    } else if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) {
      is_java = end <= kJavaHeapEnd;
    }
  }
  fclose(maps);
  Report("private_native_kib", static_cast<double>(native_kib), "KiB");
  Report("private_java_kib", static_cast<double>(java_kib), "KiB");
}

}  // namespace
}  // namespace bench

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using testbed::Native;
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const bool registered = testbed::RegisterNatives(
      env, "bench/Natives",
      {Native("prepareSampler", "()V", bench::PrepareSampler),
       Native("measureSamples", "(IZ)V", bench::MeasureSamples),
       Native("installCompiled", "(Ljava/lang/Class;)V", bench::InstallCompiled),
       Native("startCallers", "()V", bench::StartCallers),
       Native("reportGaps", "(I[JI)V", bench::ReportGaps),
       Native("sample", "()V", bench::TakeSample), Native("endTree", "()V", bench::EndTree),
       Native("reportSizes", "()V", bench::ReportSizes),
       Native("prepareTaps", "(ZZ)V", bench::PrepareTaps),
       Native("blockBegins", "()V", bench::BlockBegins),
       Native("blockEnds", "(I)Z", bench::BlockEnds),
       Native("reportMemory", "()V", bench::ReportMemory), Native("spin", "(J)V", bench::Spin),
       Native("slowdownPairs", "()I", bench::SlowdownPairs),
       Native("setSampling", "(Z)V", bench::SetSampling),
       Native("threadCpuNs", "()J", bench::ThreadCpuNs),
       Native("reportSlowdown", "([J[JJ)V", bench::ReportSlowdown),
       Native("emptyStarting", "()V", bench::Empty),
       Native("emptyDispatched", "()V", bench::Empty)});
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
