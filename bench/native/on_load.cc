// SPDX-License-Identifier: Apache-2.0
// libbench.so: binds the natives of bench.Natives.
// Context: main thread
#include <dlfcn.h>
#include <jni.h>

#include "bench/native/compiled_bench.h"
#include "bench/native/in_situ_bench.h"
#include "bench/native/look_up_bench.h"
#include "bench/native/owned_memory.h"
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

void ReportMemory(JNIEnv*, jclass) {
  const auto read =
      reinterpret_cast<BenchReadOwnedMemory>(dlsym(RTLD_DEFAULT, "bench_read_owned_memory"));
  if (read == nullptr) Fail("owned_memory.so is not preloaded");
  const bench_owned_memory owned = read();
  if (!owned.is_known) Fail("the profiler is not preloaded");
  const auto report = [](const char* name, size_t bytes) {
    Report(name, static_cast<double>(bytes) / 1024, "KiB");
  };
  report("resident_heap_kib", owned.heap_bytes);
  report("resident_mapped_kib", owned.mapped_bytes);
  report("resident_stack_kib", owned.stack_bytes);
  report("resident_data_kib", owned.data_bytes);
  report("resident_kib",
         owned.heap_bytes + owned.mapped_bytes + owned.stack_bytes + owned.data_bytes);
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
       Native("measureDeep", "(ILjava/lang/String;)V", bench::MeasureDeep),
       Native("loadLibraries", "(Ljava/lang/String;)V", bench::LoadLibraries),
       Native("startInSitu", "(I)V", bench::StartInSitu),
       Native("inSituGoesOn", "(JLjava/lang/String;)Z", bench::InSituGoesOn),
       Native("measureLookUps", "()V", bench::MeasureLookUps),
       Native("installCompiled", "(Ljava/lang/Class;)V", bench::InstallCompiled),
       Native("startCallers", "()V", bench::StartCallers),
       Native("reportGaps", "(I[JI)V", bench::ReportGaps),
       Native("sample", "()V", bench::TakeSample),
       Native("endTree", "()V", bench::EndTree),
       Native("reportSizes", "()V", bench::ReportSizes),
       Native("prepareTaps", "(Ljava/lang/String;)V", bench::PrepareTaps),
       Native("blockBegins", "()V", bench::BlockBegins),
       Native("blockEnds", "(I)Z", bench::BlockEnds),
       Native("reportMemory", "()V", bench::ReportMemory),
       Native("spin", "(J)V", bench::Spin),
       Native("slowdownRounds", "()I", bench::SlowdownRounds),
       Native("setSampling", "(Z)V", bench::SetSampling),
       Native("setEmptySignals", "(Z)V", bench::SetEmptySignals),
       Native("threadCpuNs", "()J", bench::ThreadCpuNs),
       Native("reportSlowdown", "([J[J[JJ)V", bench::ReportSlowdown),
       Native("emptyStarting", "()V", bench::Empty),
       Native("emptyDispatched", "()V", bench::Empty)});
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
