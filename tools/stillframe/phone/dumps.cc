// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/phone/dumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

namespace stillframe::phone {
namespace {

constexpr const char* kSuffix = ".sfdump";
// The profiler replaces a dump by a longer one once the Signal Catcher's traces arrive.
constexpr int kAttempts = 5;
constexpr std::chrono::milliseconds kDumpPause(300);

// Names from the phone become local file names, so they are restricted.
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

namespace {

// The dump's bytes, or nothing and the reason.
std::optional<std::string> ReadDump(const Adb& adb, const std::string& package, RemoteDump dump,
                                    std::string* error) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Ran ran = adb.ReadAs(package, dump.path);
    if (ran.is_fine() && ran.out.size() == dump.bytes) return std::move(ran.out);
    *error = fmt::format("{}: {} of {} bytes came: {}", dump.path, ran.out.size(), dump.bytes,
                         ran.error.empty() ? "the file changes" : ran.complaint());
    const std::vector<RemoteDump> now = FindDumps(adb, package, dump.path);
    if (now.size() != 1) break;  // the dump or the phone is gone
    dump = now.front();
    std::this_thread::sleep_for(kDumpPause);
  }
  return std::nullopt;
}

}  // namespace

bool FetchDump(const Adb& adb, const std::string& package, const RemoteDump& dump,
               const std::string& to, std::string* error) {
  const std::optional<std::string> bytes = ReadDump(adb, package, dump, error);
  if (!bytes) return false;
  const std::filesystem::path file = std::filesystem::path(to) / dump.name();
  const std::filesystem::path part = file.string() + ".part";
  std::ofstream out(part, std::ios::binary);
  out.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
  out.close();
  std::error_code problem;
  if (out) std::filesystem::rename(part, file, problem);
  if (out && !problem) return true;
  *error = file.string() + " cannot be written";
  return false;
}

}  // namespace stillframe::phone
