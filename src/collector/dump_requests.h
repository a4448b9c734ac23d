// SPDX-License-Identifier: Apache-2.0
// Lets other threads wait for the end of start-up, and for dumps they requested.
//
// Requests have numbers. A dump answers all requests made before it began.
// Context: Ask, WaitForStartUp: any thread but the collector and signal handlers; they block.
// All else: collector
#pragma once

#include <pthread.h>

#include <cstdint>
#include <optional>
#include <string>

#include <stillframe/profiler.h>

#include "src/collector/collector_sleep.h"
#include "src/model/values.h"
#include "src/os/condition.h"

namespace stillframe::collector {

// Paths of the newest files of one kind, dumps or records, for waiting threads. Numbers start at 1.
// Context: any thread but a signal handler; Add: collector
class FileNews {
 public:
  static constexpr uint32_t kKept = 8;

  void Add(const std::string& path);
  // Number of the newest; 0: none.
  uint32_t Newest();
  // Waits for the file of this number. OK; TIMED_OUT; BAD_ARGUMENT: number 0, or no longer kept.
  stillframe_status Await(uint32_t number, uint32_t timeout_ms, std::string* path);

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  os::Condition changed_;
  // Under mutex_.
  uint32_t newest_ = 0;
  std::string paths_[kKept];
};

class DumpRequests {
 public:
  struct Request {
    uint32_t number;
    model::Trigger trigger;
  };

  // False if it did not end in time.
  bool WaitForStartUp(uint32_t timeout_ms);
  void EndStartUp();

  // Requests a dump, wakes `collector`, and waits. `*path`: the dump's, if answered in time.
  stillframe_status Ask(model::Trigger trigger, uint32_t timeout_ms,
                        const CollectorSleep& collector, std::string* path);
  // The newest unanswered request.
  std::optional<Request> Next();
  // Answers `request` and all before it.
  void Answer(const Request& request, stillframe_status status, const std::string& path);

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  os::Condition changed_;
  // All below: under mutex_.
  bool has_started_up_ = false;
  uint32_t requested_ = 0;
  uint32_t served_ = 0;
  model::Trigger trigger_ = model::Trigger::kApi;  // of the newest request
  stillframe_status status_ = STILLFRAME_OK;       // of the newest answer, like path_
  std::string path_;
};

}  // namespace stillframe::collector
