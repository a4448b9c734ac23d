#include "src/jvm/java_reader.h"

#include <unistd.h>

#include "src/art/jni_method.h"
#include "src/os/proc.h"

namespace stillframe::jvm {
namespace {

constexpr size_t kStackBytes = 256U << 10;
// For a reader that has no CPU, so many times so long.
constexpr uint32_t kMoreTimes = 20;
constexpr uint32_t kMoreMs = 10;

}  // namespace

bool JavaReader::Start(JavaVM* vm) {
  vm_ = vm;
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
  pthread_mutex_lock(&mutex_);
  tid_ = gettid();
  for (;;) {
    while (next_ == nullptr) changed_.Wait(&mutex_);
    const std::shared_ptr<Job> job = next_;
    next_ = nullptr;
    is_busy_ = true;
    pthread_mutex_unlock(&mutex_);
    // Attached only from the first job on: most processes never dump.
    const bool is_attached = env != nullptr || art::AttachAsDaemon(vm_, &env, &arguments);
    if (is_attached) job->Run(static_cast<JNIEnv*>(env));
    pthread_mutex_lock(&mutex_);
    is_refused_ = !is_attached;
    is_busy_ = false;
    done_ = job.get();
    changed_.WakeAll();
  }
}

bool JavaReader::Run(const std::shared_ptr<Job>& job, uint32_t timeout_ms, std::string* why) {
  *why = "there is no thread to read it";
  if (!is_started_) return false;
  pthread_mutex_lock(&mutex_);
  if (is_busy_) {
    *why = "its reader has been held up by the runtime since an earlier dump";
    pthread_mutex_unlock(&mutex_);
    return false;
  }
  next_ = job;
  done_ = nullptr;
  changed_.WakeAll();
  const auto is_done = [this, &job] { return done_ == job.get(); };
  bool has_ended = changed_.WaitFor(timeout_ms, &mutex_, is_done);
  for (uint32_t i = 0; !has_ended && i < kMoreTimes && os::SchedulerState(tid_) == 'R'; ++i) {
    has_ended = changed_.WaitFor(kMoreMs, &mutex_, is_done);
  }
  if (!has_ended) next_ = nullptr;  // not begun: it never will
  const bool has_cpu = has_ended || os::SchedulerState(tid_) != 'R';
  const bool is_refused = is_refused_;
  pthread_mutex_unlock(&mutex_);
  if (!has_cpu) {
    *why = "its reader had no CPU";
  } else if (!has_ended) {
    *why = "the runtime did not let its reader in within " + std::to_string(timeout_ms) + " ms";
  } else if (is_refused) {
    *why = "the reading thread cannot be attached to the Java VM";
  }
  return has_ended && !is_refused;
}

}  // namespace stillframe::jvm
