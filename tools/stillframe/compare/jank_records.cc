// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/compare/jank_records.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <utility>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::compare {
namespace {

using index::Counted;
using index::Grouped;
using nlohmann::json;

// "512 to 1,024 ms"
std::string Typical(const Jank& jank) {
  const uint64_t ms = jank.TypicalMs();
  return ms == 0 ? "" : fmt::format("{} to {} ms", Grouped(ms), Grouped(2 * ms));
}

std::string DayOf(uint64_t time_ms) {
  constexpr uint64_t kLastYear = 253'402'300'799'000;  // year 9999
  if (time_ms == 0 || time_ms > kLastYear) return "";
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(time_ms / 1000)));
}

// Names in `by` and `where` that are shorter than those of identity.
std::string FactName(std::string_view name) {
  if (name == "version") return "version_name";
  if (name == "api") return "api_level";
  return std::string(name);
}

constexpr const char* kUnknown = "unknown";

std::string ValueOf(const std::map<std::string, std::string>& facts, const std::string& name) {
  auto found = facts.find(FactName(name));
  // Not every application names its version.
  if (found == facts.end() && name == "version") found = facts.find("version_code");
  return found == facts.end() || found->second.empty() ? kUnknown : found->second;
}

void AddTo(const Jank& more, Jank* jank) {
  for (const auto& [ms, count] : more.histogram) jank->histogram[ms] += count;
  jank->records += more.records;
  jank->count += more.count;
  jank->total_ms += more.total_ms;
  jank->unfinished += more.unfinished;
  jank->last_time_ms = std::max(jank->last_time_ms, more.last_time_ms);
  for (const auto& [name, values] : more.by) {
    for (const auto& [value, counts] : values) {
      jank->by[name][value].count += counts.count;
      jank->by[name][value].total_ms += counts.total_ms;
    }
  }
  if (std::tie(more.longest_ms, jank->examples) > std::tie(jank->longest_ms, more.examples)) {
    jank->longest_ms = more.longest_ms;
    jank->subject = more.subject;
    jank->scene = more.scene;
    jank->examples.insert(jank->examples.begin(), more.examples.begin(), more.examples.end());
  } else {
    jank->examples.insert(jank->examples.end(), more.examples.begin(), more.examples.end());
  }
  constexpr size_t kMaxExamples = 5;
  jank->examples.resize(std::min(jank->examples.size(), kMaxExamples));
}

// `janks`: the largest first.
void JoinInlined(std::vector<Jank>* janks) {
  std::map<std::string, std::vector<Jank*>> by_caller;
  for (Jank& jank : *janks)
    if (!jank.subject.caller.empty())
      by_caller[ClusterKey(jank.subject, jank.subject.caller)].push_back(&jank);
  for (Jank& jank : *janks) {
    if (jank.subject.method.empty()) continue;
    const auto callees = by_caller.find(ClusterKey(jank.subject, jank.subject.method));
    if (callees == by_caller.end()) continue;
    const auto callee = std::ranges::find_if(callees->second, [&jank](const Jank* other) {
      return other->count != 0 && IsInlinedInto(other->subject, jank.subject);
    });
    if (callee == callees->second.end()) continue;
    Subject subject = (*callee)->subject;
    AddTo(jank, *callee);
    (*callee)->subject = std::move(subject);
    jank.count = 0;  // it is counted there
  }
  std::erase_if(*janks, [](const Jank& jank) { return jank.count == 0; });
}

std::string Hours(uint64_t ms) {
  const double minutes = static_cast<double>(ms) / 60'000.0;
  return minutes < 60 ? fmt::format("{:.1f} min", minutes) : fmt::format("{:.1f} h", minutes / 60);
}

std::string SessionsText(const Sessions& sums) {
  if (sums.processes == 0) return "";
  std::string out =
      fmt::format("{} ({} killed): {} watched, {} in the foreground",
                  sums.processes == 1 ? "1 process" : Grouped(sums.processes) + " processes",
                  Grouped(sums.killed), Hours(sums.watched_ms), Hours(sums.foreground_ms));
  constexpr uint64_t kLeastForRateMs = 60'000;
  if (sums.rated_ms >= kLeastForRateMs)
    out += fmt::format(
        "; {:.2f} janks and {:.1f} s of them per hour in the foreground",
        static_cast<double>(sums.janks) * 3'600'000.0 / static_cast<double>(sums.rated_ms),
        static_cast<double>(sums.jank_ms) * 3'600.0 / static_cast<double>(sums.rated_ms));
  out += "\n";
  if (sums.frames != 0)
    out += fmt::format("{}, {} missed\n", index::Counted(sums.frames, "frame"),
                       Grouped(sums.frames_missed));
  if (sums.control != 0) out += fmt::format("{} in the control group\n", Grouped(sums.control));
  for (const auto& [reason, count] : sums.off)
    out += fmt::format("{} without samples: {}\n", Grouped(count), reason);
  return out;
}

}  // namespace

