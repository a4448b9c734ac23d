// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/compare/record_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "src/dump/decoder.h"
#include "src/dump/jank_record.h"
#include "src/dump/session_record.h"
#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_text.h"

namespace stillframe::compare {
namespace {

using nlohmann::json;

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

bool AddHistogram(const std::vector<model::NamedCount>& histogram, HangFile* hang) {
  for (const auto& [from, count] : histogram) {
    uint64_t ms = 0;
    const char* end = from.data() + from.size();
    const auto [last, code] = std::from_chars(from.data(), end, ms);
    if (code != std::errc() || last != end || ms > kMost) return false;
    hang->histogram[ms] += count;
  }
  return true;
}

// Empty if it is not base64 (RFC 4648).
std::string FromBase64(std::string_view text) {
  static constexpr uint8_t kNoLetter = 64;
  static constexpr std::array<uint8_t, 256> kValues = [] {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<uint8_t, 256> values = {};
    values.fill(kNoLetter);
    for (size_t i = 0; i < kLetters.size(); ++i)
      values[static_cast<uint8_t>(kLetters[i])] = static_cast<uint8_t>(i);
    return values;
  }();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  const size_t size = text.size() * 3 / 4;
  std::string bytes((text.size() + 3) / 4 * 3, '\0');
  char* out = bytes.data();
  uint8_t all = 0;
  const auto add = [&out, &all](const char* four) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4; ++i) {
      const uint8_t value = kValues[static_cast<uint8_t>(four[i])];
      all |= value;
      word = word << 6 | value;
    }
    *out++ = static_cast<char>(word >> 16);
    *out++ = static_cast<char>(word >> 8);
    *out++ = static_cast<char>(word);
  };
  for (; text.size() >= 4; text.remove_prefix(4)) add(text.data());
  if (!text.empty()) add((std::string(text) + "AAA").c_str());
  bytes.resize(size);
  return (all & kNoLetter) == 0 ? bytes : "";
}

// The long text of the facts, which then need not be parsed. "" if it is not plainly there.
std::string_view FactsIn(std::string_view text) {
  // A quotation mark within a text has a backslash before it.
  constexpr std::string_view kMember = "\"facts\":\"";
  constexpr size_t kWorthwhile = 256;
  const size_t at = text.find(kMember);
  if (at == std::string_view::npos || text.find(kMember, at + 1) != std::string_view::npos)
    return "";
  const std::string_view rest = text.substr(at + kMember.size());
  const std::string_view facts = rest.substr(0, rest.find('"'));
  const bool is_member = rest.substr(facts.size()).starts_with("\",\"count\":");
  return is_member && facts.size() >= kWorthwhile && facts.find('\\') == std::string_view::npos
             ? facts
             : "";
}

void AddFacts(const std::vector<model::NamedText>& known, Facts* facts) {
  for (const model::NamedText& fact : known) (*facts)[Clean(fact.name)] = Clean(fact.value);
}

bool ReadSession(const json& parsed, SessionFile* session) {
  RecordReader reader(parsed);
  dump::Session read;
  Fields(reader, read);
  session->id = Clean(read.id);
  if (!reader.ok() || session->id.empty()) return false;
  session->revision = read.revision;
  session->time_ms = read.time;
  AddFacts(read.identity.known, &session->facts);
  session->facts["process"] = Clean(read.process);
  session->facts["group"] = Clean(read.group);
  Sessions& sums = session->sums;
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
  sums.control = session->facts["group"] == "control" ? 1 : 0;
  const std::string sampler = Clean(read.sampler);
  if (sums.control == 0 && !sampler.starts_with("on")) sums.off[sampler] = 1;
  return true;
}

