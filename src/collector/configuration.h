// SPDX-License-Identifier: Apache-2.0
// The settings, between whoever changes them and the collector.
//
// Calls before the start are kept and read with file and environment when it comes; later ones are
// put into a copy that the collector fetches. What is wrong is told in one line of the log each.
// Context: any thread but a signal handler; Take, own: collector
#pragma once

#include <pthread.h>

#include <string>
#include <string_view>
#include <vector>

#include <stillframe/profiler.h>

#include "src/config/config.h"
#include "src/model/process.h"

namespace stillframe::collector {

class Configuration {
 public:
  // Reads all there is; from here on only settings that may change at any time do. Once.
  void Start();

  // OK; BAD_ARGUMENT; TOO_LATE.
  stillframe_status Set(std::string_view name, std::string_view value);

  // Makes what was changed since the collector's own; false when nothing was.
  bool Take();
  // Set by Start, changed by Take.
  const config::Config& own() const { return own_; }

  // A copy of what is wanted.
  config::Config Read();

 private:
  std::vector<model::NamedText> ReadFile(std::vector<std::string>* complaints) const;

  config::Config own_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  // All below: under mutex_.
  std::vector<model::NamedText> calls_;  // before the start
  config::Config config_;
  bool is_started_ = false;
  bool is_changed_ = false;
};

}  // namespace stillframe::collector
