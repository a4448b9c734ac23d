// Everything in a dump, for a person who debugs the profiler or a tool.
#pragma once

#include <string>

#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::render {

std::string Listing(const verdict::Case& evidence);

}  // namespace stillframe::render
