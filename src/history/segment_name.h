// SPDX-License-Identifier: Apache-2.0
// Names a segment of the main thread by its stacks.
#pragma once

#include "src/model/frame_table.h"
#include "src/model/segment.h"
#include "src/model/trace_tree.h"

namespace stillframe::history {

// The kind with most of the tree's time. The method is the application's outermost above the loop
// method that gives the kind, otherwise the outermost of all. `around`: number of known messages
// that were running loops of their own (core::MessageSlot::around).
model::Segment NameOfSegment(const model::TraceTree& tree, const model::FrameTable& frames,
                             uint32_t around);

}  // namespace stillframe::history
