// SPDX-License-Identifier: Apache-2.0
// Records of running hangs, and sessions, of processes that were killed: closed by the next
// process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::jank {

constexpr const char* kSessionPrefix = "stillframe-session-";

// A file of a killed process as it is to be: the next revision, with "ended". Both are "" if there
// is nothing to close.
struct Closed {
  std::string text;
  std::string path;
  bool is_alive = false;  // the file is open, and so is its process
};
Closed CloseText(std::string_view path, std::string_view text);

// The text of a record or session as its next revision, with these members at its end:
// ",\"name\":value". "" if it is not one of ours.
std::string NextRevision(std::string_view text, std::string_view members);

// The numbers of "INSTALL-STARTpPID-TOKEN" or "INSTALL-STARTpPID".
struct ProcessOfId {
  uint64_t start_ms = 0;  // 0: not known
  int32_t pid = 0;        // 0: the text is not an id
};
ProcessOfId ReadId(std::string_view id);

// Whether two starts of a pid, in ms since 1970, are the same process's. A clock that was set moves
// the start of a process that lives.
inline bool IsSameStart(uint64_t a, uint64_t b) {
  constexpr uint64_t kMostMovedMs = 2'000;
  return a < b + kMostMovedMs && b < a + kMostMovedMs;
}

// The decimal number at the beginning of a text; 0: there is none.
uint64_t NumberAt(std::string_view text);

// Closes what processes left that do not exist any more. False if files stay open: their processes
// are alive, or are still ending.
bool CloseFilesOfKilled(const std::string& folder);

// PREFIX-ID-rREVISION.json of a record.
std::string RecordPath(const std::string& folder, std::string_view id, uint64_t revision);

}  // namespace stillframe::jank
