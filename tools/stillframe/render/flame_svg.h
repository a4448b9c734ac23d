// SPDX-License-Identifier: Apache-2.0
// A flame graph as SVG: the root on top, merged by method, widths by time. It is a static picture
// with tool tips; the script (hover line, click to zoom, search) only adds to it.
#pragma once

#include <string>

#include "tools/stillframe/compare/ranking.h"
#include "tools/stillframe/index/call_tree.h"

namespace stillframe::render {

struct FlameOptions {
  std::string title{};  // clean text
  std::string subtitle{};
};

std::string FlameSvg(const index::CallTree& tree, const FlameOptions& options);

// What changed between two sets of dumps, as a flame graph: widths are shares of the time after (of
// the time before where a call is gone), red grew and blue shrank. A static picture with tool tips.
std::string DifferentialSvg(const compare::Ranking& before, const compare::Ranking& after,
                            const std::string& title);

}  // namespace stillframe::render
