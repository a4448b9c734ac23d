// SPDX-License-Identifier: Apache-2.0
// Threads that enter the runtime, so that the collector need not wait for it.
//
// Problem: reading Java objects means entering the runtime. It blocks a thread there while it
// collects garbage or prints traces, and the hung thread itself may hold a monitor. A dump must
// wait for neither.
// Rule: each job has a thread of its own, and the caller waits a bounded time. It waits longer only
// while the reader is ready to run but has no CPU, since then the runtime is not the cause. The
// thread ends with its job, because the system's traces unwind every thread that exists.
// Remaining risk: a job that never ends keeps its thread, and all later jobs are rejected.
// Context: Run: one thread at a time
#pragma once

#include <jni.h>
#include <pthread.h>

#include <cstdint>
#include <memory>

#include "src/art/vm.h"
#include "src/model/outcome.h"
#include "src/os/condition.h"

namespace stillframe::jvm {

class JavaReader {
 public:
  class Job {
   public:
    virtual ~Job() = default;
    virtual void Run(JNIEnv* env) = 0;
  };

  // Context: collector, at start-up
  void Start(const art::Vm& vm) { vm_ = vm; }

  // Ok if `job` ended within `timeout_ms`. Otherwise it may still be running: do not read its
  // results. Its thread has the caller's signal mask.
  model::Outcome Run(const std::shared_ptr<Job>& job, uint32_t timeout_ms);

 private:
  static void* RunThread(void* reader);
  bool StartThread();
  void RunJob();

  art::Vm vm_;
  // All below: under mutex_.
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  os::Condition changed_;
  int32_t tid_ = 0;  // of the job's thread; 0: it has not begun
  std::shared_ptr<Job> next_;
  const Job* done_ = nullptr;  // the last job that ended
  bool is_busy_ = false;       // a job has a thread
  bool is_refused_ = false;    // the runtime rejected the thread
};

}  // namespace stillframe::jvm
