// SPDX-License-Identifier: Apache-2.0
// Which idle handler a stack is in: handlers that follow each other are one segment of the dump.
#pragma once

#include <span>
#include <string>

#include "src/trace/frame_table.h"
#include "src/trace/trace_tree.h"

namespace stillframe::index {

// CLASS.METHOD, clean text, of the outermost method of the application that MessageQueue.next calls
// in this stack, which is outermost first; the outermost at all where none is the application's. ""
// when it calls none, or the loop inside it is in another call.
std::string IdleHandlerOf(const trace::FrameTable& frames, std::span<const trace::FrameId> stack);

// Of the newest sample; "" without samples.
std::string NewestIdleHandler(const trace::FrameTable& frames, const trace::TraceTree* tree);

}  // namespace stillframe::index
