// SPDX-License-Identifier: Apache-2.0
// Records of running hangs, and sessions, of processes that were killed: closed by the next
// process.
// Context: collector
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::jank {

constexpr const char* kSessionPrefix = "stillframe-session-";

// The end of the file's text of a killed process: the next revision, with "ended". "" if there is
// nothing to close. Of the path only the revision is replaced.
struct Closed {
  std::string text;
  std::string path;
};
Closed CloseText(std::string_view path, std::string_view text);

// Closes what processes left that do not exist any more. Returns how many files.
uint32_t CloseFilesOfKilled(const std::string& folder);

// PREFIX-ID-rREVISION.json of a record.
std::string RecordPath(const std::string& folder, std::string_view id, uint64_t revision);

}  // namespace stillframe::jank
