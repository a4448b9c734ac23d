// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/java_reader.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>

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

void* JavaReader::RunThread(void* reader) {
  pthread_setname_np(pthread_self(), kThreadName);
  // The collector, its creator, has tag checks off. Code of the application runs here too.
  arch::TagChecks::SwitchOn();
  static_cast<JavaReader*>(reader)->RunJob();
  return nullptr;
}

void JavaReader::RunJob() {
  pthread_mutex_lock(&mutex_);
  tid_ = gettid();
  const std::shared_ptr<Job> job = std::move(next_);
  next_ = nullptr;
  pthread_mutex_unlock(&mutex_);
  bool is_refused = false;
  if (job != nullptr) {
    const art::AttachedThread thread = vm_.AttachThread(kThreadName);
    is_refused = !thread.is_attached();
    if (!is_refused) {
      job->Run(thread.env());
      vm_.DetachThread();
    }
  }
  const os::MutexLock lock(&mutex_);
  is_refused_ = is_refused;
  is_busy_ = false;
  done_ = job.get();
  changed_.WakeAll();
}

bool JavaReader::StartThread() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const bool is_started = pthread_create(&thread, &attributes, RunThread, this) == 0;
  if (is_started) pthread_detach(thread);
  pthread_attr_destroy(&attributes);
  return is_started;
}

Outcome JavaReader::Run(const std::shared_ptr<Job>& job, uint32_t timeout_ms) {
  if (!vm_.exists()) return {Status::kUnavailable, "there is no Java VM"};
  if (!HasMemory()) return {Status::kUnavailable, "the process is out of memory"};
  pthread_mutex_lock(&mutex_);
  if (is_busy_) {
    pthread_mutex_unlock(&mutex_);
    return {Status::kBusy, "its reader has been held up by the runtime since an earlier dump"};
  }
  next_ = job;
  done_ = nullptr;
  tid_ = 0;
  is_busy_ = StartThread();
  if (!is_busy_) {
    next_ = nullptr;
    pthread_mutex_unlock(&mutex_);
    return {Status::kUnavailable, "the thread that reads it could not be started"};
  }
  // One that has not begun is ready to run.
  const auto has_no_cpu = [this] { return tid_ == 0 || os::SchedulerState(tid_) == 'R'; };
  const auto is_done = [this, &job] { return done_ == job.get(); };
  bool has_ended = changed_.WaitFor(timeout_ms, &mutex_, is_done);
  for (uint32_t i = 0; !has_ended && i < kMaxExtraWaits && has_no_cpu(); ++i)
    has_ended = changed_.WaitFor(kExtraWaitMs, &mutex_, is_done);
  if (!has_ended) next_ = nullptr;  // if not yet begun, it never begins
  const bool has_cpu = has_ended || !has_no_cpu();
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
