// SPDX-License-Identifier: Apache-2.0
// Files and standard input, block by block, unpacked if they are gzip.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace stillframe::streams {

// Hands the content of `path`, "-" being standard input, to `take`, which may return false to stop.
// False if it did, or if the file could not be read to its end: then `*error` says why and what to
// do.
bool ReadBlocks(const std::string& path, const std::function<bool(std::string_view)>& take,
                std::string* error);

// All of it, but no more than one byte beyond `max_bytes`; for a gzip file that holds for the
// unpacked content. On failure `*bytes` has what could be read.
bool ReadWhole(const std::string& path, uint64_t max_bytes, std::string* bytes, std::string* error);

}  // namespace stillframe::streams
