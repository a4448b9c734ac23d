// SPDX-License-Identifier: Apache-2.0
// Files within files: archives and packed files, read by libarchive; JSON lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace stillframe::store {

// Larger members of an archive are left out, with a complaint.
constexpr size_t kMaxMemberBytes = 64 << 20;

// A file's name within the archive, "" for a file that is none, and its unpacked bytes. Returns
// false to stop.
using TakeFile = std::function<bool(const std::string& name, std::string_view bytes)>;
using TakeTrouble = std::function<void(const std::string& name, const std::string& what)>;

// Passes the file at `path` ("-": standard input), or all files in it if it is an archive, to
// `take`. `trouble` gets what cannot be read; the rest is read. False if `take` returned false.
bool ForEachFile(const std::string& path, const TakeFile& take, const TakeTrouble& trouble);

}  // namespace stillframe::store
