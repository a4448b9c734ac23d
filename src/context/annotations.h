// SPDX-License-Identifier: Apache-2.0
// Annotations of the application: the current scene, and named facts. A fact beyond kMaxEntries
// removes the oldest.
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

  // Sets a fact, or removes it if `value` is null. Long texts are cut between two characters. False
  // if `name` is null or empty.
  bool Set(const char* name, const char* value, uint64_t now_ns);

  // Null: no scene. False if the scene is unchanged; its time then stays too.
  bool SetScene(const char* scene, uint64_t now_ns);

  // A copy, for a dump.
  model::Annotations Read();
  std::string Scene();

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  model::Annotations annotations_;  // under mutex_
};

}  // namespace stillframe::context
