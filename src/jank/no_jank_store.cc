// SPDX-License-Identifier: Apache-2.0
// A build without records of janks: all have been written at once.
#include "src/jank/jank_store.h"
#include "src/os/log.h"

namespace stillframe::jank {

void JankStore::Start(const Setup& setup) {
  setup_ = setup;
  if (setup.config->janks) os::Log("this build of the profiler writes no records of janks");
}

void JankStore::Heard(void*, const history::EndedJank&) {}

uint64_t JankStore::Serve(uint64_t) {
  rounds_.fetch_add(1, std::memory_order_release);
  return UINT64_MAX;
}

void JankStore::Describe(std::vector<model::NamedCount>*) const {}

}  // namespace stillframe::jank
