// SPDX-License-Identifier: Apache-2.0
// Past, present and future of the main thread in plain text.
#pragma once

#include <cstddef>
#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

struct TextLayout {
  size_t columns = 100;     // of paragraphs; tables are as wide as they need to be, but no narrower
  bool has_colour = false;  // by the escape sequences of terminals
};

std::string TextReport(const index::DumpIndex& index, const judge::Verdict& verdict,
                       const TextLayout& layout = {});

// Everything in a dump, for a person who debugs the profiler or a tool.
std::string Listing(const index::DumpIndex& index, const judge::Verdict& verdict);

}  // namespace stillframe::render
