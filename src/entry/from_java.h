// What a dump needs the runtime for: the queue of the main looper and the facts of src/context.
// Context: collector
#pragma once

#include <vector>

#include "src/dump/document.h"
#include "src/looper/pending_queue.h"

namespace stillframe::entry {

struct FromJava {
  looper::PendingMessages pending;
  std::vector<dump::ContextEntry> facts;
};

}  // namespace stillframe::entry
