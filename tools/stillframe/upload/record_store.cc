// SPDX-License-Identifier: Apache-2.0
// The folder itself is the index.
#include "tools/stillframe/upload/record_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "src/cohort/sha256.h"
#include "tools/stillframe/janks/jank_records.h"
#include "tools/stillframe/upload/record_file.h"

namespace stillframe::upload {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHashDigits = 64;
constexpr const char* kSuffix = ".json";
constexpr const char* kPart = ".part";

bool IsRecordName(const std::string& name) {
  return name.size() == kHashDigits + std::strlen(kSuffix) && name.ends_with(kSuffix) &&
         name.find_first_not_of("0123456789abcdef") == kHashDigits;
}

bool WriteWhole(const std::string& path, std::string_view bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  bool is_well = true;
  while (!bytes.empty() && is_well) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written > 0)
      bytes.remove_prefix(static_cast<size_t>(written));
    else
      is_well = written < 0 && errno == EINTR;
  }
  is_well = is_well && fsync(fd) == 0;
  return close(fd) == 0 && is_well;
}

}  // namespace

std::string Sha256Of(std::string_view bytes) {
  cohort::Sha256 sha;
  sha.Add(bytes);
  std::string hex;
  for (const uint32_t word : sha.Finish()) hex += fmt::format("{:08x}", word);
  return hex;
}

bool RecordStore::Open(const std::string& folder, uint64_t max_records, std::string* error) {
  folder_ = folder;
  max_records_ = max_records;
  records_ = 0;
  std::error_code code;
  if (!fs::exists(folder, code) && mkdir(folder.c_str(), 0700) != 0) {
    *error = fmt::format("cannot be made: {}; name a folder that can", std::strerror(errno));
    return false;
  }
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    std::error_code removed;
    if (name.ends_with(kPart)) fs::remove(entry->path(), removed);
    if (IsRecordName(name)) ++records_;
  }
  if (!code && access(folder.c_str(), W_OK | X_OK) == 0) return true;
  *error = fmt::format("cannot be used: {}; name a folder of yours",
                       code ? code.message() : std::strerror(errno));
  return false;
}

RecordStore::Result RecordStore::Add(std::string_view record, std::string* hash) {
  janks::JankRecords parsed;
  std::string error;
  if (!parsed.Add(record, &error)) return Result::kNoRecord;
  *hash = Sha256Of(record);
  const std::string path = folder_ + "/" + *hash + kSuffix;
  if (access(path.c_str(), F_OK) == 0) return Result::kKnown;
  if (records_ >= max_records_) return Result::kNoRoom;
  const std::string part = path + kPart;
  unlink(part.c_str());
  if (!WriteWhole(part, record) || rename(part.c_str(), path.c_str()) != 0) {
    unlink(part.c_str());
    return Result::kNoRoom;
  }
  const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder);
    close(folder);
  }
  ++records_;
  return Result::kStored;
}

// Of a million records no more is in memory than is asked for.
std::vector<StoredRecord> RecordStore::List(size_t most) const {
  const auto is_newer = [](const StoredRecord& a, const StoredRecord& b) {
    return a.received_s != b.received_s ? a.received_s > b.received_s : a.hash < b.hash;
  };
  std::vector<StoredRecord> newest;  // a heap, the oldest first
  std::error_code code;
  for (fs::directory_iterator entry(folder_, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    struct stat facts = {};
    if (!IsRecordName(name) || lstat(entry->path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
      continue;
    newest.push_back(
        {name.substr(0, kHashDigits), static_cast<uint64_t>(facts.st_size), facts.st_mtim.tv_sec});
    std::ranges::push_heap(newest, is_newer);
    if (newest.size() <= most) continue;
    std::ranges::pop_heap(newest, is_newer);
    newest.pop_back();
  }
  std::ranges::sort_heap(newest, is_newer);
  return newest;
}

std::string RecordStore::Read(const std::string& hash) const {
  if (!IsRecordName(hash + kSuffix)) return "";
  std::string record;
  ReadRecordFile(folder_ + "/" + hash + kSuffix, janks::kMaxRecordBytes, &record);
  return record;
}

}  // namespace stillframe::upload
