// SPDX-License-Identifier: Apache-2.0
// What the thread did in each sample of a tree, in order: the page's track of states.
#pragma once

#include <string>

#include "src/model/message.h"
#include "tools/stillframe/index/dump_index.h"

namespace stillframe::render {

// One character a sample. The thread's state as trace::ThreadState numbers it, but for what more is
// known: '9' for a thread that was ready to run and got no CPU for most of the sample's time, 'a'
// for a call of another process, 'b' for input or output, 'c' for a process that was not run. The
// page's names for them are in tools/page/src/palette.ts.
std::string PageStates(const index::DumpIndex& index, const trace::TraceTree& tree);

}  // namespace stillframe::render
