// What a dump needs the runtime for: the queue of the main looper and the facts of src/context.
// Context: collector
#pragma once

#include <vector>

#include "src/jvm/pending_queue.h"
#include "src/model/process.h"

namespace stillframe::collector {

struct FromJava {
  jvm::PendingMessages pending;
  std::vector<model::ContextEntry> facts;
};

}  // namespace stillframe::collector
