// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/record_file.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <ranges>
#include <utility>

#include "src/dump/decoder.h"
#include "src/dump/jank_record.h"
#include "src/dump/session_record.h"
#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/exit_reason.h"

namespace stillframe::input {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr size_t kMaxName = 500;
constexpr uint64_t kMost = uint64_t{1} << 53;  // of any number, so that sums do not overflow
constexpr size_t kMostBuckets = 64;            // each twice as long as the last

bool IsCount(element value, uint64_t* count) {
  return value.get(*count) == simdjson::SUCCESS && *count <= kMost;
}

// Reads what src/dump/jank_record.h writes. A member of the wrong type counts as absent. Texts
// refer to the parser's memory.
class RecordReader {
 public:
  template <typename T>
  using Of = T;

  explicit RecordReader(object record) : record_(record), next_(record.begin()) {}

  // False if a histogram is invalid.
  bool ok() const { return ok_; }

  template <typename T>
  void operator()(const dump::Row& row, T& field) {
    element value;
    if (!Find(row.name, &value)) return;
    if constexpr (std::is_same_v<T, const char*>) {
      if (value.is_string()) field = value.get_c_str();
    } else if constexpr (std::is_same_v<T, bool>) {
      field = value.is_bool() && bool{value};
    } else {
      int64_t number = 0;
      if (value.get(number) == simdjson::SUCCESS && number <= static_cast<int64_t>(kMost) &&
          std::in_range<T>(number))
        field = static_cast<T>(number);
    }
  }

  void Numbers(const dump::Row& row, std::vector<uint64_t>& numbers) {
    element value;
    simdjson::dom::array items;
    if (!Find(row.name, &value) || value.get(items) != simdjson::SUCCESS) return;
    uint64_t count = 0;
    for (const element item : items)
      if (IsCount(item, &count)) numbers.push_back(count);
  }

  void Named(const dump::Row& row, std::vector<model::NamedText>& members) {
    element value;
    object items;
    if (!Find(row.name, &value) || value.get(items) != simdjson::SUCCESS) return;
    std::string_view text;
    for (const auto& [name, item] : items)
      if (item.get(text) == simdjson::SUCCESS)
        members.push_back({std::string(name), std::string(text)});
  }

  void Named(const dump::Row& row, std::vector<model::NamedCount>& members) {
    element value;
    object items;
    if (!Find(row.name, &value) || value.is_null()) return;
    ok_ = value.get(items) == simdjson::SUCCESS && items.size() <= kMostBuckets;
    if (!ok_) return;
    uint64_t count = 0;
    for (const auto& [name, item] : items) {
      ok_ = ok_ && IsCount(item, &count);
      members.push_back({std::string(name), count});
    }
  }

  template <typename T>
  void AsRecord(T& item) {
    dump::Fields(*this, item);
  }

 private:
  // Members come in the order in which they are asked for, so the search begins after the last one.
  bool Find(std::string_view name, element* value) {
    const object::iterator begin = next_;
    for (object::iterator at = begin; at != record_.end(); ++at)
      if (Take(name, at, value)) return true;
    for (object::iterator at = record_.begin(); at != begin; ++at)
      if (Take(name, at, value)) return true;
    return false;
  }
  bool Take(std::string_view name, object::iterator at, element* value) {
    if (at.key() != name) return false;
    *value = at.value();
    next_ = ++at;
    return true;
  }

