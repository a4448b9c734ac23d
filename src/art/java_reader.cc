#include "src/art/java_reader.h"

#include <time.h>

#include "src/art/jni_method.h"

namespace stillframe::art {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr size_t kStackBytes = 256U << 10;

}  // namespace

bool JavaReader::Start(JavaVM* vm) {
  vm_ = vm;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&changed_, &clock);
  pthread_condattr_destroy(&clock);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  is_started_ = pthread_create(&thread_, &attributes, RunThread, this) == 0;
  pthread_attr_destroy(&attributes);
  return is_started_;
}

void* JavaReader::RunThread(void* reader) {
  pthread_setname_np(pthread_self(), "stillframe-q");
  static_cast<JavaReader*>(reader)->Loop();
  return nullptr;
}

void JavaReader::Loop() {
  char name[] = "stillframe-q";
  JavaVMAttachArgs arguments = {JNI_VERSION_1_6, name, nullptr};
  void* env = nullptr;
  for (;;) {
    pthread_mutex_lock(&mutex_);
    while (next_ == nullptr) pthread_cond_wait(&changed_, &mutex_);
    const std::shared_ptr<Job> job = next_;
    next_ = nullptr;
    is_busy_ = true;
    pthread_mutex_unlock(&mutex_);
    // Attached only from the first job on: most processes never dump.
    const bool is_attached = env != nullptr || AttachAsDaemon(vm_, &env, &arguments);
    if (is_attached) job->Run(static_cast<JNIEnv*>(env));
    pthread_mutex_lock(&mutex_);
    is_refused_ = !is_attached;
    is_busy_ = false;
    done_ = job.get();
    pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&mutex_);
  }
}

bool JavaReader::Run(const std::shared_ptr<Job>& job, uint32_t timeout_ms, std::string* why) {
  *why = "there is no thread to read it";
  if (!is_started_) return false;
  timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const uint64_t ns = static_cast<uint64_t>(until.tv_nsec) + timeout_ms * kNsPerMs;
  until.tv_sec += static_cast<time_t>(ns / 1'000'000'000U);
  until.tv_nsec = static_cast<long>(ns % 1'000'000'000U);
  *why = "the runtime did not let its reader in within " + std::to_string(timeout_ms) + " ms";
  pthread_mutex_lock(&mutex_);
  if (is_busy_) {
    *why = "its reader has been held up by the runtime since an earlier dump";
    pthread_mutex_unlock(&mutex_);
    return false;
  }
  next_ = job;
  done_ = nullptr;
  pthread_cond_broadcast(&changed_);
  int error = 0;
  while (done_ != job.get() && error == 0) {
    error = pthread_cond_timedwait(&changed_, &mutex_, &until);
  }
  const bool has_ended = done_ == job.get();
  if (!has_ended) next_ = nullptr;  // not begun: it never will
  const bool is_refused = is_refused_;
  pthread_mutex_unlock(&mutex_);
  if (has_ended && is_refused) *why = "the reading thread cannot be attached to the Java VM";
  return has_ended && !is_refused;
}

}  // namespace stillframe::art
