// SPDX-License-Identifier: Apache-2.0
// The summary of this process: stillframe-session-ID.json in the dump folder. Its numbers give
// rates where records give only counts, and it says where the sampler stayed off.
//
// It is replaced after half a second, then after each twelfth of the process's age, at least each
// minute. In the background nothing wakes the collector for it. Until it is closed it uses at most
// half of the day's bytes.
#pragma once

#include <pthread.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "src/context/annotations.h"
#include "src/context/identity.h"
#include "src/dump/session_record.h"
#include "src/jank/spool.h"
#include "src/model/system_exit.h"
#include "src/settings/config.h"

namespace stillframe::jank {

class SessionFile {
 public:
  // All must outlive this.
  struct Setup {
    const settings::Config* config;
    const context::Identity* identity;
    context::AnnotationStore* annotations;
    // Sets what other parts count. False: messages are not watched now.
    bool (*read)(void* source, dump::Session* session) = nullptr;
    void* source = nullptr;
    const char* group = "";
    // Called after each write of a record's file; may be null.
    void (*written)(void* argument, const std::string& path) = nullptr;
    void* argument = nullptr;
  };
  // Closes the files of killed processes, those that are still ending at the first write.
  // `now_ns`: CLOCK_MONOTONIC, as below.
  void Start(const Setup& setup, uint64_t now_ns);

  // A message of `work_ns` ended. `is_jank`: it counts as one.
  void Count(uint64_t work_ns, bool is_slow, bool is_jank);

  // The hang that runs has taken `ms` so far; 0: none counts.
  void SetRunning(uint64_t ms) { running_ms_ = ms; }

  // An earlier process ended like this: Serve joins it with its record. Any thread; locks.
  void AddExit(model::SystemExit exit);

  // Writes what is due. Returns nanoseconds until the next write; UINT64_MAX: none waits.
  uint64_t Serve(uint64_t now_ns);
  // Writes for the last time. `ended`: see dump::Session.
  void Close(uint64_t now_ns, const char* ended);

 private:
  static constexpr size_t kBuckets = 12;
  static constexpr uint32_t kFirstBucketMs = 32;

  bool IsWanted() const;
  void Advance(uint64_t now_ns);
  SpoolResult Write(const char* ended);
  bool JoinExits();
  uint64_t ServeSession(uint64_t now_ns);

  Setup setup_ = {};
  dump::Session session_;
  std::array<uint64_t, kBuckets> buckets_ms_ = {};
  uint64_t running_ms_ = 0;
  uint64_t started_ns_ = 0;
  uint64_t last_ns_ = 0;  // of Advance
  uint64_t due_ns_ = 0;
  bool is_foreground_ = false;
  bool is_watched_ = false;
  bool is_closed_ = false;
  pthread_mutex_t exits_mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::vector<model::SystemExit> exits_;  // to be joined; under the mutex
  bool looks_again_ = false;              // files of a process that may have been about to end
};

}  // namespace stillframe::jank
