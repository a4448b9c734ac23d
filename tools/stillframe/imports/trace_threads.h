// SPDX-License-Identifier: Apache-2.0
// The threads of a process in the text that ART writes at a SIGQUIT.
#pragma once

#include <string_view>

#include "src/model/thread_stacks.h"
#include "src/trace/frame_table.h"

namespace stillframe::imports {

// All threads with their Java stacks and what they wait for, "main" first; the runtime had
// suspended them, so that each stood still. What is not understood is left out. Source: ART 10 to
// 14, runtime/thread.cc, Thread::DumpState and StackDumpVisitor; runtime/monitor.cc,
// Monitor::DescribeWait.
model::ThreadStacks StacksOfTraces(std::string_view text, trace::FrameTable* frames);

}  // namespace stillframe::imports
