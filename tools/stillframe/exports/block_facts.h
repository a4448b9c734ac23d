// SPDX-License-Identifier: Apache-2.0
// One slow message as BlockCanary's block of facts: "name = value" lines in its order.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::exports {

// Names are BlockCanary's (markzhai/AndroidPerformanceMonitor 1.5, BlockInfo.java). `time` and
// `thread-time` are in ms; a fact that the dump does not have is "unknown". The stack is that of
// the heaviest path, innermost frame first.
std::string BlockFacts(const index::DumpIndex& index, const model::Message& message);

}  // namespace stillframe::exports
