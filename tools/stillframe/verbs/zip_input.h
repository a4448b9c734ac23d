// SPDX-License-Identifier: Apache-2.0
// A zip given to a verb: a bug report, or several dumps and texts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/dump/reader.h"

namespace stillframe::verbs {

struct Input {
  std::string path = {};  // of a file in a zip: "ZIP: FILE"
  dump::ReadResult result;
};

using ReadMember = std::function<dump::ReadResult(const std::string& path, std::string bytes)>;

// Reads what a zip holds by `read`, which sees only files whose names `may_be_dump` accepts.
// - A bug report: its text; if that has no traces of an ANR, the newest file of FS/data/anr.
// - Another zip: each file that can be read.
// Says what was left out. Never empty: if nothing could be read, one input has the error.
std::vector<Input> ReadZip(const std::string& path, std::string_view zip,
                           bool (*may_be_dump)(const std::string& name), const ReadMember& read);

}  // namespace stillframe::verbs
