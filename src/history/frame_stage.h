// SPDX-License-Identifier: Apache-2.0
// What a frame of the Choreographer was busy with.
#pragma once

#include <string_view>

#include "src/model/values.h"
#include "src/trace/frame_table.h"
#include "src/trace/trace_tree.h"

namespace stillframe::history {

// Whether a message with this callback is a frame (AOSP 8-14, core/java/android/view/
// Choreographer.java, FrameDisplayEventReceiver).
bool IsFrameCallback(std::string_view callback);

// The stage in which most of the tree's time went; kNone when the tree has no frame of the
// Choreographer.
model::FrameStage StageOf(const trace::TraceTree& tree, const trace::FrameTable& frames);

}  // namespace stillframe::history
