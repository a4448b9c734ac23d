// SPDX-License-Identifier: Apache-2.0
// C API of the process's collector.
#include <pthread.h>
#include <string.h>

#include <string>

#include "src/collector/process.h"
#include "src/entry/java_facade.h"
#include "src/os/condition.h"
#include "src/settings/cohort.h"

namespace collector = stillframe::collector;

namespace {

constexpr uint32_t kDumpTimeoutMs = 5'000;

void Copy(const std::string& text, char* to, size_t bytes) {
  if (to == nullptr || bytes == 0) return;
  strncpy(to, text.c_str(), bytes - 1);
  to[bytes - 1] = '\0';
}

using AwaitFunction = stillframe_status (*)(uint32_t number, uint32_t timeout_ms,
                                            std::string* path);

stillframe_status Await(AwaitFunction await, unsigned number, unsigned timeout_ms, char* path,
                        size_t path_bytes) {
  std::string written;
  const stillframe_status status = await(number, timeout_ms, &written);
  Copy(written, path, path_bytes);
  return status;
}

struct RecordListener {
  void (*listener)(const char*, void*);
  void* argument;
  uint32_t known;
};

void* ReportRecords(void* listener_argument) {
  const auto* to = static_cast<RecordListener*>(listener_argument);
  for (uint32_t number = to->known + 1;; ++number) {
    std::string path;
    stillframe_status status;
    do {
      status = collector::AwaitRecord(number, UINT32_MAX, &path);
    } while (status == STILLFRAME_TIMED_OUT);
    if (status == STILLFRAME_OK)
      to->listener(path.c_str(), to->argument);
    else
      number = collector::NewestRecord() - 1;  // this reader was too slow
  }
  return nullptr;
}

}  // namespace

extern "C" {

stillframe_status stillframe_start(void) { return collector::StartInProcess(); }
stillframe_status stillframe_wait(unsigned timeout_ms) {
  return collector::WaitForStart(timeout_ms);
}
stillframe_status stillframe_stop(void) { return collector::StopSampling(); }
stillframe_status stillframe_resume(void) { return collector::ResumeSampling(); }
stillframe_status stillframe_watch_looper(void) { return collector::WatchThisLooper(); }
stillframe_status stillframe_heartbeat_begin(const char* name) {
  return collector::BeginBeat(name);
}
stillframe_status stillframe_heartbeat_end(void) { return collector::EndBeat(); }
const char* stillframe_state(void) { return collector::StateText(); }
const char* stillframe_group(void) { return collector::Group(); }
const char* stillframe_version(void) { return STILLFRAME_VERSION; }

stillframe_status stillframe_dump(char* path, size_t path_bytes) {
  std::string written;
  const stillframe_status status = collector::DumpOnRequest(kDumpTimeoutMs, &written);
  Copy(written, path, path_bytes);
  return status;
}

unsigned stillframe_newest_dump(void) { return collector::NewestDump(); }

stillframe_status stillframe_await_dump(unsigned number, char* path, size_t path_bytes,
                                        unsigned timeout_ms) {
  return Await(collector::AwaitDump, number, timeout_ms, path, path_bytes);
}

unsigned stillframe_newest_record(void) { return collector::NewestRecord(); }

stillframe_status stillframe_await_record(unsigned number, char* path, size_t path_bytes,
                                          unsigned timeout_ms) {
  return Await(collector::AwaitRecord, number, timeout_ms, path, path_bytes);
}

stillframe_status stillframe_on_record(void (*listener)(const char*, void*), void* argument) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static RecordListener* only = nullptr;  // under the mutex
  if (listener == nullptr) return STILLFRAME_BAD_ARGUMENT;
  const stillframe::os::MutexLock lock(&mutex);
  if (only != nullptr) return STILLFRAME_TOO_MANY;
  auto* fresh = new RecordListener{listener, argument, collector::NewestRecord()};
  pthread_t thread;
  if (pthread_create(&thread, nullptr, ReportRecords, fresh) != 0) {
    delete fresh;
    return STILLFRAME_NO_THREAD;
  }
  pthread_detach(thread);
  only = fresh;
  return STILLFRAME_OK;
}

stillframe_status stillframe_bind_java(void* jni_env) {
  return jni_env != nullptr && stillframe::entry::BindFacade(static_cast<JNIEnv*>(jni_env))
             ? STILLFRAME_OK
             : STILLFRAME_BAD_ARGUMENT;
}

stillframe_status stillframe_configure(const char* name, const char* value) {
  return collector::Configure(name, value);
}

stillframe_status stillframe_configure_document(const char* document, size_t bytes) {
  if (document == nullptr) return STILLFRAME_BAD_ARGUMENT;
  return collector::ConfigureDocument({document, bytes});
}

stillframe_status stillframe_identify(const char* install_id, long long version_code) {
  return collector::Identify(install_id, version_code);
}

stillframe_status stillframe_annotate(const char* name, const char* value) {
  return collector::Annotate(name, value);
}

int stillframe_is_enrolled(const char* install_id, const char* salt, double percent) {
  namespace settings = stillframe::settings;
  const uint32_t places = settings::PlacesOf(percent);
  if (install_id == nullptr || salt == nullptr || places > settings::kPlaces) return 0;
  return settings::PlaceOf(install_id, salt) < places ? 1 : 0;
}

stillframe_status stillframe_set_scene(const char* scene) { return collector::SetScene(scene); }

}  // extern "C"
