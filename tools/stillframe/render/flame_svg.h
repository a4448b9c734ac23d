// SPDX-License-Identifier: Apache-2.0
// A flame graph as SVG: root on top, merged by method, widths by time. The picture and its tool
// tips work without the script, which adds a hover line, zoom by click, and search.
#pragma once

#include <string>

#include "tools/stillframe/fleet/method_ranking.h"
#include "tools/stillframe/index/call_tree.h"

namespace stillframe::render {

struct FlameOptions {
  std::string title{};  // clean text
  std::string subtitle{};
};

std::string FlameSvg(const index::CallTree& tree, const FlameOptions& options);

// The change between two sets of dumps as a flame graph. Widths are shares of the time after, or of
// the time before for a removed call. Red grew, blue shrank. Has tool tips, but no script.
std::string DifferentialSvg(const fleet::MethodRanking& before, const fleet::MethodRanking& after,
                            const std::string& title);

}  // namespace stillframe::render
