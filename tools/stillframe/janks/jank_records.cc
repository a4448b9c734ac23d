// SPDX-License-Identifier: Apache-2.0
// Records are from outside: each field is looked at before it is believed.
#include "tools/stillframe/janks/jank_records.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/stillframe/text/clean_text.h"

namespace stillframe::janks {
namespace {

using nlohmann::json;

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
  *error = "is no record of a jank";
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
