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
// The same of an open file, from where it stands.
int ReadOpenFile(int fd, size_t limit, std::string* text);

// The numbers that are names in a folder, at most `limit`: threads of /proc/self/task, files of
// /proc/self/fd. `*found` counts all of them. Returns 0 or errno.
int ReadNumericNames(const char* folder, size_t limit, std::vector<int32_t>* numbers,
                     uint32_t* found);

// The first `limit` of them in the kernel's order, which for threads is that of their creation.
// Costs no more where a folder has thousands. Empty on failure.
void ReadFirstNumericNames(const char* folder, size_t limit, std::vector<int32_t>* numbers);

// Puts `text` into a file of mode 0600, under PATH.PID.part first: whoever reads meets the old text
// or the new, whole. Returns 0 or errno; what was there stays on failure.
int ReplaceFile(const std::string& path, std::string_view text);

// Removes the oldest regular files of a folder whose names begin with `prefix` and end with
// `suffix`, until `most` are left. Returns how many it removed.
uint32_t KeepNewestFiles(const std::string& folder, const char* prefix, const char* suffix,
                         uint32_t most);

// Removes the regular files PREFIX*.PID.tmp and PREFIX*.PID.part of processes that have ended, and
// those of more than a day ago: their writers were killed. Call it before this process writes any.
void RemoveUnfinished(const std::string& folder, std::string_view prefix);

}  // namespace stillframe::os
