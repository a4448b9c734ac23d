// SPDX-License-Identifier: Apache-2.0
// Past, present and future of the main thread in plain text.
#pragma once

#include <cstddef>
#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

struct TextLayout {
  size_t columns = 100;     // width of paragraphs; tables may be wider, but not narrower
  bool has_colour = false;  // terminal escape sequences
};

std::string TextReport(const index::DumpIndex& index, const judge::Verdict& verdict,
                       const TextLayout& layout = {});

// Everything in a dump, for developers of the profiler or of a tool.
std::string Listing(const index::DumpIndex& index, const judge::Verdict& verdict);

}  // namespace stillframe::render
