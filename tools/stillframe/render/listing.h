// SPDX-License-Identifier: Apache-2.0
// Everything in a dump, for a person who debugs the profiler or a tool.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::render {

std::string Listing(const index::DumpIndex& index, const verdict::Verdict& verdict);

}  // namespace stillframe::render
