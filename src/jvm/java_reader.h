// SPDX-License-Identifier: Apache-2.0
// A thread that enters the runtime, so that the collector need not wait for it.
//
// Problem: reading Java objects means entering the runtime, which holds a thread at the door while
// it collects garbage or prints traces, and a monitor may be held by the very thread that hangs; a
// dump must wait for neither. Rule: a thread of its own runs the job, and the caller waits a
// bounded time; longer only while the reader is ready to run and has no CPU, which is not the
// runtime's doing. Surviving risk: a job that never ends keeps the thread, and every later one is
// refused.
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

  // Starts the thread, with the caller's signal mask. False when it cannot be created.
  // Context: collector, at start-up
  bool Start(const art::Vm& vm);

  // Ok when `job` ran to its end within `timeout_ms`. If not, the job may run or go on running
  // later: its results must not be looked at.
  model::Outcome Run(const std::shared_ptr<Job>& job, uint32_t timeout_ms);

 private:
  static void* RunThread(void* reader);
  void Loop();

  art::Vm vm_;
  bool is_started_ = false;
  // All below: under mutex_.
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  os::Condition changed_;
  int32_t tid_ = 0;
  std::shared_ptr<Job> next_;
  const Job* done_ = nullptr;  // the last job that ended
  bool is_busy_ = false;       // inside a job
  bool is_refused_ = false;    // the runtime attaches no thread
};

}  // namespace stillframe::jvm
