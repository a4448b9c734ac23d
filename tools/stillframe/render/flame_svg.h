// SPDX-License-Identifier: Apache-2.0
// A flame graph as SVG: the root on top, merged by method, widths by time. It is a static picture
// with tool tips; the script (hover line, click to zoom, search) only adds to it.
#pragma once

#include <string>

#include "tools/stillframe/calltree/call_tree.h"

namespace stillframe::render {

struct FlameOptions {
  std::string title{};  // clean text
  std::string subtitle{};
};

std::string FlameSvg(const calltree::CallTree& tree, const FlameOptions& options);

}  // namespace stillframe::render
