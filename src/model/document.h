// SPDX-License-Identifier: Apache-2.0
// A dump with its trees: returned by the reader, rendered by the host tools.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/dump.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::model {

struct Document : Dump {
  uint16_t format_version = 0;
  model::FrameTable frames;
  std::vector<model::TraceTree> trees;  // each with the token of its message; at most one per token
  std::vector<model::TraceTree> thread_trees;  // of other_threads; their tokens are of no message
  // Not empty if the input was truncated or damaged: one line per damage, with the offset. What was
  // read before is kept.
  std::vector<std::string> damage;
};

}  // namespace stillframe::model
