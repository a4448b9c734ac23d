// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/compare/jank_records.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "src/dump/decoder.h"
#include "src/dump/jank_record.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"

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

bool AddHistogram(const dump::JankCounts& counts, Jank* jank) {
  for (const auto& [from, count] : counts.histogram) {
    uint64_t ms = 0;
    const char* end = from.data() + from.size();
    const auto [last, code] = std::from_chars(from.data(), end, ms);
    if (code != std::errc() || last != end || ms > kMost) return false;
    jank->histogram[ms] += count;
  }
  return true;
}

}  // namespace

std::string JankText(const JankRecords& records, size_t rows) {
  const std::vector<Jank> janks = records.ByTime();
  uint64_t count = 0;
  uint64_t total_ms = 0;
  size_t method_columns = 6;
  for (const Jank& jank : janks) {
    count += jank.count;
    total_ms += jank.total_ms;
    method_columns = std::max(method_columns, index::CharacterCount(jank.method));
  }
  method_columns = std::min<size_t>(method_columns, 60);
  std::string out = fmt::format("{} in {}, {} ms\n\n", Counted(count, "jank"),
                                Counted(records.records(), "record"), Grouped(total_ms));
  const auto row = [&out](const auto&... cells) {
    out += fmt::format("{:>8} {:>12} {:>10}  {:>18}  {:<10}  {}  {}\n", cells...);
    while (out.size() > 1 && out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
  };
  const auto padded = [method_columns](std::string name) {
    const size_t length = index::CharacterCount(name);
    return length < method_columns ? name.append(method_columns - length, ' ') : name;
  };
  row("janks", "total ms", "longest", "typical", "last", padded("method"), "message");
  for (size_t i = 0; i < janks.size() && i < rows; ++i) {
    const Jank& jank = janks[i];
    const std::string scene = jank.scene.empty() ? "" : ", scene " + jank.scene;
    row(Grouped(jank.count), Grouped(jank.total_ms), Grouped(jank.longest_ms), Typical(jank),
        DayOf(jank.last_time_ms), padded(jank.method.empty() ? "no stack" : jank.method),
        jank.message + scene);
  }
  if (janks.size() > rows)
    out += fmt::format("and {} more; see --rows\n", Grouped(janks.size() - rows));
  return out;
}

std::string JankJson(const JankRecords& records, size_t rows) {
  std::vector<Jank> janks = records.ByTime();
  janks.resize(std::min(janks.size(), rows));
  nlohmann::ordered_json rows_json = nlohmann::ordered_json::array();
  for (const Jank& jank : janks) {
    nlohmann::ordered_json histogram = nlohmann::ordered_json::array();
    for (const auto& [from_ms, count] : jank.histogram)
      histogram.push_back({{"from_ms", from_ms}, {"count", count}});
    rows_json.push_back({{"method", jank.method},
                         {"message", jank.message},
                         {"scene", jank.scene},
                         {"records", jank.records},
                         {"count", jank.count},
                         {"total_ms", jank.total_ms},
                         {"longest_ms", jank.longest_ms},
                         {"last_realtime_ms", jank.last_time_ms},
                         {"histogram", histogram}});
  }
  const nlohmann::ordered_json json = {{"records", records.records()}, {"janks", rows_json}};
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

bool JankRecords::Add(std::string_view text, std::string* error) {
  *error = "is not a jank record";
  if (text.size() > kMaxRecordBytes) return false;
  const json parsed = json::parse(text, nullptr, false);
  RecordReader reader(parsed);
  dump::JankRecord record;
  Fields(reader, record);
  const dump::JankCounts& counts = record.counts;
  if (!reader.ok() || record.jank.cost == 0 || counts.count == 0) return false;
  Jank one;
  one.method = MethodOf(record.stack);
  one.message = FrameOf(record.jank) + MessageOf(record.jank);
  if (!AddHistogram(counts, &one)) return false;
  const std::string equal = one.method + "\n" + one.message;
  Jank& jank = janks_.try_emplace(equal, std::move(one)).first->second;
  if (jank.records != 0) AddHistogram(counts, &jank);
  ++records_;
  ++jank.records;
  jank.count += counts.count;
  jank.total_ms += counts.total_ms;
  jank.last_time_ms = std::max(jank.last_time_ms, counts.last_time);
  if (record.jank.cost > jank.longest_ms) {
    jank.longest_ms = record.jank.cost;
    jank.scene = Clean(record.jank.scene);
  }
  error->clear();
  return true;
}

std::vector<Jank> JankRecords::ByTime() const {
  std::vector<Jank> janks;
  for (const auto& [equal, jank] : janks_) janks.push_back(jank);
  std::ranges::stable_sort(janks, std::ranges::greater(), &Jank::total_ms);
  return janks;
}

}  // namespace stillframe::compare