bool ReadHang(const json& parsed, HangFile* hang) {
  RecordReader reader(parsed);
  dump::JankRecord record;
  Fields(reader, record);
  const dump::JankCounts& counts = record.counts;
  if (!reader.ok() || record.jank.cost == 0 || counts.count == 0 ||
      !AddHistogram(counts.histogram, hang))
    return false;
  hang->id = Clean(record.revision.id);
  hang->revision = record.revision.revision;
  hang->is_debugged = record.revision.is_debugged;
  hang->is_running = record.revision.is_running;
  hang->subject.method = MethodOf(record.stack);
  hang->subject.message = FrameOf(record.jank) + MessageOf(record.jank);
  AddFacts(record.identity.known, &hang->facts);
  hang->facts["process"] = Clean(record.jank.process);
  hang->facts["scene"] = Clean(record.jank.scene);
  hang->facts["group"] = Clean(record.jank.group);
  hang->facts["machine"] = Clean(record.jank.machine);
  hang->absent = record.identity.absent;
  hang->has_stack = record.stack.lines != nullptr && *record.stack.lines != '\0';
  if (record.facts.dump != nullptr) {
    const std::string_view facts = record.facts.dump;
    hang->dump = FromBase64(facts);
    hang->facts_size = facts.size();
  }
  hang->count = counts.count;
  hang->total_ms = counts.total_ms;
  hang->longest_ms = record.jank.cost;
  hang->first_time_ms = counts.first_time;
  hang->last_time_ms = counts.last_time;
  return true;
}

}  // namespace

FileKind ReadRecordFile(std::string_view text, HangFile* hang, SessionFile* session,
                        std::string* error) {
  *error = "is not a jank record";
  if (text.size() > kMaxRecordBytes) return FileKind::kNeither;
  std::string without;
  const std::string_view facts = FactsIn(text);
  if (!facts.empty()) {
    const auto at = static_cast<size_t>(facts.data() - text.data());
    without.append(text.substr(0, at)).append(text.substr(at + facts.size()));
  }
  const json parsed = json::parse(facts.empty() ? text : without, nullptr, false);
  const bool is_session = parsed.is_object() && parsed.contains("alive_ms");
  if (!(is_session ? ReadSession(parsed, session) : ReadHang(parsed, hang)))
    return FileKind::kNeither;
  error->clear();
  if (!facts.empty()) {
    hang->dump = FromBase64(facts);
    hang->facts_size = facts.size();
  }
  return is_session ? FileKind::kSession : FileKind::kHang;
}

std::vector<model::ContextEntry> HangFile::Identity() const {
  std::vector<model::ContextEntry> entries;
  const auto add = [&entries](std::string_view group, const std::string& name,
                              const std::string& text, bool is_known) {
    model::ContextEntry entry;
    entry.group = group;
    entry.name = name;
    entry.state =
        is_known ? model::ContextEntry::State::kText : model::ContextEntry::State::kAbsent;
    entry.text = text;
    entries.push_back(std::move(entry));
  };
  constexpr std::array<std::string_view, 4> kNotIdentity = {"process", "scene", "group", "machine"};
  for (const auto& [name, text] : facts) {
    if (std::ranges::find(kNotIdentity, name) != kNotIdentity.end()) continue;
    add(model::context::kIdentity, name, text, true);
    // Where the rest of the tool looks for them.
    for (const std::string_view copied :
         {model::context::kPackage, model::context::kVersionName, model::context::kVersionCode})
      if (name == copied) add(model::context::kProcess, name, text, true);
  }
  for (const model::NamedText& fact : absent)
    add(model::context::kIdentity, fact.name, fact.value, false);
  return entries;
}

bool ReadFacts(std::string_view text, std::string* dump,
               std::vector<model::ContextEntry>* identity) {
  HangFile hang;
  SessionFile session;
  std::string error;
  if (!text.starts_with('{') || ReadRecordFile(text, &hang, &session, &error) != FileKind::kHang)
    return false;
  *dump = std::move(hang.dump);
  *identity = hang.Identity();
  return true;
}

}  // namespace stillframe::compare
