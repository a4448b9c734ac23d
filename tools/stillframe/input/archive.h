// SPDX-License-Identifier: Apache-2.0
// Files within files: archives and packed files, read by libarchive; JSON lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/input/byte_source.h"

namespace stillframe::input {

// Larger members of an archive are left out, with a complaint.
constexpr size_t kMaxMemberBytes = 64 << 20;

// A file's name within the archive, "" for a file that is none, and its unpacked bytes. Returns
// false to stop.
using TakeFile = std::function<bool(const std::string& name, std::string_view bytes)>;
using TakeTrouble = std::function<void(const std::string& name, const std::string& what)>;

// Passes the file at `path`, or all files in it if it is an archive, to
// `take`. `trouble` gets what cannot be read; the rest is read. False if `take` returned false.
bool ForEachFile(const Files& files, const std::string& path, const TakeFile& take,
                 const TakeTrouble& trouble);

bool IsZip(std::string_view bytes);
bool IsTar(std::string_view bytes);

// The names of the files in a zip, in its order; those before the damage if it is damaged.
std::vector<std::string> NamesInZip(std::string_view zip);

// Passes the files of a zip whose names are wanted to `take`, as ForEachFile. Larger ones than
// `max_bytes` are left out.
void ForEachInZip(std::string_view zip, uint64_t max_bytes,
                  const std::function<bool(const std::string& name)>& is_wanted,
                  const TakeFile& take, const TakeTrouble& trouble);

}  // namespace stillframe::input
