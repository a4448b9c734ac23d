// SPDX-License-Identifier: Apache-2.0
// Files of records, as others may have left them: a name may be a link, a pipe or a folder.
#pragma once

#include <cstddef>
#include <string>

namespace stillframe::upload {

// Reads at most `most` bytes of a regular file; never through a symbolic link, and never waiting
// for a writer. False where it is none or cannot be read.
bool ReadRecordFile(const std::string& path, size_t most, std::string* bytes);

}  // namespace stillframe::upload
