// SPDX-License-Identifier: Apache-2.0
// The C API of the preloaded profiler, for CApi.java and Heartbeats.java. Context: any Java thread,
// and threads that beat
#include <jni.h>
#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include <stillframe/profiler.h>

namespace {

std::atomic<bool> g_engine_ended{false};

uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<uint64_t>(now.tv_nsec);
}

void Beat(void (*work)()) {
  const int begun = stillframe_heartbeat_begin("engine");
  work();
  const int ended = stillframe_heartbeat_end();
  if (begun != 0 || ended != 0) printf("beat %d %d\n", begun, ended);
}

}  // namespace

extern "C" {

[[gnu::noinline, gnu::visibility("default")]] void HeartbeatBurn() {
  const uint64_t end_ns = NowNs() + 2'000'000'000U;
  while (NowNs() < end_ns) continue;
}

[[gnu::noinline, gnu::visibility("default")]] void HeartbeatNap() {
  const timespec two_s{2, 0};
  nanosleep(&two_s, nullptr);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // no tail call
}

// Ends with an open beat.
[[gnu::noinline, gnu::visibility("default")]] void* RunEngine(void* /*unused*/) {
  printf("end without begin %d\n", stillframe_heartbeat_end());
  for (int i = 0; i < 100; ++i) Beat([] {});
  Beat(HeartbeatBurn);
  Beat(HeartbeatNap);
  stillframe_heartbeat_begin(nullptr);
  g_engine_ended.store(true);
  return nullptr;
}

JNIEXPORT void JNICALL Java_Heartbeats_startEngine(JNIEnv*, jclass) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, RunEngine, nullptr) == 0) pthread_detach(thread);
}

JNIEXPORT jboolean JNICALL Java_Heartbeats_hasEngineEnded(JNIEnv*, jclass) {
  return g_engine_ended.load();
}

// Called on a Java thread, with its managed frames around it.
JNIEXPORT void JNICALL Java_Heartbeats_burn(JNIEnv*, jclass) { HeartbeatBurn(); }

JNIEXPORT jint JNICALL Java_Heartbeats_begin(JNIEnv*, jclass) {
  return stillframe_heartbeat_begin("game");
}

JNIEXPORT jint JNICALL Java_Heartbeats_end(JNIEnv*, jclass) { return stillframe_heartbeat_end(); }

JNIEXPORT jstring JNICALL Java_CApi_dump(JNIEnv* env, jclass) {
  char path[512] = "";
  const stillframe_status status = stillframe_dump(path, sizeof path);
  return env->NewStringUTF((std::to_string(status) + " " + path).c_str());
}

JNIEXPORT jint JNICALL Java_CApi_stop(JNIEnv*, jclass) { return stillframe_stop(); }
JNIEXPORT jint JNICALL Java_CApi_resume(JNIEnv*, jclass) { return stillframe_resume(); }

JNIEXPORT jstring JNICALL Java_CApi_state(JNIEnv* env, jclass) {
  return env->NewStringUTF(stillframe_state());
}

}  // extern "C"
