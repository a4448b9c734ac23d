// SPDX-License-Identifier: Apache-2.0
// A file of settings: one JSON object whose values are strings, numbers, true or false (RFC 8259).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/process.h"

namespace stillframe::config {

// A longer file is not read.
constexpr size_t kMaxJsonBytes = 64 * 1024;

// Names and values in the file's order; a number as it stands there, true as "1", false as "0".
// Empty, with `*why` and the line, when the text is anything else; `*why` is "" otherwise.
// Context: any thread but a signal handler
std::vector<model::NamedText> ReadFlatJson(std::string_view text, std::string* why);

}  // namespace stillframe::config
