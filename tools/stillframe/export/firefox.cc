// SPDX-License-Identifier: Apache-2.0
// The processed profile format, version 48: src/types/profile.js and
// docs-developer/CHANGELOG-formats.md of firefox-devtools/profiler.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "tools/stillframe/export/chosen_trees.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::exports {
namespace {

using nlohmann::ordered_json;

constexpr int kGeckoVersion = 27;
constexpr int kProcessedVersion = 48;
constexpr int kIntervalPhase = 1;

// Categories of the profile: what the main thread did. The first is the required grey one.
enum Category : uint32_t { kOther = 0, kRunning = 1, kStanding = 2, kMessages = 3 };

double Milliseconds(uint64_t ns) { return static_cast<double>(ns) / 1e6; }

Category CategoryOf(model::ThreadState state) {
  switch (model::ActivityOf(state)) {
    case model::Activity::kComputing:
    case model::Activity::kNative: return kRunning;
    case model::Activity::kWaiting:
    case model::Activity::kSleeping:
    case model::Activity::kBlocked:
    case model::Activity::kRuntime: return kStanding;
    case model::Activity::kUnknown: break;
  }
  return kOther;
}

// A table of the format: arrays of equal length, by column.
class Table {
 public:
  explicit Table(std::initializer_list<const char*> columns) {
    for (const char* column : columns) json_[column] = ordered_json::array();
  }
  void Add(std::initializer_list<ordered_json> row) {
    auto column = json_.begin();
    for (const ordered_json& value : row) {
      column->push_back(value);
      ++column;
    }
    ++length_;
  }
  size_t length() const { return length_; }
  ordered_json Take() {
    json_["length"] = length_;
    return std::move(json_);
  }

 private:
  ordered_json json_ = ordered_json::object();
  size_t length_ = 0;
};

class ThreadBuilder {
 public:
  explicit ThreadBuilder(const index::DumpIndex& index)
      : index_(index), known_frames_(index.document().frames) {}

  ordered_json Build(std::optional<Token> token) {
    AddSamples(ChooseTrees(index_, token));
    AddMarkers(token);
    const model::Identity& identity = index_.document().identity;
    ordered_json samples = samples_.Take();
    samples["weightType"] = "tracing-ms";
    return {{"processType", "default"},
            {"processName", identity.process_name},
            {"processStartupTime", Milliseconds(identity.process_start_ns)},
            {"processShutdownTime", nullptr},
            {"registerTime", Milliseconds(identity.process_start_ns)},
            {"unregisterTime", nullptr},
            {"pausedRanges", ordered_json::array()},
            {"name", "main"},
            {"isMainThread", true},
            {"pid", std::to_string(identity.pid)},
            {"tid", identity.pid},
            {"samples", std::move(samples)},
            {"markers", markers_.Take()},
            {"stackTable", stack_table_.Take()},
            {"frameTable", frame_table_.Take()},
            {"funcTable", func_table_.Take()},
            {"resourceTable", Table({"lib", "name", "host", "type"}).Take()},
            {"nativeSymbols", Table({"libIndex", "address", "name", "functionSize"}).Take()},
            {"stringArray", texts_.all()}};
  }

 private:
  struct TimedSample {
    uint64_t time_ns;
    uint32_t stack;
    model::Sample sample;
  };

  size_t Function(model::FrameId id) {
    const size_t name = texts_.NumberOf(FrameName(known_frames_, id));
    const std::string file = FrameFile(known_frames_, id);
    const std::string key = std::to_string(name) + ":" + file;
    const auto [entry, is_new] = functions_.try_emplace(key, func_table_.length());
    if (is_new) {
      func_table_.Add({false, false, name, -1,
                       file.empty() ? ordered_json(nullptr) : ordered_json(texts_.NumberOf(file)),
                       nullptr, nullptr});
    }
    return entry->second;
  }

  size_t Frame(model::FrameId id) {
    const auto [entry, is_new] = frame_rows_.try_emplace(id, frame_table_.length());
    if (is_new) {
      const model::Frame& frame = known_frames_.At(id);
      const std::string kind(index::NameOf(frame.kind));
      frame_table_.Add(
          {-1, 0, nullptr, nullptr, Function(id), nullptr, nullptr, texts_.NumberOf(kind),
           frame.line >= 0 ? ordered_json(frame.line) : ordered_json(nullptr), nullptr});
    }
    return entry->second;
  }

  // The row of a stack. The format gives the category to the stack, so equal stacks of two
  // categories are two rows.
  ordered_json Stack(const StackNumbers& numbers, uint32_t stack, Category category) {
    std::vector<uint32_t> path;
    ordered_json row = nullptr;
    for (; stack != 0; stack = numbers.stacks()[stack].parent) {
      const auto known = stack_rows_.find((uint64_t{stack} << 3U) | category);
      if (known != stack_rows_.end()) {
        row = known->second;
        break;
      }
      path.push_back(stack);
    }
    for (; !path.empty(); path.pop_back()) {
      const size_t next = stack_table_.length();
      stack_table_.Add({Frame(numbers.stacks()[path.back()].frame), row, category, 0});
      stack_rows_[(uint64_t{path.back()} << 3U) | category] = next;
      row = next;
    }
    return row;
  }

