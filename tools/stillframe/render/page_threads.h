// SPDX-License-Identifier: Apache-2.0
// Threads that were followed while the main thread waited, as lanes of the page's timeline.
#pragma once

#include <nlohmann/json.hpp>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::render {

// Per thread and message: its stretches in order, each of one place in the code and one state.
nlohmann::ordered_json FollowedThreads(const index::DumpIndex& index);

}  // namespace stillframe::render
