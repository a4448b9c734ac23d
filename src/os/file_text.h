// SPDX-License-Identifier: Apache-2.0
// Small files and folders, as /proc has them.
// Context: any thread but a signal handler
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::os {

// Reads the first `limit` bytes of a file. Returns 0 or errno; `*text` is empty on failure.
int ReadFileText(const char* path, size_t limit, std::string* text);
// The same for an open file, from its current offset.
int ReadOpenFile(int fd, size_t limit, std::string* text);

// The numeric names in a folder, at most `limit`, such as the threads in /proc/self/task or the
// files in /proc/self/fd. `*found` counts all of them. Returns 0 or errno.
int ReadNumericNames(const char* folder, size_t limit, std::vector<int32_t>* numbers,
                     uint32_t* found);

// The first `limit` numeric names in the kernel's order, which for threads is the order of
// creation. Costs no more in a folder with thousands. Empty on failure.
void ReadFirstNumericNames(const char* folder, size_t limit, std::vector<int32_t>* numbers);

// Writes `text` to a file of mode 0600, through PATH.PID.part and a rename: readers see the old or
// the new text, complete. Returns 0 or errno; on failure the old file stays.
int ReplaceFile(const std::string& path, std::string_view text);

// Removes the oldest regular files of a folder whose names begin with `prefix` and end with
// `suffix`, until `most` are left. Returns how many it removed.
uint32_t KeepNewestFiles(const std::string& folder, const char* prefix, const char* suffix,
                         uint32_t most);

// Removes regular files PREFIX*.PID.tmp and PREFIX*.PID.part whose process has ended, or that are
// older than a day: their writers were killed. Call before this process writes any.
void RemoveUnfinished(const std::string& folder, std::string_view prefix);

}  // namespace stillframe::os