  void AddSamples(const std::vector<ChosenTree>& trees) {
    StackNumbers numbers;
    std::vector<TimedSample> timed;
    for (const ChosenTree& chosen : trees) {
      const std::vector<uint32_t> stacks = numbers.Add(*chosen.tree);
      uint32_t cpu_before_us = 0;
      for (uint32_t i = 0; i < chosen.tree->sample_count(); ++i) {
        model::Sample sample = chosen.tree->samples()[i];
        const uint64_t time_ns = chosen.start_ns + uint64_t{sample.wall_us} * 1000;
        const uint32_t cpu_us = sample.cpu_us;
        sample.cpu_us -= std::min(cpu_before_us, cpu_us);
        cpu_before_us = cpu_us;
        timed.push_back({time_ns, stacks[i], sample});
      }
    }
    std::stable_sort(timed.begin(), timed.end(), [](const TimedSample& a, const TimedSample& b) {
      return a.time_ns < b.time_ns;
    });
    for (const TimedSample& entry : timed) {
      samples_.Add({Stack(numbers, entry.stack, CategoryOf(entry.sample.state)),
                    Milliseconds(entry.time_ns),
                    Milliseconds(uint64_t{entry.sample.weight_us} * 1000), entry.sample.cpu_us});
    }
  }

  void AddMarkers(std::optional<Token> token) {
    for (const model::Message* message : ChooseMessages(index_, token)) {
      markers_.Add({{{"type", "Text"}, {"name", MessageTitle(index_, *message)}},
                    texts_.NumberOf("message " + std::to_string(NumberOf(message->token))),
                    Milliseconds(message->start_ns),
                    Milliseconds(EndNs(*message)),
                    kIntervalPhase,
                    kMessages});
    }
  }

  const index::DumpIndex& index_;
  const model::FrameTable& known_frames_;
  Table samples_{{"stack", "time", "weight", "threadCPUDelta"}};
  Table markers_{{"data", "name", "startTime", "endTime", "phase", "category"}};
  Table stack_table_{{"frame", "prefix", "category", "subcategory"}};
  Table frame_table_{{"address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol",
                      "innerWindowID", "implementation", "line", "column"}};
  Table func_table_{
      {"isJS", "relevantForJS", "name", "resource", "fileName", "lineNumber", "columnNumber"}};
  Texts texts_;
  std::unordered_map<std::string, size_t> functions_;
  std::unordered_map<model::FrameId, size_t> frame_rows_;
  std::unordered_map<uint64_t, size_t> stack_rows_;
};

ordered_json CategoryJson(const char* name, const char* color) {
  return {{"name", name}, {"color", color}, {"subcategories", {"Other"}}};
}

}  // namespace

std::string Firefox(const index::DumpIndex& index, const judge::Verdict& verdict,
                    std::optional<Token> token) {
  const model::Document& document = index.document();
  // The profile starts at zero of CLOCK_MONOTONIC, because its times are relative to that.
  const uint64_t zero_ns = document.taken_realtime_ns -
                           std::min(document.taken_realtime_ns, document.taken_monotonic_ns);
  ordered_json json = {
      {"meta",
       {{"interval", 10},
        {"startTime", Milliseconds(zero_ns)},
        {"processType", 0},
        {"product", document.identity.process_name},
        {"importedFrom", "stillframe"},
        {"abi", document.identity.abi},
        {"misc", words::Explain(verdict).headline},
        {"oscpu", ""},
        {"platform", "Android"},
        {"stackwalk", 1},
        {"debug", false},
        {"toolkit", ""},
        {"symbolicated", true},
        {"version", kGeckoVersion},
        {"preprocessedProfileVersion", kProcessedVersion},
        {"sampleUnits", {{"time", "ms"}, {"eventDelay", "ms"}, {"threadCPUDelta", "µs"}}},
        {"categories",
         {CategoryJson("Other", "grey"), CategoryJson("Running", "green"),
          CategoryJson("Waiting", "orange"), CategoryJson("Messages", "blue")}},
        {"markerSchema",
         {{{"name", "Text"},
           {"display", {"marker-chart", "marker-table", "timeline-overview"}},
           {"chartLabel", "{marker.data.name}"},
           {"tableLabel", "{marker.data.name}"},
           {"data", {{{"key", "name"}, {"label", "Details"}, {"format", "string"}}}}}}}}},
      {"libs", ordered_json::array()},
      {"pages", ordered_json::array()},
      {"threads", {ThreadBuilder(index).Build(token)}}};
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stillframe::exports