  object record_;
  object::iterator next_;
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
  if (target == model::kBeatTarget) return "beat";
  return fmt::format("{} what {}", target.empty() ? "message" : target, jank.what);
}

std::string ThreadOf(const dump::JankDescription& jank) {
  if (jank.thread == nullptr) return "";
  const std::string name = Clean(jank.thread);
  return name.empty() ? "another thread" : "thread " + name;
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

// The bits of each letter at each of the four places in a group, as three bytes in the order of
// memory; above them a bit that marks other characters (RFC 4648).
constexpr uint32_t kNoLetter = 1U << 24;
constexpr std::array<std::array<uint32_t, 256>, 4> kBitsOfLetters = [] {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::array<uint32_t, 256>, 4> bits = {};
  for (size_t place = 0; place < bits.size(); ++place) {
    bits[place].fill(kNoLetter);
    for (uint32_t i = 0; i < kLetters.size(); ++i) {
      const uint32_t group = i << (18 - 6 * place);
      bits[place][static_cast<uint8_t>(kLetters[i])] =
          group >> 16 | (group & 0xFF00) | (group & 0xFF) << 16;
    }
  }
  return bits;
}();

// Empty if it is not base64.
std::string FromBase64(std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  const size_t size = text.size() * 3 / 4;
  std::string bytes((text.size() + 3) / 4 * 3 + 1, '\0');  // a group writes a byte beyond it
  char* out = bytes.data();
  uint32_t all = 0;
  const auto add = [&out, &all](const char* four) {
    uint32_t group = 0;
    for (size_t i = 0; i < 4; ++i) group |= kBitsOfLetters[i][static_cast<uint8_t>(four[i])];
    all |= group;
    std::memcpy(out, &group, sizeof group);
    out += 3;
  };
  for (; text.size() >= 4; text.remove_prefix(4)) add(text.data());
  if (!text.empty()) add((std::string(text) + "AAA").c_str());
  bytes.resize(size);
  return (all & kNoLetter) == 0 ? bytes : "";
}

void AddFacts(const std::vector<model::NamedText>& known, Facts* facts) {
  for (const model::NamedText& fact : known) (*facts)[Clean(fact.name)] = Clean(fact.value);
}

bool ReadSession(object parsed, SessionFile* session) {
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
  session->is_killed = read.ended != nullptr && std::string_view(read.ended) == "killed";
  session->alive_ms = read.alive_ms;
  session->foreground_ms = read.foreground_ms;
  session->was_watched = read.watched_ms != 0;
  session->messages = read.messages;
  session->hangs = read.janks;
  session->hang_ms = read.jank_ms;
  session->frames = read.frames;
  session->frames_missed = read.frames_missed;
  session->is_control = session->facts["group"] == "control";
  const std::string sampler = Clean(read.sampler);
  if (!session->is_control && !sampler.starts_with("on")) session->unsampled = sampler;
  return true;
}

uint64_t NumberIn(std::string_view text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && number <= kMost ? number : 0;
}

std::string ReasonName(const std::string& number) {
  const uint64_t reason = NumberIn(number);
  return reason < index::kExitReasons.size() ? std::string(index::kExitReasons[reason].name)
                                             : "reason " + number;
}

// How long the system had waited: "Waited 5001ms for" in its description; 0: it does not say.
uint64_t WaitedMs(std::string_view description) {
  constexpr std::string_view kWaited = "aited ";
  const size_t at = description.find(kWaited);
  if (at == std::string_view::npos) return 0;
  description.remove_prefix(at + kWaited.size());
  const size_t digits = std::min(description.find_first_not_of("0123456789"), description.size());
  constexpr uint64_t kMostMs = 3'600'000;  // the system's limits are a few minutes
  const uint64_t ms =
      description.substr(digits).starts_with("ms") ? NumberIn(description.substr(0, digits)) : 0;
  return ms <= kMostMs ? ms : 0;
}

// At most a thousand times as much, and of a stream that ends early what there is.
std::string Inflated(std::string_view bytes) {
  constexpr size_t kMostBytes = 4 << 20;
  z_stream stream = {};
  if (bytes.empty() || inflateInit(&stream) != Z_OK) return "";
  std::string text(kMostBytes, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  inflate(&stream, Z_SYNC_FLUSH);
  text.resize(text.size() - stream.avail_out);
  inflateEnd(&stream);
  return text;
}

void AddExit(const dump::JankRecord& record, HangFile* hang) {
  for (const model::NamedText& member : record.revision.exit)
    hang->exit[Clean(member.name)] = Clean(member.value);
  if (hang->exit.empty()) return;
  std::string& reason = hang->exit[std::string(model::context::kExitReason)];
  hang->facts["exit"] = reason = ReasonName(reason);
  if (record.jank.cost != 0) return;
  const std::string& description = hang->exit[std::string(model::context::kExitDescription)];
  hang->total_ms = hang->longest_ms = WaitedMs(description);
  hang->facts["stacks"] = "of the system";
  hang->message = "message not known";
  if (record.facts.system_traces == nullptr) return;
  const std::string traces = Inflated(FromBase64(record.facts.system_traces));
  std::string line = description;
  std::ranges::replace(line, '\n', ' ');
  if (!traces.empty()) hang->system_traces = "Subject: " + line + "\n\n" + traces;
}

bool ReadHang(object parsed, HangFile* hang) {
  RecordReader reader(parsed);
  dump::JankRecord record;
  Fields(reader, record);
  const dump::JankCounts& counts = record.counts;
  const bool is_system_s = !record.revision.exit.empty();
  if (!reader.ok() || (record.jank.cost == 0 && !is_system_s) || counts.count == 0 ||
      !AddHistogram(counts.histogram, hang))
    return false;
  hang->id = Clean(record.revision.id);
  hang->revision = record.revision.revision;
  hang->is_debugged = record.revision.is_debugged;
  hang->is_running = record.revision.is_running;
  hang->method = MethodOf(record.stack);
  hang->message = FrameOf(record.jank) + MessageOf(record.jank);
  hang->thread = ThreadOf(record.jank);
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
  AddExit(record, hang);
  return true;
}

}  // namespace

FileKind ReadRecordFile(std::string_view text, HangFile* hang, SessionFile* session,
                        std::string* error) {
  *error = "is not a jank record";
  if (text.size() > kMaxRecordBytes) return FileKind::kNeither;
  thread_local simdjson::dom::parser parser;  // keeps its memory
  object parsed;
  if (parser.parse(text).get(parsed) != simdjson::SUCCESS) return FileKind::kNeither;
  const bool is_session = parsed["alive_ms"].error() == simdjson::SUCCESS;
  if (!(is_session ? ReadSession(parsed, session) : ReadHang(parsed, hang)))
    return FileKind::kNeither;
  error->clear();
  return is_session ? FileKind::kSession : FileKind::kHang;
}

std::vector<model::ContextEntry> HangFile::Context() const {
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
  constexpr std::array<std::string_view, 6> kNotIdentity = {"process", "scene", "group",
                                                            "machine", "exit",  "stacks"};
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
  if (exit.empty()) return entries;
  for (const auto& [name, text] : exit) add(model::context::kExit, name, text, true);
  const auto time = exit.find("time");
  const uint64_t exit_ms = time == exit.end() ? 0 : NumberIn(time->second);
  if (exit_ms > last_time_ms && last_time_ms != 0)
    add(model::context::kExit, std::string(model::context::kExitAfterMs),
        std::to_string(exit_ms - last_time_ms), true);
  return entries;
}

bool ReadFacts(std::string_view text, RecordFacts* facts) {
  HangFile hang;
  SessionFile session;
  std::string error;
  if (!text.starts_with('{') || ReadRecordFile(text, &hang, &session, &error) != FileKind::kHang)
    return false;
  facts->dump = std::move(hang.dump);
  facts->traces = std::move(hang.system_traces);
  facts->context = hang.Context();
  return true;
}

}  // namespace stillframe::input
