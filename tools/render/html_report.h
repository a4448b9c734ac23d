// One self-contained page: verdict, messages, a flame graph for each kept tree, the queue, and
// facts. It asks nothing of a network, works without its script, in light and dark, and on paper.
#pragma once

#include <string>

#include "tools/verdict/verdict.h"

namespace stillframe::render {

std::string HtmlReport(const verdict::Case& evidence);

}  // namespace stillframe::render
