// SPDX-License-Identifier: Apache-2.0
// A zip: a bug report, or several dumps and texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/input/document_input.h"

namespace stillframe::input {

// Reads what a zip holds by `read`, which sees only files whose names `may_be_dump` accepts.
// - A bug report: its text; if that has no traces of an ANR, the newest file of FS/data/anr.
// - Another zip: each file that can be read.
// Says what was left out. Never empty: if nothing could be read, one input has the error.
std::vector<Input> ReadZip(const std::string& path, std::string_view zip,
                           bool (*may_be_dump)(const std::string& name), const DocumentInput& read);

}  // namespace stillframe::input
