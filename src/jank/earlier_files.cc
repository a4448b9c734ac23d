// SPDX-License-Identifier: Apache-2.0
#include "src/jank/earlier_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include <vector>

#include "src/context/identity.h"
#include "src/jank/spool.h"
#include "src/os/file_text.h"

namespace stillframe::jank {
namespace {

constexpr size_t kMostBytes = 64 * 1024;
constexpr std::string_view kRevision = "\"revision\":";
constexpr std::string_view kEnd = "}\n";

bool IsAlive(std::string_view id) {
  const ProcessOfId process = ReadId(id);
  if (process.pid == 0) return true;
  const uint64_t now_ms = context::ProcessStartMs(process.pid);
  return now_ms != 0 && IsSameStart(now_ms, process.start_ms);
}

// The value of a text member near the end of our own JSON.
std::string_view MemberOf(std::string_view text, std::string_view name) {
  const size_t at = text.rfind(name);
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at + name.size());
  return text.substr(0, text.find('"'));
}

// A session that was written again after this copy was sent.
bool IsOutdated(const std::string& path) {
  if (!path.ends_with(kSentSuffix)) return false;
  return access((path.substr(0, path.rfind('.')) + kRecordSuffix).c_str(), F_OK) == 0;
}

}  // namespace

std::string RecordPath(const std::string& folder, std::string_view id, uint64_t revision) {
  std::string path = folder + "/" + kRecordPrefix;
  return path.append(id).append("-r").append(std::to_string(revision)).append(kRecordSuffix);
}

uint64_t NumberAt(std::string_view text) {
  return strtoull(std::string(text.substr(0, 20)).c_str(), nullptr, 10);
}

ProcessOfId ReadId(std::string_view id) {
  const size_t start_at = id.find('-') + 1;
  const size_t pid_at = id.find('p', start_at) + 1;
  if (start_at == 0 || pid_at == 0) return {};
  return {NumberAt(id.substr(start_at)), static_cast<int32_t>(NumberAt(id.substr(pid_at)))};
}

std::string NextRevision(std::string_view text, std::string_view members) {
  const size_t at = text.rfind(kRevision);
  if (at == std::string_view::npos || !text.ends_with(kEnd)) return "";
  const std::string_view tail = text.substr(at + kRevision.size());
  std::string next(text.substr(0, at + kRevision.size()));
  next.append(std::to_string(NumberAt(tail) + 1));
  next.append(tail.substr(tail.find_first_not_of("0123456789")));
  next.resize(next.size() - kEnd.size());
  return next.append(members).append(kEnd);
}

Closed CloseText(std::string_view path, std::string_view text) {
  const size_t at = text.rfind(kRevision);
  const bool is_session = path.find(kSessionPrefix) != std::string_view::npos;
  if (at == std::string_view::npos || !text.ends_with(kEnd)) return {};
  const std::string_view tail = text.substr(at + kRevision.size());
  const bool is_open = tail.find("\"ended\":") == std::string_view::npos &&
                       (is_session || tail.find("\"running\":true") != std::string_view::npos);
  const std::string_view id = MemberOf(text, "\"id\":\"");
  if (!is_open || id.empty()) return {};
  if (IsAlive(id)) return {.text = "", .path = "", .is_alive = true};
  Closed closed;
  closed.text = NextRevision(text, ",\"ended\":\"killed\"");
  closed.path = std::string(path.substr(0, path.rfind('.'))) + kRecordSuffix;
  const size_t number = closed.path.rfind("-r");
  if (!is_session && number != std::string_view::npos) {
    closed.path.resize(number);
    closed.path.append("-r").append(std::to_string(NumberAt(tail) + 1)).append(kRecordSuffix);
  }
  return closed;
}

bool CloseFilesOfKilled(const std::string& folder) {
  std::vector<std::string> paths;
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return true;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    if ((name.starts_with(kRecordPrefix) || name.starts_with(kSessionPrefix)) &&
        (name.ends_with(kRecordSuffix) || name.ends_with(kSentSuffix)))
      paths.push_back(folder + "/" + entry->d_name);
  }
  closedir(entries);
  bool are_closed = true;
  for (const std::string& path : paths) {
    std::string text;
    if (IsOutdated(path)) unlink(path.c_str());
    if (os::ReadFileText(path.c_str(), kMostBytes, &text) != 0) continue;
    const Closed closed = CloseText(path, text);
    are_closed &= !closed.is_alive;
    if (closed.text.empty() || os::ReplaceFile(closed.path, closed.text) != 0) continue;
    if (closed.path != path) unlink(path.c_str());
  }
  return are_closed;
}

}  // namespace stillframe::jank
