// SPDX-License-Identifier: Apache-2.0
// Small files that `push` and `serve` are given: tokens, certificates, keys.
#pragma once

#include <string>

namespace stillframe::verbs {

// Its first line. False, with a complaint, where there is none of 16 to 256 visible characters.
bool ReadToken(const std::string& path, std::string* token);

bool ReadPem(const std::string& path, std::string* text);

}  // namespace stillframe::verbs
