// SPDX-License-Identifier: Apache-2.0
#include "src/jank/system_exit.h"

#include <dirent.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "src/core/clock.h"
#include "src/jank/earlier_files.h"
#include "src/jank/hang_facts.h"
#include "src/jank/json_text.h"
#include "src/jank/record_text.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/settings/cohort_names.h"

namespace stillframe::jank {
namespace {

using model::SystemExit;

constexpr int32_t kReasonAnr = 6;         // ApplicationExitInfo.REASON_ANR
constexpr int32_t kMostImportance = 125;  // of the foreground: IMPORTANCE_FOREGROUND_SERVICE
constexpr const char* kListFile = "/stillframe-exits";
// The system keeps 16 exits for an application.
constexpr size_t kMostListed = 64;
constexpr size_t kMostListBytes = 4'096;
constexpr size_t kMostFileBytes = 64 * 1024;
// Shorter janks share a record, so none of them is the hang that ended a process.
constexpr uint64_t kLeastHangMs = 2'000;

// The numbers behind the first and the last of these names; 0: there is none.
uint64_t FirstNumber(std::string_view text, std::string_view name) {
  const size_t at = text.find(name);
  return at == std::string_view::npos ? 0 : NumberAt(text.substr(at + name.size()));
}
uint64_t LastNumber(std::string_view text, std::string_view name) {
  const size_t at = text.rfind(name);
  return at == std::string_view::npos ? 0 : NumberAt(text.substr(at + name.size()));
}

// Start in ms since 1970 of a summary of ours with this pid; 0: the summary is another's.
uint64_t StartIn(std::string_view summary, int32_t pid) {
  if (summary.size() != sizeof(model::ProcessSummary)) return 0;
  uint64_t start_ms = 0;
  for (size_t i = 4; i < 12; ++i) start_ms = start_ms << 8 | static_cast<uint8_t>(summary[i]);
  const model::ProcessSummary same = model::SummaryOf(start_ms, pid);
  return memcmp(same.data(), summary.data(), same.size()) == 0 ? start_ms : 0;
}

// A file that the process of an exit left.
struct Left {
  std::string path;
  std::string id;  // INSTALL-STARTpPID, for a record with its token
  ProcessOfId process;
  bool is_session = false;
};

std::optional<Left> LeftFile(const std::string& folder, std::string_view name) {
  const bool is_session = name.starts_with(kSessionPrefix);
  if (!is_session && !name.starts_with(kRecordPrefix)) return std::nullopt;
  const bool is_whole = name.ends_with(kRecordSuffix) || name.ends_with(kSentSuffix);
  if (!is_whole) return std::nullopt;
  Left left;
  left.path = folder + "/" + std::string(name);
  left.is_session = is_session;
  std::string_view id = name.substr(0, name.rfind('.'));
  id.remove_prefix(std::string_view(is_session ? kSessionPrefix : kRecordPrefix).size());
  if (!is_session) id = id.substr(0, id.rfind("-r"));
  left.id = id;
  left.process = ReadId(id);
  return left;
}

std::string ListText(const std::string& folder) {
  std::string text;
  os::ReadFileText((folder + kListFile).c_str(), kMostListBytes, &text);
  return text;
}

std::string LineOf(int32_t pid, uint64_t time_ms) {
  return std::to_string(pid) + " " + std::to_string(time_ms) + "\n";
}

// The newest listed exit of this pid before this one, in ms since 1970: the process began after it.
uint64_t ExitBefore(const std::string& folder, const SystemExit& exit) {
  const std::string text = ListText(folder);
  uint64_t before_ms = 0;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
    const uint64_t time_ms = LastNumber(line, " ");
    if (line.starts_with(std::to_string(exit.pid) + " ") && time_ms < exit.time_ms)
      before_ms = std::max(before_ms, time_ms);
    if (text.find('\n', at) == std::string::npos) break;
  }
  return before_ms;
}

void AddToList(const std::string& folder, const SystemExit& exit) {
  std::string text = ListText(folder);
  if (!text.empty() && text.back() != '\n') text.clear();
  text += LineOf(exit.pid, exit.time_ms);
  while (static_cast<size_t>(std::ranges::count(text, '\n')) > kMostListed)
    text.erase(0, text.find('\n') + 1);
  os::ReplaceFile(folder + kListFile, text);
}

// Records and session of the process of this exit.
std::vector<Left> FilesOf(const std::string& folder, const SystemExit& exit) {
  std::vector<Left> files;
  const uint64_t after_ms = ExitBefore(folder, exit);
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return files;
  while (const dirent* entry = readdir(entries)) {
    std::optional<Left> left = LeftFile(folder, entry->d_name);
    if (left && left->process.pid == exit.pid) files.push_back(*std::move(left));
  }
  closedir(entries);
  uint64_t start_ms = StartIn(exit.summary, exit.pid);
  if (start_ms == 0)
    for (const Left& left : files) {
      const uint64_t left_ms = left.process.start_ms;
      if (left_ms > after_ms && left_ms <= exit.time_ms) start_ms = std::max(start_ms, left_ms);
    }
  std::erase_if(files,
                [&](const Left& left) { return !IsSameStart(left.process.start_ms, start_ms); });
  return files;
}

// The record of the hang that ended the process.
struct Joined {
  const Left* file = nullptr;
  std::string text;
  bool is_running = false;
  uint64_t revision = 0;
  uint64_t last_ms = 0;  // since 1970
};

Joined RecordIn(const std::vector<Left>& files, bool is_anr) {
  Joined last;
  for (const Left& left : files) {
    Joined record;
    record.file = &left;
    if (left.is_session || os::ReadFileText(left.path.c_str(), kMostFileBytes, &record.text) != 0)
      continue;
    if (record.text.find("\"thread\":") != std::string::npos) continue;  // not the main one's
    record.revision = LastNumber(record.text, "\"revision\":");
    record.last_ms = LastNumber(record.text, "\"last_time\":");
    record.is_running = record.text.rfind("\"running\":true") != std::string::npos;
    const bool is_hang =
        record.is_running || (is_anr && FirstNumber(record.text, "\"cost\":") >= kLeastHangMs);
    const auto order = [](const Joined& of) {
      return std::tuple(of.is_running, of.last_ms, of.revision);
    };
    if (is_hang && (last.file == nullptr || order(last) < order(record))) last = std::move(record);
  }
  return last;
}

std::vector<model::NamedText> MembersOf(const SystemExit& exit, uint16_t omit) {
  std::vector<model::NamedText> members = {{"time", std::to_string(exit.time_ms)},
                                           {"reason", std::to_string(exit.reason)},
                                           {"importance", std::to_string(exit.importance)},
                                           {"pss_kib", std::to_string(exit.pss_kib)}};
  if (!exit.sub_reason.empty()) members.push_back({"sub_reason", exit.sub_reason});
  if (!exit.description.empty() && (omit & dump::omit::kReason) == 0)
    members.push_back({"description", exit.description});
  if (!exit.no_trace.empty()) members.push_back({"no_traces", exit.no_trace});
  return members;
}

// Begin and end of an object without nested ones, in our own JSON; "": there is none.
std::string_view ObjectIn(std::string_view text, std::string_view name) {
  const size_t begin = text.find(name);
  if (begin == std::string_view::npos) return "";
  bool is_text = false;
  for (size_t at = begin + name.size(); at < text.size(); ++at)
    if (is_text && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      is_text = !is_text;
    else if (!is_text && text[at] == '}')
      return text.substr(begin, at + 1 - begin);
  return "";
}

// The beginning as a zlib stream, which ends early if all does not fit: the main thread is among
// the first.
std::vector<uint8_t> Packed(std::string_view text) {
  constexpr size_t kMostBytes = 40 * 1024;  // so that the record stays below 64 KiB
  constexpr int kWindowBits = 15;
  constexpr int kMemoryLevel = 8;
  std::vector<uint8_t> bytes;
  z_stream stream = {};
  if (text.empty() || deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowBits,
                                   kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    return bytes;
  bytes.resize(kMostBytes);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = bytes.data();
  stream.avail_out = kMostBytes;
  deflate(&stream, Z_FINISH);
  bytes.resize(kMostBytes - stream.avail_out);
  deflateEnd(&stream);
  return bytes;
}

void AddTraces(const settings::Config& config, const SystemExit& exit, JsonText* json) {
  std::string_view text = exit.trace;
  // The system writes its words about the ANR above the first process.
  if (config.omit.Has(settings::Part::kReason))
    text.remove_prefix(std::min(text.find("----- pid "), text.size()));
  const std::string traces = config.copy_traces ? Base64(Packed(text)) : "";
  Fields(*json, dump::JankFacts{nullptr, traces.empty() ? nullptr : traces.c_str()});
}

// Facts of the process that ended, which its session has. Else those that hold for each process of
// the install.
void AddIdentityOf(const std::vector<Left>& files, const context::Identity& identity, uint16_t omit,
                   JsonText* json) {
  for (const Left& left : files) {
    std::string text;
    if (omit != 0) break;  // it may have been written when less was left out
    if (!left.is_session || os::ReadFileText(left.path.c_str(), kMostFileBytes, &text) != 0)
      continue;
    const std::string_view known = ObjectIn(text, "\"identity\":{");
    if (known.empty()) continue;
    json->text().append(known) += ',';
    return;
  }
  constexpr std::array<std::string_view, 4> kLasting = {"install", "package", "model", "abi"};
  dump::JankIdentity lasting;
  for (model::ContextEntry& entry : identity.Describe({}, omit))
    if (entry.state == model::ContextEntry::State::kText &&
        std::ranges::find(kLasting, entry.name) != kLasting.end())
      lasting.known.push_back({std::move(entry.name), std::move(entry.text)});
  AddIdentity(lasting, json);
}

// The record of an ANR that the profiler has no hang of.
std::string OwnRecord(const settings::Config& config, const context::Identity& identity,
                      const SystemExit& exit, const std::vector<Left>& files,
                      const std::string& id) {
  const uint16_t omit = config.omit.bits();
  JsonText json("{", omit);
  dump::JankDescription jank;
  jank.process = exit.process.c_str();
  jank.time = exit.time_ms;
  jank.detail = "ANR";
  jank.is_foreground = exit.importance <= kMostImportance;
  jank.sampler_off = "only the system's traces are known";
  jank.group = settings::kSampled;
  AddDescription(jank, &json);
  AddIdentityOf(files, identity, omit, &json);
  AddTraces(config, exit, &json);
  dump::JankCounts counts;
  counts.count = 1;
  counts.newest_ms.push_back(0);
  counts.first_time = counts.last_time = exit.time_ms;
  AddCounts(counts, {id.c_str(), 1, false, false, "killed", MembersOf(exit, omit)}, &json);
  return json.Finish() += '\n';
}

}  // namespace

bool IsExitKnown(const std::string& folder, int32_t pid, uint64_t time_ms) {
  return ("\n" + ListText(folder)).find("\n" + LineOf(pid, time_ms)) != std::string::npos;
}

SpoolResult JoinExit(const settings::Config& config, const context::Identity& identity,
                     const SystemExit& exit, std::string* path) {
  path->clear();
  const std::string& folder = config.dump_dir;
  if (IsExitKnown(folder, exit.pid, exit.time_ms)) return SpoolResult::kWritten;
  const bool is_anr = exit.reason == kReasonAnr;
  const std::vector<Left> files = FilesOf(folder, exit);
  Joined joined = RecordIn(files, is_anr);
  const std::string_view known = ObjectIn(joined.text, "\"exit\":{");
  const std::string time = "\"time\":\"" + std::to_string(exit.time_ms) + "\"";
  const bool is_done = known.find(time) != std::string_view::npos;
  if (!known.empty() && !is_done) joined = {};  // that hang has its exit
  const bool is_joined = joined.file != nullptr && !is_done;
  std::string text;
  if (is_joined) {
    JsonText json("{", config.omit.bits());
    if (!joined.is_running) AddTraces(config, exit, &json);  // its samples may lack the ANR
    const std::vector<model::NamedText> members = MembersOf(exit, config.omit.bits());
    dump::ExitField(json, members);
    std::string added = json.Finish();
    added.front() = ',';
    added.pop_back();
    const bool is_open = joined.text.rfind("\"ended\":") == std::string::npos && joined.is_running;
    text = NextRevision(joined.text, (is_open ? ",\"ended\":\"killed\"" : "") + added);
    *path = RecordPath(folder, joined.file->id, joined.revision + 1);
  } else if (joined.file == nullptr && is_anr) {
    std::string id;
    const std::string own = identity.ProcessId(config.omit.bits());
    const uint64_t start_ms =
        files.empty() ? StartIn(exit.summary, exit.pid) : files.front().process.start_ms;
    id = own.substr(0, own.find('-') + 1) + std::to_string(start_ms) + "p" +
         std::to_string(exit.pid) + "-" + std::to_string(exit.time_ms);
    text = OwnRecord(config, identity, exit, files, id);
    *path = RecordPath(folder, id, 1);
  }
  SpoolResult result = SpoolResult::kWritten;
  if (!text.empty()) {
    const auto now_s = static_cast<int64_t>(core::CpuClockNs(CLOCK_REALTIME) / os::kNsPerSecond);
    const SpoolLimits limits = {config.jank_files, uint64_t{config.jank_kib_per_day} * 1024};
    result = WriteToSpool(folder, *path, text, limits, now_s);
    if (result == SpoolResult::kWritten && is_joined && *path != joined.file->path)
      unlink(joined.file->path.c_str());
  }
  if (result == SpoolResult::kWritten) AddToList(folder, exit);
  if (result != SpoolResult::kWritten || text.empty()) path->clear();
  return result;
}

}  // namespace stillframe::jank
