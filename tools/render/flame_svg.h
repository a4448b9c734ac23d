// A flame graph as SVG: the root on top, merged by method, widths by time. It is a static picture
// with tool tips; the script (hover line, click to zoom) only adds to it.
#pragma once

#include <cstdint>
#include <string>

#include "tools/calltree/call_tree.h"

namespace stillframe::render {

struct FlameOptions {
  std::string title{};      // clean text, shown in the picture of its own only
  std::string subtitle{};   // clean text
  bool is_own_file = true;  // with style, script, title, legend; else an <svg> for the report page
  double smallest_width = 0.3;  // in units of a picture 1,200 wide; narrower frames are left out
};

std::string FlameSvg(const calltree::CallTree& tree, const FlameOptions& options);

// The colours' meaning as a row of HTML for the report page.
std::string FlameLegendHtml();

}  // namespace stillframe::render
