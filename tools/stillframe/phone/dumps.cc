// SPDX-License-Identifier: Apache-2.0
// find, stat and cat by run-as.
#include "tools/stillframe/phone/dumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace stillframe::phone {
namespace {

constexpr const char* kSuffix = ".sfdump";

// Names come from the phone and become names of files here.
bool IsPlainName(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.ends_with(kSuffix) &&
         std::all_of(
             name.begin(), name.end(),
             [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-';
             });
}

}  // namespace

std::vector<RemoteDump> FindDumps(const Adb& adb, const std::string& package,
                                  const std::string& folder) {
  const Ran ran =
      adb.RunAs(package, fmt::format("find {} -name '*{}' -type f -exec stat -c '%s %n' {{}} +",
                                     Quoted(folder), kSuffix));
  std::vector<RemoteDump> dumps;
  for (const std::string& line : Lines(ran.out)) {
    RemoteDump dump;
    const std::from_chars_result number =
        std::from_chars(line.data(), line.data() + line.size(), dump.bytes);
    if (number.ec != std::errc() || *number.ptr != ' ') continue;
    dump.path = number.ptr + 1;
    if (IsPlainName(dump.name())) dumps.push_back(dump);
  }
  std::sort(dumps.begin(), dumps.end(),
            [](const RemoteDump& a, const RemoteDump& b) { return a.path < b.path; });
  return dumps;
}

bool FetchDump(const Adb& adb, const std::string& package, const RemoteDump& dump,
               const std::string& to, std::string* error) {
  const Ran ran = adb.ReadAs(package, dump.path);
  if (!ran.is_fine() || ran.out.size() != dump.bytes) {
    *error = fmt::format("{}: {} of {} bytes came: {}", dump.path, ran.out.size(), dump.bytes,
                         ran.error.empty() ? "the connection ended" : ran.complaint());
    return false;
  }
  const std::filesystem::path file = std::filesystem::path(to) / dump.name();
  const std::filesystem::path part = file.string() + ".part";
  std::ofstream out(part, std::ios::binary);
  out.write(ran.out.data(), static_cast<std::streamsize>(ran.out.size()));
  out.close();
  std::error_code problem;
  if (out) std::filesystem::rename(part, file, problem);
  if (out && !problem) return true;
  *error = file.string() + " cannot be written";
  return false;
}

}  // namespace stillframe::phone
