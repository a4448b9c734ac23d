// SPDX-License-Identifier: Apache-2.0
// A ranking of causes as a table for people, and as JSON (tables.schema.json).
#pragma once

#include <string>

#include "tools/stillframe/fleet/store.h"

namespace stillframe::render {

std::string CauseRankingText(const fleet::CauseRanking& ranking);
std::string CauseRankingJson(const fleet::CauseRanking& ranking);

// One cause in full. The ranking has its row.
std::string CauseText(const fleet::ShownCause& shown);

}  // namespace stillframe::render
