// SPDX-License-Identifier: Apache-2.0
#include "src/jank/spool.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "src/jank/day_file.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"

namespace stillframe::jank {
namespace {

// With more files the oldest are removed: reading each would take too long.
constexpr size_t kMostLookedInto = 256;
constexpr size_t kRecordBytes = 64 * 1024;

struct File {
  std::string path;
  uint64_t bytes;
  int64_t time_s;
  bool is_sent;
  uint64_t value;        // ms of its janks; 0: not read
  bool is_gone = false;  // or excluded from removal
};

std::vector<File> FilesOf(const std::string& folder) {
  std::vector<File> files;
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return files;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    const bool is_sent = name.ends_with(kSentSuffix);
    if (!name.starts_with(kRecordPrefix) || (!is_sent && !name.ends_with(kRecordSuffix))) continue;
    File file = {folder + "/" + entry->d_name, 0, 0, is_sent, 0};
    struct stat facts = {};
    if (lstat(file.path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    file.bytes = static_cast<uint64_t>(facts.st_size);
    file.time_s = facts.st_mtim.tv_sec;
    files.push_back(std::move(file));
  }
  closedir(entries);
  return files;
}

// From the line of the day's file, otherwise from the records in the folder.
Day ReadDay(const DayFile& file, const std::string& folder, int64_t today) {
  Day day;
  if (file.Read(today, &day)) return day;
  day = {today, 0, 0, 0};
  for (const File& record : FilesOf(folder)) {
    if (record.time_s / os::kSecondsPerDay != today) continue;
    ++day.writes;
    day.bytes += record.bytes;
  }
  return day;
}

SpoolResult ResultOf(DayFile::Opened opened) {
  return opened == DayFile::Opened::kBusy ? SpoolResult::kBusy : SpoolResult::kFailed;
}

uint64_t TimeOf(const std::string& path) {
  constexpr std::string_view kName = "\"total_ms\":";
  std::string text;
  if (os::ReadFileText(path.c_str(), kRecordBytes, &text) != 0) return 0;
  const size_t at = text.rfind(kName);
  return at == std::string::npos ? 0 : strtoull(text.c_str() + at + kName.size(), nullptr, 10);
}

// Order of removal: sent ones, oldest first; then those of the least time.
bool IsRemovedBefore(const File& a, const File& b) {
  if (a.is_sent != b.is_sent) return a.is_sent;
  if (!a.is_sent && a.value != b.value) return a.value < b.value;
  return a.time_s != b.time_s ? a.time_s < b.time_s : a.path < b.path;
}

// Without suffix and revision: "...-ID-r3.json" gives "...-ID".
std::string_view RecordOf(std::string_view path) {
  path = path.substr(0, path.rfind('.'));
  const size_t at = path.rfind("-r");
  const bool has_revision = at != std::string_view::npos &&
                            path.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
  return path.substr(0, has_revision ? at : path.size());
}

// A sent file is obsolete once its record, `kept`, is written again.
bool IsOver(const File& file, std::string_view kept) {
  return file.is_sent && RecordOf(file.path) == RecordOf(kept);
}

// Makes space for `kept` before it is written: a kill in between leaves one file too few, not too
// many.
void MakeSpace(const std::string& folder, const std::string& kept, size_t most) {
  std::vector<File> files = FilesOf(folder);
  const bool looks_into = files.size() <= kMostLookedInto;
  size_t count = 1;
  for (File& file : files) {
    file.is_gone = RecordOf(file.path) == RecordOf(kept) && !file.is_sent;
    count += file.is_gone ? 0 : 1;
  }
  const auto remove = [&](File* file) {
    if (unlink(file->path.c_str()) == 0) --count;
    file->is_gone = true;
  };
  for (File& file : files)
    if (!file.is_gone && IsOver(file, kept)) remove(&file);
  if (count <= most) return;
  for (File& file : files)
    if (looks_into && !file.is_gone && !file.is_sent) file.value = TimeOf(file.path);
  // One at a time: usually there is one too many.
  while (count > most) {
    File* least = nullptr;
    for (File& file : files)
      if (!file.is_gone && (least == nullptr || IsRemovedBefore(file, *least))) least = &file;
    if (least == nullptr) return;
    remove(least);
  }
}

}  // namespace

SpoolResult WriteToSpool(const std::string& folder, const std::string& path, std::string_view text,
                         const SpoolLimits& limits, int64_t now_s) {
  DayFile file;
  if (const auto opened = file.Open(folder); opened != DayFile::Opened::kOurs)
    return ResultOf(opened);
  const Day before = ReadDay(file, folder, now_s / os::kSecondsPerDay);
  Day day = before;
  ++day.writes;
  day.bytes += text.size();
  if (day.bytes > limits.bytes_a_day) return SpoolResult::kDayOver;
  if (!file.Write(day)) return SpoolResult::kFailed;
  if (std::string_view(path).substr(path.rfind('/') + 1).starts_with(kRecordPrefix))
    MakeSpace(folder, path, limits.files);
  const int error = os::ReplaceFile(path, text);
  // A failed write (full disk) must not use up the day's budget.
  if (error != 0) file.Write(before);
  errno = error;
  return error == 0 ? SpoolResult::kWritten : SpoolResult::kFailed;
}

SpoolResult AddCpuToDay(const std::string& folder, uint64_t cpu_ms, uint64_t own_ms, int64_t now_s,
                        uint64_t* total_ms) {
  DayFile file;
  if (const auto opened = file.Open(folder); opened != DayFile::Opened::kOurs)
    return ResultOf(opened);
  Day day = ReadDay(file, folder, now_s / os::kSecondsPerDay);
  day.cpu_ms = std::max(day.cpu_ms + cpu_ms, own_ms);
  if (!file.Write(day)) return SpoolResult::kFailed;
  *total_ms = day.cpu_ms;
  return SpoolResult::kWritten;
}

}  // namespace stillframe::jank
