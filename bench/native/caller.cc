// SPDX-License-Identifier: Apache-2.0
// The thread that requests the main thread's stack, and the resulting gaps in the main thread.
#include "bench/native/caller.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <string>

#include "bench/native/rows.h"
#include "src/core/clock.h"

namespace bench {

using stillframe::core::MonotonicNs;

// The second thread's work. That thread owns it from `start` to `done`, the main thread otherwise.
struct Caller::Work {
  std::vector<Way> ways;
  int calls = 0;
  uint32_t pause_us = 0;
  uint32_t depth = 0;  // 0: any depth
  jclass holder = nullptr;
  jfieldID done = nullptr;
  std::vector<Call> made;
};

struct Caller::Signals {
  sem_t start;
  sem_t done;
};

void Caller::Open(JNIEnv* env, jobject main_thread) {
  env->GetJavaVM(&vm_);
  if (!oracle_.Open(vm_)) Fail("no thread list in this runtime");
  main_id_ = testbed::ArtOracle::IdOf(testbed::ArtOracle::ThreadOf(env));
  main_thread_ = env->NewGlobalRef(main_thread);
  get_stack_trace_ = env->GetMethodID(env->GetObjectClass(main_thread), "getStackTrace",
                                      "()[Ljava/lang/StackTraceElement;");
  if (get_stack_trace_ == nullptr) Fail("no Thread.getStackTrace");
  signals_ = new Signals;
  sem_init(&signals_->start, 0, 0);
  sem_init(&signals_->done, 0, 0);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, RunThread, this) != 0) Fail("no second thread");
  pthread_detach(thread);
}

void* Caller::RunThread(void* caller) {
  auto* self = static_cast<Caller*>(caller);
  JNIEnv* env = nullptr;
  if (self->vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env), nullptr) != JNI_OK)
    Fail("the second thread cannot be attached");
  self->Serve(env);
  return nullptr;
}

void Caller::Serve(JNIEnv* env) {
  for (;;) {
    while (sem_wait(&signals_->start) != 0) {
    }
    for (int i = 0; i < work_->calls; ++i) {
      for (const Way way : work_->ways) {
        if (work_->pause_us != 0) {
          const timespec pause{0, static_cast<long>(work_->pause_us) * 1000};
          nanosleep(&pause, nullptr);
        }
        RunOne(env, way, work_->depth, &work_->made);
      }
    }
    if (work_->done != nullptr) env->SetStaticBooleanField(work_->holder, work_->done, JNI_TRUE);
    sem_post(&signals_->done);
  }
}

void Caller::RunOne(JNIEnv* env, Way way, uint32_t depth, std::vector<Call>* calls) const {
  uint32_t frames = 0;
  const uint64_t begin_ns = MonotonicNs();
  uint64_t end_ns = 0;
  if (way == Way::kGetStackTrace) {
    const auto elements =
        static_cast<jobjectArray>(env->CallObjectMethod(main_thread_, get_stack_trace_));
    end_ns = MonotonicNs();
    if (elements == nullptr) Fail("getStackTrace failed");
    frames = static_cast<uint32_t>(env->GetArrayLength(elements));
    env->DeleteLocalRef(elements);
  } else {
    void* thread = oracle_.SuspendById(main_id_);
    if (thread == nullptr) Fail("the main thread cannot be suspended");
    std::vector<std::string> names;
    for (const auto& frame : testbed::ArtOracle::WalkByStackVisitor(thread))
      names.push_back(testbed::ArtOracle::PrettyMethod(frame.method));
    oracle_.Resume(thread);
    end_ns = MonotonicNs();
    frames = static_cast<uint32_t>(names.size());
  }
  if (depth != 0 && frames != depth) {
    Fail("a stack from outside has " + std::to_string(frames) + " frames and not " +
         std::to_string(depth));
  }
  calls->push_back({way, begin_ns, end_ns});
}

void Caller::Begin(Work* work) {
  work->made.reserve(work->ways.size() * static_cast<size_t>(work->calls));
  work_ = work;
  sem_post(&signals_->start);
}

void Caller::Finish() {
  while (sem_wait(&signals_->done) != 0) {
  }
}

double Caller::CallParked(Way way, int calls, uint32_t depth) {
  Work work;
  work.ways = {way};
  work.calls = calls;
  work.depth = depth;
  Begin(&work);
  Finish();
  std::vector<double> durations;
  for (const Call& call : work.made)
    durations.push_back(static_cast<double>(call.end_ns - call.begin_ns));
  return SpreadOf(std::move(durations)).median;
}

void Caller::StartSpaced(int calls, uint32_t pause_us, jclass holder, jfieldID done) {
  auto* work = new Work;
  work->ways = {Way::kGetStackTrace, Way::kSuspendWalk};
  work->calls = calls;
  work->pause_us = pause_us;
  work->holder = holder;
  work->done = done;
  Begin(work);
}

std::vector<Call> Caller::TakeSpaced() {
  Finish();
  std::vector<Call> calls = std::move(work_->made);
  delete work_;
  work_ = nullptr;
  return calls;
}

}  // namespace bench
