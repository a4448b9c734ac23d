// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/janks/jank_records.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::janks {
namespace {

using calltree::Counted;
using calltree::Grouped;
using nlohmann::json;

// "512 to 1,024 ms"
std::string Typical(const Jank& jank) {
  const uint64_t ms = jank.TypicalMs();
  return ms == 0 ? "" : fmt::format("{} to {} ms", Grouped(ms), Grouped(2 * ms));
}

std::string DayOf(uint64_t time_ms) {
  constexpr uint64_t kLastYear = 253'402'300'799'000;  // 9999
  if (time_ms == 0 || time_ms > kLastYear) return "";
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(time_ms / 1000)));
}

constexpr size_t kMaxName = 500;
constexpr uint64_t kMost = uint64_t{1} << 53;  // of any number, so that sums of many hold
constexpr size_t kMostBuckets = 64;            // twice as long each: of 64 bits there are no more

std::string TextAt(const json& record, const char* name) {
  const auto found = record.find(name);
  return found != record.end() && found->is_string()
             ? text::CleanText(found->get_ref<const std::string&>(), kMaxName)
             : std::string();
}

bool IsCount(const json& value) {
  return value.is_number_unsigned() && value.get<uint64_t>() <= kMost;
}

uint64_t CountAt(const json& record, const char* name) {
  const auto found = record.find(name);
  return found != record.end() && IsCount(*found) ? found->get<uint64_t>() : 0;
}

// Names as model::Segment numbers them.
std::string SegmentOf(uint64_t segment) {
  switch (segment) {
    case 2: return "idle handler";
    case 3: return "native callback";
    case 4: return "before the loop";
    case 5: return "the loop itself";
    case 6: return "unseen message";
    case 7: return "nested loop";
    default: return "outside messages";
  }
}

// Stages as model::FrameStage numbers them.
std::string FrameOf(const json& record) {
  constexpr const char* kStages[] = {
      "", "", "(input) ", "(animation) ", "(insets) ", "(traversal) ", "(commit) "};
  const auto frame = record.find("frozenFrame");
  if (frame == record.end() || *frame != true) return "";
  const uint64_t stage = CountAt(record, "stage");
  return std::string("frozen frame ") + (stage < std::size(kStages) ? kStages[stage] : "");
}

std::string MessageOf(const json& record) {
  const std::string target = TextAt(record, "target");
  const std::string callback = TextAt(record, "callback");
  if (const uint64_t segment = CountAt(record, "segment"); segment != 0)
    return SegmentOf(segment) + (callback.empty() ? "" : " " + callback);
  if (!callback.empty()) return "Runnable " + callback;
  const auto what = record.find("what");
  const std::string number =
      what != record.end() && what->is_number_integer() ? " what " + what->dump() : "";
  return (target.empty() ? "message" : target) + number;
}

// "ID|", and its name among the methods.
std::string MethodOf(const json& record) {
  std::string id = TextAt(record, "stackKey");
  if (!id.empty() && id.back() == '|') id.pop_back();
  const auto methods = record.find("methods");
  if (methods == record.end() || !methods->is_object()) return id;
  const std::string name = TextAt(*methods, id.c_str());
  return name.empty() ? id : name;
}

bool AddHistogram(const json& record, Jank* jank) {
  const auto buckets = record.find("histogram");
  if (buckets == record.end()) return true;
  if (!buckets->is_object() || buckets->size() > kMostBuckets) return false;
  for (const auto& [from, count] : buckets->items()) {
    uint64_t ms = 0;
    const char* end = from.data() + from.size();
    const auto [last, code] = std::from_chars(from.data(), end, ms);
    if (code != std::errc() || last != end || ms > kMost || !IsCount(count)) return false;
    jank->histogram[ms] += count.get<uint64_t>();
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
    method_columns = std::max(method_columns, text::CharacterCount(jank.method));
  }
  method_columns = std::min<size_t>(method_columns, 60);
  std::string out = fmt::format("{} in {}, {} ms\n\n", Counted(count, "jank"),
                                Counted(records.records(), "record"), Grouped(total_ms));
  const auto row = [&out](const auto&... cells) {
    out += fmt::format("{:>8} {:>12} {:>10}  {:>18}  {:<10}  {}  {}\n", cells...);
    while (out.size() > 1 && out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
  };
  const auto padded = [method_columns](std::string name) {
    const size_t length = text::CharacterCount(name);
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
  const json record = json::parse(text, nullptr, false);
  if (!record.is_object() || CountAt(record, "cost") == 0 || CountAt(record, "count") == 0)
    return false;
  Jank one;
  one.method = MethodOf(record);
  one.message = FrameOf(record) + MessageOf(record);
  if (!AddHistogram(record, &one)) return false;
  const std::string equal = one.method + "\n" + one.message;
  Jank& jank = janks_.try_emplace(equal, std::move(one)).first->second;
  if (jank.records != 0 && !AddHistogram(record, &jank)) return false;
  ++records_;
  ++jank.records;
  jank.count += CountAt(record, "count");
  jank.total_ms += CountAt(record, "total_ms");
  jank.last_time_ms = std::max(jank.last_time_ms, CountAt(record, "last_time"));
  if (const uint64_t cost = CountAt(record, "cost"); cost > jank.longest_ms) {
    jank.longest_ms = cost;
    jank.scene = TextAt(record, "scene");
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

}  // namespace stillframe::janks
