// SPDX-License-Identifier: Apache-2.0
// What the thread did in each sample of a tree: the page's track of states.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::render {

// One character a sample: the state's number to the base of 36.
std::string PageStates(const index::DumpIndex& index, const model::TraceTree& tree);

}  // namespace stillframe::render
