// SPDX-License-Identifier: Apache-2.0
// Past, present and future of the main thread in plain text, at most 100 columns wide.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::render {

std::string TextReport(const index::DumpIndex& index, const verdict::Verdict& verdict);

}  // namespace stillframe::render
