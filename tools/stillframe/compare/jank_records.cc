// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/compare/jank_records.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <utility>

#include "src/dump/decoder.h"
#include "src/dump/jank_record.h"
#include "src/dump/session_record.h"
#include "src/model/context_names.h"
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

constexpr size_t kMaxName = 500;
constexpr uint64_t kMost = uint64_t{1} << 53;  // of any number, so that sums do not overflow
constexpr size_t kMostBuckets = 64;            // each twice as long as the last

bool IsCount(const json& value) {
  return value.is_number_unsigned() && value.get<uint64_t>() <= kMost;
}

// Reads what src/dump/jank_record.h writes. A member of the wrong type counts as absent.
class RecordReader {
 public:
  template <typename T>
  using Of = T;

  explicit RecordReader(const json& record) : record_(record) {}

  // False if a histogram is invalid.
  bool ok() const { return ok_; }

  template <typename T>
  void operator()(const dump::Row& row, T& field) {
    const json& value = At(row);
    if constexpr (std::is_same_v<T, const char*>) {
      if (value.is_string()) field = value.get_ref<const std::string&>().c_str();
    } else if constexpr (std::is_same_v<T, bool>) {
      field = value == true;
    } else if (IsCount(value) || (value.is_number_integer() && !value.is_number_unsigned())) {
      const auto number = value.get<int64_t>();
      if (std::in_range<T>(number)) field = static_cast<T>(number);
    }
  }

  void Numbers(const dump::Row& row, std::vector<uint64_t>& numbers) {
    for (const json& number : At(row))
      if (IsCount(number)) numbers.push_back(number.get<uint64_t>());
  }

  void Named(const dump::Row& row, std::vector<model::NamedText>& members) {
    if (!At(row).is_object()) return;
    for (const auto& [name, value] : At(row).items())
      if (value.is_string()) members.push_back({name, value.get<std::string>()});
  }

  void Named(const dump::Row& row, std::vector<model::NamedCount>& members) {
    ok_ = At(row).size() <= kMostBuckets && (At(row).is_null() || At(row).is_object());
    for (const auto& [name, value] : At(row).items()) {
      if (!ok_ || !IsCount(value)) return void(ok_ = false);
      members.push_back({name, value.get<uint64_t>()});
    }
  }

  template <typename T>
  void AsRecord(T& item) {
    dump::Fields(*this, item);
  }

 private:
  const json& At(const dump::Row& row) const {
    static const json none;
    const auto found = record_.find(row.name);
    return found == record_.end() ? none : *found;
  }

  const json& record_;
  bool ok_ = true;
};

std::string Clean(std::string_view text) { return index::CleanText(text, kMaxName); }

template <typename Enum>
const EnumWords& WordsOf(int64_t number) {
  return kTableOf<Enum>.Of(dump::KnownOf<Enum>(static_cast<uint64_t>(number)));
}

std::string FrameOf(const dump::JankDescription& jank) {
  if (!jank.is_frozen_frame) return "";
  const bool is_known = jank.stage > static_cast<int64_t>(model::FrameStage::kUnknown);
  return is_known ? fmt::format("frozen frame ({}) ", WordsOf<model::FrameStage>(jank.stage).name)
                  : "frozen frame ";
}

std::string MessageOf(const dump::JankDescription& jank) {
  const std::string target = Clean(jank.target);
  const std::string callback = Clean(jank.callback);
  if (jank.segment > 0)
    return std::string(WordsOf<model::SegmentKind>(jank.segment).text) +
           (callback.empty() ? "" : " " + callback);
  if (!callback.empty()) return "Runnable " + callback;
  return fmt::format("{} what {}", target.empty() ? "message" : target, jank.what);
}

// The method of the key "ID|", and its name from the record's methods.
std::string MethodOf(const dump::JankStack& stack) {
  std::string id = Clean(stack.key == nullptr ? "" : stack.key);
  if (!id.empty() && id.back() == '|') id.pop_back();
  const auto method = std::ranges::find(stack.methods, id, &model::NamedText::name);
  return method == stack.methods.end() || method->value.empty() ? id : Clean(method->value);
}

bool AddHistogram(const std::vector<model::NamedCount>& histogram, Jank* jank) {
  for (const auto& [from, count] : histogram) {
    uint64_t ms = 0;
    const char* end = from.data() + from.size();
    const auto [last, code] = std::from_chars(from.data(), end, ms);
    if (code != std::errc() || last != end || ms > kMost) return false;
    jank->histogram[ms] += count;
  }
  return true;
}

// Empty if it is not base64 (RFC 4648).
std::string FromBase64(std::string_view text) {
  std::string bytes;
  uint32_t word = 0;
  uint32_t bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t value = kLetters.find(c);
    if (value == std::string_view::npos) return "";
    word = word << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 0xFF);
  }
  return bytes;
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

