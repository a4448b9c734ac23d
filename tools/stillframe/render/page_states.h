// SPDX-License-Identifier: Apache-2.0
// The thread's state in each sample of a tree: the page's track of states.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::render {

// One character a sample: the state's number in base 36.
std::string PageStates(const index::DumpIndex& index, const model::TraceTree& tree);

}  // namespace stillframe::render
