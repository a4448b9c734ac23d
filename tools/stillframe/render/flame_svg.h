// SPDX-License-Identifier: Apache-2.0
// A flame graph as SVG: the root on top, merged by method, widths by time. It is a static picture
// with tool tips; the script (hover line, click to zoom, search) only adds to it.
#pragma once

#include <string>

#include "tools/stillframe/calltree/call_tree.h"
#include "tools/stillframe/rank/ranking.h"

namespace stillframe::render {

struct FlameOptions {
  std::string title{};  // clean text
  std::string subtitle{};
};

std::string FlameSvg(const calltree::CallTree& tree, const FlameOptions& options);

// What changed between two sets of dumps, as a flame graph: widths are shares of the time after (of
// the time before where a call is gone), red grew and blue shrank. A static picture with tool tips.
std::string DifferentialSvg(const rank::Ranking& before, const rank::Ranking& after,
                            const std::string& title);

}  // namespace stillframe::render