std::string KeyOf(const Subject& subject) {
  return subject.kind + "\n" + index::StableName(subject.method) + "\n" +
         index::StableName(subject.message);
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

// A build may inline the method into its caller, which is then named instead. The same leaf, or
// none in both, tells this from other work of the caller.
bool IsInlinedInto(const Subject& callee, const Subject& caller) {
  if (callee.method == caller.method) return false;
  return callee.leaf == callee.method ? caller.leaf == caller.method : callee.leaf == caller.leaf;
}

std::string InlinedKey(const Subject& subject, const std::string& method) {
  return subject.kind + "\n" + index::StableName(method) + "\n" +
         index::StableName(subject.message);
}

// `janks`: the largest first.
void JoinInlined(std::vector<Jank>* janks) {
  std::map<std::string, std::vector<Jank*>> by_caller;
  for (Jank& jank : *janks)
    if (!jank.subject.caller.empty())
      by_caller[InlinedKey(jank.subject, jank.subject.caller)].push_back(&jank);
  for (Jank& jank : *janks) {
    if (jank.subject.method.empty()) continue;
    const auto callees = by_caller.find(InlinedKey(jank.subject, jank.subject.method));
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

bool ReadFacts(std::string_view text, std::string* dump,
               std::vector<model::ContextEntry>* identity) {
  if (text.size() > kMaxRecordBytes || !text.starts_with('{')) return false;
  const json parsed = json::parse(text, nullptr, false);
  RecordReader reader(parsed);
  dump::JankRecord record;
  Fields(reader, record);
  if (!reader.ok() || record.jank.cost == 0 || record.counts.count == 0) return false;
  if (record.facts.dump != nullptr) *dump = FromBase64(record.facts.dump);
  const auto add = [identity](std::string_view group, const model::NamedText& fact, bool is_known) {
    model::ContextEntry entry;
    entry.group = group;
    entry.name = fact.name;
    entry.state =
        is_known ? model::ContextEntry::State::kText : model::ContextEntry::State::kAbsent;
    entry.text = fact.value;
    identity->push_back(std::move(entry));
  };
  for (const model::NamedText& fact : record.identity.known) {
    add(model::context::kIdentity, fact, true);
    // Where the rest of the tool looks for them.
    for (const std::string_view name :
         {model::context::kPackage, model::context::kVersionName, model::context::kVersionCode})
      if (fact.name == name) add(model::context::kProcess, fact, true);
  }
  for (const model::NamedText& fact : record.identity.absent)
    add(model::context::kIdentity, fact, false);
  return true;
}

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

bool JankRecords::AddSession(const void* parsed, std::string* error) {
  RecordReader reader(*static_cast<const json*>(parsed));
  dump::Session read;
  Fields(reader, read);
  const std::string id = Clean(read.id);
  if (!reader.ok() || id.empty()) return false;
  error->clear();
  Session& session = sessions_[id];
  if (read.revision < session.revision) return true;
  session = {};
  session.revision = read.revision;
  for (const model::NamedText& fact : read.identity.known)
    session.facts[Clean(fact.name)] = Clean(fact.value);
  session.facts["process"] = Clean(read.process);
  session.facts["group"] = Clean(read.group);
  Sessions& sums = session.sums;
  sums.processes = 1;
  sums.killed = read.ended != nullptr && std::string_view(read.ended) == "killed" ? 1 : 0;
  sums.alive_ms = read.alive_ms;
  sums.foreground_ms = read.foreground_ms;
  sums.watched_ms = read.watched_ms;
  if (read.watched_ms != 0) sums.rated_ms = read.foreground_ms;
  sums.messages = read.messages;
  sums.janks = read.janks;
  sums.jank_ms = read.jank_ms;
  sums.frames = read.frames;
  sums.frames_missed = read.frames_missed;
  sums.control = session.facts["group"] == "control" ? 1 : 0;
  const std::string sampler = Clean(read.sampler);
  if (sums.control == 0 && !sampler.starts_with("on")) sums.off[sampler] = 1;
  return true;
}

bool JankRecords::Add(std::string_view text, std::string* error, const std::string& path) {
  *error = "is not a jank record";
  if (text.size() > kMaxRecordBytes) return false;
  const json parsed = json::parse(text, nullptr, false);
  if (parsed.is_object() && parsed.contains("alive_ms")) return AddSession(&parsed, error);
  RecordReader reader(parsed);
  dump::JankRecord record;
  Fields(reader, record);
  const dump::JankCounts& counts = record.counts;
  Hang hang;
  if (!reader.ok() || record.jank.cost == 0 || counts.count == 0 ||
      !AddHistogram(counts.histogram, &hang.counts))
    return false;
  error->clear();
  std::string id = Clean(record.revision.id);
  if (id.empty()) id = fmt::format("\n{}", without_id_++);
  Hang& known = hangs_[id];
  // If revisions are equal, the one that is not truncated counts.
  const size_t facts =
      record.facts.dump == nullptr ? 0 : std::string_view(record.facts.dump).size();
  if (known.counts.count != 0 &&
      std::tuple(record.revision.revision, facts) <= std::tuple(known.revision, known.facts_size))
    return true;
  hang.path = path;
  hang.revision = record.revision.revision;
  hang.is_debugged = record.revision.is_debugged;
  hang.facts_size = facts;
  hang.subject.method = MethodOf(record.stack);
  hang.subject.message = FrameOf(record.jank) + MessageOf(record.jank);
  for (const model::NamedText& fact : record.identity.known)
    hang.facts[Clean(fact.name)] = Clean(fact.value);
  hang.facts["process"] = Clean(record.jank.process);
  hang.facts["scene"] = Clean(record.jank.scene);
  hang.facts["group"] = Clean(record.jank.group);
  hang.counts.records = 1;
  hang.counts.count = counts.count;
  hang.counts.total_ms = counts.total_ms;
  hang.counts.longest_ms = record.jank.cost;
  hang.counts.unfinished = record.revision.is_running ? 1 : 0;
  hang.counts.last_time_ms = counts.last_time;
  hang.counts.scene = Clean(record.jank.scene);
  if (!path.empty()) hang.counts.examples = {path};
  if (!known.path.empty()) ids_.erase(known.path);
  if (!path.empty()) ids_[path] = id;
  known = std::move(hang);
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
    const auto [cluster, is_new] = clusters.try_emplace(KeyOf(hang.subject), one);
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
