// SPDX-License-Identifier: Apache-2.0
// What the main thread did in a segment, by its stacks.
#pragma once

#include "src/model/frame_table.h"
#include "src/model/segment.h"
#include "src/model/trace_tree.h"

namespace stillframe::history {

// The kind that most of the tree's time is of, and the outermost method of the application above
// what makes it that kind; where there is none, the outermost at all. `around`: the messages that
// were seen to begin and ran loops of their own then (core::MessageSlot::around).
model::Segment NameOfSegment(const model::TraceTree& tree, const model::FrameTable& frames,
                             uint32_t around);

}  // namespace stillframe::history