std::string JankText(const JankRecords& records, size_t rows, const JankOptions& options) {
  const std::vector<Jank> janks = records.ByTime(options);
  uint64_t count = 0;
  uint64_t total_ms = 0;
  uint64_t counted = 0;
  size_t method_columns = 6;
  for (const Jank& jank : janks) {
    count += jank.count;
    total_ms += jank.total_ms;
    counted += jank.records;
    method_columns = std::max(method_columns, index::CharacterCount(jank.subject.method));
  }
  method_columns = std::min<size_t>(method_columns, 60);
  std::string out = fmt::format("{} in {}, {} ms\n", Counted(count, "jank"),
                                Counted(counted, "record"), Grouped(total_ms));
  if (records.debugged() != 0)
    out += fmt::format("{} made under a debugger: not counted\n",
                       Counted(records.debugged(), "record"));
  if (records.emulated() != 0)
    out += fmt::format("{} from emulators\n", Counted(records.emulated(), "record"));
  out += SessionsText(records.SumSessions(options)) + "\n";
  const auto row = [&out](const auto&... cells) {
    out += fmt::format("{:>8} {:>12} {:>10}  {:>18}  {:<10}  {:<12}  {}  {}\n", cells...);
    while (out.size() > 1 && out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
  };
  const auto padded = [method_columns](std::string name) {
    const size_t length = index::CharacterCount(name);
    return length < method_columns ? name.append(method_columns - length, ' ') : name;
  };
  row("janks", "total ms", "longest", "typical", "last", "kind", padded("method"),
      "caller, message");
  for (size_t i = 0; i < janks.size() && i < rows; ++i) {
    const Jank& jank = janks[i];
    const Subject& subject = jank.subject;
    const std::string scene = jank.scene.empty() ? "" : ", scene " + jank.scene;
    const std::string caller = subject.caller.empty() ? "" : "from " + subject.caller + ", ";
    row(Grouped(jank.count), Grouped(jank.total_ms), Grouped(jank.longest_ms), Typical(jank),
        DayOf(jank.last_time_ms), subject.kind,
        padded(subject.method.empty() ? "no stack" : subject.method),
        fmt::format("{}{}{}{}", caller, subject.message, scene,
                    jank.unfinished == 0 ? "" : fmt::format(", {} unfinished", jank.unfinished)));
    for (const auto& [name, values] : jank.by)
      for (const auto& [value, counts] : values)
        out += fmt::format("{:>8} {:>12}   {} {}\n", Grouped(counts.count),
                           Grouped(counts.total_ms), name, value);
  }
  if (janks.size() > rows)
    out += fmt::format("and {} more; see --rows\n", Grouped(janks.size() - rows));
  return out;
}

std::string JankJson(const JankRecords& records, size_t rows, const JankOptions& options) {
  using nlohmann::ordered_json;
  std::vector<Jank> janks = records.ByTime(options);
  janks.resize(std::min(janks.size(), rows));
  ordered_json rows_json = ordered_json::array();
  for (const Jank& jank : janks) {
    ordered_json histogram = ordered_json::array();
    for (const auto& [from_ms, count] : jank.histogram)
      histogram.push_back({{"from_ms", from_ms}, {"count", count}});
    ordered_json by = ordered_json::object();
    for (const auto& [name, values] : jank.by)
      for (const auto& [value, counts] : values)
        by[name].push_back(
            {{"value", value}, {"count", counts.count}, {"total_ms", counts.total_ms}});
    rows_json.push_back({{"method", jank.subject.method},
                         {"caller", jank.subject.caller},
                         {"kind", jank.subject.kind},
                         {"message", jank.subject.message},
                         {"scene", jank.scene},
                         {"records", jank.records},
                         {"count", jank.count},
                         {"total_ms", jank.total_ms},
                         {"longest_ms", jank.longest_ms},
                         {"unfinished", jank.unfinished},
                         {"last_realtime_ms", jank.last_time_ms},
                         {"histogram", histogram},
                         {"by", by},
                         {"examples", jank.examples}});
  }
  const Sessions sums = records.SumSessions(options);
  ordered_json off = ordered_json::array();
  for (const auto& [reason, count] : sums.off)
    off.push_back({{"reason", reason}, {"processes", count}});
  const ordered_json json = {{"records", records.records()},
                             {"debugged", records.debugged()},
                             {"emulated", records.emulated()},
                             {"sessions",
                              {{"processes", sums.processes},
                               {"killed", sums.killed},
                               {"control", sums.control},
                               {"alive_ms", sums.alive_ms},
                               {"foreground_ms", sums.foreground_ms},
                               {"watched_ms", sums.watched_ms},
                               {"rated_ms", sums.rated_ms},
                               {"messages", sums.messages},
                               {"janks", sums.janks},
                               {"jank_ms", sums.jank_ms},
                               {"frames", sums.frames},
                               {"frames_missed", sums.frames_missed},
                               {"off", off}}},
                             {"janks", rows_json}};
  return json.dump(1) + "\n";
}

uint64_t Jank::TypicalMs() const {
  uint64_t all = 0;
  for (const auto& [ms, number] : histogram) all += number;
  uint64_t before = 0;
  for (const auto& [ms, number] : histogram) {
    before += number;
    if (before * 2 >= all) return ms;
  }
  return 0;
}

void JankRecords::AddSession(const SessionFile& read) {
  Session& session = sessions_[read.id];
  if (read.revision < session.revision) return;
  session = {.revision = read.revision, .facts = read.facts, .sums = read.sums};
}

bool JankRecords::Add(std::string_view text, std::string* error, const std::string& path) {
  HangFile hang;
  SessionFile session;
  const FileKind kind = ReadRecordFile(text, &hang, &session, error);
  if (kind == FileKind::kSession) AddSession(session);
  if (kind != FileKind::kHang) return kind == FileKind::kSession;
  if (hang.id.empty()) hang.id = fmt::format("\n{}", without_id_++);
  Hang& known = hangs_[hang.id];
  // If revisions are equal, the one that is not truncated counts.
  const size_t facts = hang.facts_size;
  if (known.counts.count != 0 &&
      std::tuple(hang.revision, facts) <= std::tuple(known.revision, known.facts_size))
    return true;
  if (!known.path.empty()) ids_.erase(known.path);
  if (!path.empty()) ids_[path] = hang.id;
  known = {.path = path,
           .revision = hang.revision,
           .is_debugged = hang.is_debugged,
           .facts_size = facts,
           .subject = hang.subject,
           .facts = hang.facts,
           .counts = {}};
  known.counts.records = 1;
  known.counts.count = hang.count;
  known.counts.total_ms = hang.total_ms;
  known.counts.longest_ms = hang.longest_ms;
  known.counts.unfinished = hang.is_running ? 1 : 0;
  known.counts.last_time_ms = hang.last_time_ms;
  known.counts.histogram = hang.histogram;
  known.counts.scene = hang.facts["scene"];
  if (!path.empty()) known.counts.examples = {path};
  return true;
}

std::vector<std::string> JankRecords::FactsPaths() const {
  std::vector<std::string> paths;
  for (const auto& [id, hang] : hangs_)
    if (hang.facts_size != 0 && !hang.path.empty()) paths.push_back(hang.path);
  return paths;
}

void JankRecords::SetSubject(const std::string& path, Subject subject) {
  const auto id = ids_.find(path);
  if (id == ids_.end()) return;
  Subject& known = hangs_[id->second].subject;
  if (subject.method.empty()) subject.method = known.method;
  if (subject.message.empty() || known.message.starts_with("frozen frame"))
    subject.message = known.message;
  known = std::move(subject);
}

bool JankRecords::Has(const Facts& facts, const JankOptions& options) {
  return std::ranges::all_of(
      options.where,
      [&facts](const auto& condition) {
        return ValueOf(facts, condition.first) == condition.second;
      });
}

uint64_t JankRecords::debugged() const {
  return static_cast<uint64_t>(std::ranges::count_if(
      hangs_, [](const auto& item) { return item.second.is_debugged; }));
}

uint64_t JankRecords::emulated() const {
  return static_cast<uint64_t>(std::ranges::count_if(
      hangs_,
      [](const auto& item) {
        return !item.second.is_debugged && ValueOf(item.second.facts, "emulator") == "1";
      }));
}

Sessions JankRecords::SumSessions(const JankOptions& options) const {
  Sessions all;
  for (const auto& [id, session] : sessions_) {
    if (!Has(session.facts, options)) continue;
    const Sessions& one = session.sums;
    all.processes += one.processes;
    all.killed += one.killed;
    all.alive_ms += one.alive_ms;
    all.foreground_ms += one.foreground_ms;
    all.watched_ms += one.watched_ms;
    all.rated_ms += one.rated_ms;
    all.messages += one.messages;
    all.janks += one.janks;
    all.jank_ms += one.jank_ms;
    all.frames += one.frames;
    all.frames_missed += one.frames_missed;
    all.control += one.control;
    for (const auto& [reason, count] : one.off) all.off[reason] += count;
  }
  return all;
}

std::vector<Jank> JankRecords::ByTime(const JankOptions& options) const {
  std::map<std::string, Jank> clusters;
  for (const auto& [id, hang] : hangs_) {
    if (hang.is_debugged || !Has(hang.facts, options)) continue;
    Jank one = hang.counts;
    one.subject = hang.subject;
    for (const std::string& name : options.by)
      one.by[name][ValueOf(hang.facts, name)] = {one.count, one.total_ms};
    const auto [cluster, is_new] =
        clusters.try_emplace(ClusterKey(hang.subject, hang.subject.method), one);
    if (!is_new) AddTo(one, &cluster->second);
  }
  std::vector<Jank> janks;
  janks.reserve(clusters.size());
  for (auto& [key, jank] : clusters) janks.push_back(std::move(jank));
  std::ranges::stable_sort(janks, std::ranges::greater(), &Jank::total_ms);
  JoinInlined(&janks);
  std::ranges::stable_sort(janks, std::ranges::greater(), &Jank::total_ms);
  return janks;
}

}  // namespace stillframe::compare
