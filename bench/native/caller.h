// SPDX-License-Identifier: Apache-2.0
// A second thread that takes the main thread's stack from outside, by Thread.getStackTrace and by
// the usual steps: suspend by thread id, StackVisitor, PrettyMethod for each frame, resume.
// Context: main thread, but for the thread itself
#pragma once

#include <jni.h>

#include <cstdint>
#include <vector>

#include "tests/testbed/oracle/art_oracle.h"

namespace bench {

enum class Way { kGetStackTrace, kSuspendWalk };

struct Call {
  Way way;
  uint64_t begin_ns;  // CLOCK_MONOTONIC
  uint64_t end_ns;
};

class Caller {
 public:
  // `main_thread`: the calling thread as java.lang.Thread. Both must belong to `env`'s thread.
  void Open(JNIEnv* env, jobject main_thread);

  // Makes `calls` calls from a second thread while this one waits in native code. Returns the
  // median of their durations in nanoseconds. Each stack must have `depth` frames.
  double CallParked(Way way, int calls, uint32_t depth);

  // Starts `calls` calls by each method, `pause_us` apart. Sets `done` to true after the last.
  void StartSpaced(int calls, uint32_t pause_us, jclass holder, jfieldID done);
  // Waits until StartSpaced's calls are done.
  std::vector<Call> TakeSpaced();

 private:
  struct Work;
  void Begin(Work* work);
  void Finish();
  static void* RunThread(void* caller);
  void Serve(JNIEnv* env);
  void RunOne(JNIEnv* env, Way way, uint32_t depth, std::vector<Call>* calls) const;

  JavaVM* vm_ = nullptr;
  jobject main_thread_ = nullptr;
  jmethodID get_stack_trace_ = nullptr;
  testbed::ArtOracle oracle_;
  uint32_t main_id_ = 0;

  Work* work_ = nullptr;  // owned if not null; caller.cc says who waits for whom
  struct Signals;
  Signals* signals_ = nullptr;
};

}  // namespace bench
