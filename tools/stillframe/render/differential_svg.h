// SPDX-License-Identifier: Apache-2.0
// What changed between two sets of dumps, as a flame graph: widths are shares of the time after (of
// the time before where a call is gone), red grew and blue shrank. A static picture with tool tips.
#pragma once

#include <string>

#include "tools/stillframe/rank/ranking.h"

namespace stillframe::render {

std::string DifferentialSvg(const rank::Ranking& before, const rank::Ranking& after,
                            const std::string& title);

}  // namespace stillframe::render
