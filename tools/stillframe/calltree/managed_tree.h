// SPDX-License-Identifier: Apache-2.0
// Trees without their native frames, which stand at the innermost end of stacks.
#pragma once

#include "src/trace/frame_table.h"
#include "src/trace/trace_tree.h"

namespace stillframe::calltree {

bool HasNativeFrames(const trace::FrameTable& frames, const trace::TraceTree& tree);

// The same samples on stacks of methods alone.
trace::TraceTree WithoutNativeFrames(const trace::FrameTable& frames, const trace::TraceTree& tree);

}  // namespace stillframe::calltree
