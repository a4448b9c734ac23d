// SPDX-License-Identifier: Apache-2.0
// What the application says about itself: the scene on the screen, and facts by name. Bounded: more
// than kMaxEntries facts push the oldest out.
// Context: any thread but a signal handler
#pragma once

#include <pthread.h>

#include <cstdint>
#include <string>

#include "src/model/process.h"

namespace stillframe::context {

class AnnotationStore {
 public:
  static constexpr size_t kMaxEntries = 32;
  static constexpr size_t kNameBytes = 64;
  static constexpr size_t kValueBytes = 256;

  // Sets a fact, or removes it when `value` is null. Longer texts are truncated between two
  // characters. False for a name that is null or empty.
  bool Set(const char* name, const char* value, uint64_t now_ns);

  // Null is no scene. False when the scene stays the same, and so its time.
  bool SetScene(const char* scene, uint64_t now_ns);

  // A copy, for a dump.
  model::Annotations Read();
  std::string Scene();

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  model::Annotations annotations_;  // under mutex_
};

}  // namespace stillframe::context
