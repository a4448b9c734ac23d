// SPDX-License-Identifier: Apache-2.0
#include "src/art/self_check_cache.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/os/file_text.h"

namespace stillframe::art {
namespace {

constexpr char kFirstLine[] = "stillframe-verdict 2\n";
constexpr size_t kMaxBytes = 4096;
constexpr time_t kBadForSeconds = 7 * 24 * 3600;

std::string Checksum(const std::string& text) {
  uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  char hex[16];
  snprintf(hex, sizeof hex, "%08x\n", hash);
  return hex;
}

bool IsPrintable(const std::string& text) {
  return std::all_of(
      text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Accepts a regular file of ours that others cannot write, within the size limit and not from the
// future. One second of tolerance: time() may lag behind the kernel's finer file times (Linux 6.13
// on).
bool IsOurs(const struct stat& status) {
  const time_t now = time(nullptr) + 1;
  return S_ISREG(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 022) == 0 &&
         status.st_size > 0 && static_cast<size_t>(status.st_size) <= kMaxBytes &&
         status.st_mtime <= now;
}

bool ReadOurs(const std::string& path, std::string* text, time_t* age) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat status;
  bool ok = fstat(fd, &status) == 0 && IsOurs(status);
  if (ok) {
    text->resize(static_cast<size_t>(status.st_size));
    ok = read(fd, text->data(), text->size()) == status.st_size;
    *age = time(nullptr) - status.st_mtime;
  }
  close(fd);
  return ok;
}

// Removes `part` from the front of `text`.
bool Skip(const std::string& part, std::string* text) {
  if (text->compare(0, part.size(), part) != 0) return false;
  text->erase(0, part.size());
  return true;
}

}  // namespace

SelfCheckCache::SelfCheckCache(const std::string& folder, const std::string& key)
    : path_(folder.empty() ? "" : folder + "/stillframe-verdict"), key_(key) {}

bool SelfCheckCache::Load(SelfCheckResult* verdict) const {
  std::string text;
  time_t age = 0;
  if (path_.empty() || !ReadOurs(path_, &text, &age)) return false;
  constexpr size_t kChecksumBytes = 9;
  if (text.size() < kChecksumBytes) return false;
  const std::string checksum = text.substr(text.size() - kChecksumBytes);
  text.resize(text.size() - kChecksumBytes);
  if (checksum != Checksum(text) || text.back() != '\n') return false;
  text.pop_back();
  if (!Skip(kFirstLine, &text) || !Skip(key_ + "\n", &text)) return false;
  const bool is_good = Skip("good ", &text);
  uint32_t failures = 0;
  while (!is_good && failures < SelfCheckResult::kEnough && Skip("bad ", &text)) ++failures;
  if ((!is_good && failures == 0) || text.empty() || !IsPrintable(text)) return false;
  if (!is_good && age > kBadForSeconds) return false;
  *verdict = {is_good, text, failures};
  return true;
}

void SelfCheckCache::Store(const SelfCheckResult& verdict) const {
  std::string line = verdict.text.substr(0, kMaxBytes / 2);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  std::string text = kFirstLine + key_ + "\n" + (verdict.is_good ? "good " : "");
  for (uint32_t i = 0; i < std::min(verdict.failures, SelfCheckResult::kEnough); ++i)
    text += "bad ";
  text += line + "\n";
  text += Checksum(text);
  if (path_.empty() || text.size() > kMaxBytes) return;
  os::ReplaceFile(path_, text);
}

}  // namespace stillframe::art
