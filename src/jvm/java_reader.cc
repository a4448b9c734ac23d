// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/java_reader.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "arch/arch.h"
#include "src/os/proc.h"

namespace stillframe::jvm {
namespace {

using model::Outcome;
using model::Status;

constexpr const char* kThreadName = "stillframe-q";
constexpr size_t kStackBytes = 256U << 10;
// Extra waits for a reader that has no CPU.
constexpr uint32_t kMaxExtraWaits = 20;
constexpr uint32_t kExtraWaitMs = 10;

// ART aborts the process if it has no memory for a thread that attaches. This thread's allocator
// may still have some that the other cannot get, so probe the kernel.
bool HasMemory() {
  constexpr size_t kBytes = 1U << 20;
  void* probe = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return probe != MAP_FAILED && munmap(probe, kBytes) == 0;
}

}  // namespace

bool JavaReader::Start(const art::Vm& vm) {
  vm_ = vm;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  is_started_ = pthread_create(&thread, &attributes, RunThread, this) == 0;
  pthread_attr_destroy(&attributes);
  return is_started_;
}

void* JavaReader::RunThread(void* reader) {
  pthread_setname_np(pthread_self(), kThreadName);
  // The collector, its creator, has tag checks off. Code of the application runs here too.
  arch::TagChecks::SwitchOn();
  static_cast<JavaReader*>(reader)->Loop();
  return nullptr;
}

void JavaReader::Loop() {
  waker_.Start();
  pthread_mutex_lock(&mutex_);
  tid_ = gettid();
  for (;;) {
    while (next_ == nullptr) {
      pthread_mutex_unlock(&mutex_);
      core::Waker::Await(nullptr);
      pthread_mutex_lock(&mutex_);
    }
    const std::shared_ptr<Job> job = next_;
    next_ = nullptr;
    is_busy_ = true;
    pthread_mutex_unlock(&mutex_);
    // Attached only for a job: while idle the runtime does not know this thread.
    const art::AttachedThread thread = vm_.AttachThread(kThreadName);
    if (thread.is_attached()) {
      job->Run(thread.env());
      vm_.DetachThread();
    }
    pthread_mutex_lock(&mutex_);
    is_refused_ = !thread.is_attached();
    is_busy_ = false;
    done_ = job.get();
    changed_.WakeAll();
  }
}

Outcome JavaReader::Run(const std::shared_ptr<Job>& job, uint32_t timeout_ms) {
  if (!is_started_) return {Status::kUnavailable, "the thread that reads it was not started"};
  if (!HasMemory()) return {Status::kUnavailable, "the process is out of memory"};
  pthread_mutex_lock(&mutex_);
  if (is_busy_) {
    pthread_mutex_unlock(&mutex_);
    return {Status::kBusy, "its reader has been held up by the runtime since an earlier dump"};
  }
  next_ = job;
  done_ = nullptr;
  waker_.Wake();
  const auto is_done = [this, &job] { return done_ == job.get(); };
  bool has_ended = changed_.WaitFor(timeout_ms, &mutex_, is_done);
  for (uint32_t i = 0; !has_ended && i < kMaxExtraWaits && os::SchedulerState(tid_) == 'R'; ++i)
    has_ended = changed_.WaitFor(kExtraWaitMs, &mutex_, is_done);
  if (!has_ended) next_ = nullptr;  // if not yet begun, it never begins
  const bool has_cpu = has_ended || os::SchedulerState(tid_) != 'R';
  const bool is_refused = is_refused_;
  pthread_mutex_unlock(&mutex_);
  if (!has_cpu) return {Status::kTimedOut, "its reader had no CPU"};
  if (!has_ended) {
    return {Status::kTimedOut,
            "the runtime did not let its reader in within " + std::to_string(timeout_ms) + " ms"};
  }
  if (is_refused) return {Status::kRefused, "the reading thread cannot be attached to the Java VM"};
  return {};
}

}  // namespace stillframe::jvm
