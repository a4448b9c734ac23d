// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/system_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "src/model/context_names.h"
#include "tools/stillframe/input/lines.h"

namespace stillframe::input {
namespace {

namespace context = model::context;
using model::ContextEntry;

constexpr size_t kMaxRows = 4096;

// "52.5% ..." as 525; nothing without a number in front of a percent sign.
std::optional<int64_t> Permille(std::string_view text) {
  text = Trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);  // a process that began meanwhile
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end == text.data() + text.size() || *end != '%' || value < 0 ||
      value > 100'000)
    return std::nullopt;
  return std::llround(value * 10);
}

// The share in front of a word, as in "6.8% user + 3.4% kernel".
std::optional<int64_t> PermilleBefore(std::string_view text, std::string_view word) {
  const size_t at = text.find(std::string("% ").append(word));
  if (at == std::string_view::npos) return std::nullopt;
  const size_t begin = text.find_last_not_of("0123456789.", at - 1);
  return Permille(text.substr(begin == std::string_view::npos ? 0 : begin + 1));
}

int64_t Number(std::string_view text) {
  text = Trimmed(text);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "10% 1530/system_server: 6.8% user + 3.4% kernel / faults: 9324 minor 34 major"
struct ShareLine {
  int64_t permille = 0;
  uint32_t id = 0;
  std::string_view name;
  int64_t user_permille = 0;
  int64_t kernel_permille = 0;
  std::optional<int64_t> major_faults;
};

std::optional<ShareLine> ParseShare(std::string_view line) {
  const auto permille = Permille(line);
  const size_t slash = line.find('/');
  const size_t percent = line.find('%');
  if (!permille || slash == std::string_view::npos || slash < percent) return std::nullopt;
  ShareLine share;
  share.permille = *permille;
  share.id = static_cast<uint32_t>(Number(line.substr(percent + 1, slash - percent - 1)));
  // A name may have colons; the shares of user and kernel come behind the last one before them.
  const std::string_view rest = line.substr(slash + 1);
  const size_t user = rest.find("% user");
  const size_t name_end = user == std::string_view::npos ? rest.find(':') : rest.rfind(' ', user);
  share.name = Trimmed(rest.substr(0, name_end));
  while (share.name.ends_with(':')) share.name.remove_suffix(1);
  share.user_permille = PermilleBefore(line, "user").value_or(0);
  share.kernel_permille = PermilleBefore(line, "kernel").value_or(0);
  if (const std::string_view faults = After(line, "faults: "); !faults.empty()) {
    const size_t major = faults.find(" major");
    if (major != std::string_view::npos && major > 0)
      share.major_faults = Number(faults.substr(faults.rfind(' ', major - 1) + 1));
  }
  return share.id == 0 || share.name.empty() ? std::nullopt : std::optional(share);
}

class Report {
 public:
  explicit Report(model::Document* document) : document_(*document) {}

  void Take(std::string_view raw) {
    const std::string_view line = Trimmed(raw);
    if (line.starts_with("Load: ")) return TakeLoad(line.substr(6));
    if (TakePressure(line) || TakeMemory(line)) return;
    if (line.starts_with("CPU usage from ")) return TakeWindow(line);
    if (const std::string_view total = After(line, "% TOTAL: "); !total.empty())
      return TakeTotal(line);
    const auto share = ParseShare(line);
    if (share) TakeShare(*share, raw.find(line.front()));
  }

  void Finish() {
    AddBusiest(other_, context::kBusiestOther, context::kBusiestOtherPermille);
    AddBusiest(own_other_, context::kOwnOther, context::kOwnOtherPermille);
    AddCores();
  }

 private:
  struct Busiest {
    std::string text;
    int64_t permille = 0;
  };

  // The processes' shares of one CPU, added, are TOTAL's share of all CPUs.
  void AddCores() {
    constexpr int64_t kLeastTotalPermille = 100;  // less has too few digits
    constexpr int64_t kMostCores = 64;
    if (total_ < kLeastTotalPermille) return;
    const int64_t cores = std::llround(static_cast<double>(sum_) / static_cast<double>(total_));
    // No phone of today has fewer than 4. Less: the list is not whole.
    constexpr int64_t kLeastCores = 4;
    if (cores >= kLeastCores && cores <= kMostCores)
      Add(context::kCpu, context::kCoresEstimate, cores);
  }

  void AddBusiest(const Busiest& busiest, std::string_view name, std::string_view permille) {
    if (busiest.permille == 0 || IsKnown(context::kCpu, name)) return;
    document_.context.push_back({std::string(context::kCpu), std::string(name),
                                 ContextEntry::State::kText, busiest.text, 0});
    Add(context::kCpu, permille, busiest.permille);
  }

  bool IsKnown(std::string_view group, std::string_view name) const {
    return std::ranges::any_of(
        document_.context,
        [&](const ContextEntry& entry) { return entry.group == group && entry.name == name; });
  }

  void Add(std::string_view group, std::string_view name, int64_t number) {
    if (!IsKnown(group, name))
      document_.context.push_back(
          {std::string(group), std::string(name), ContextEntry::State::kNumber, "", number});
  }

  static std::string Percent(int64_t permille) {
    return std::to_string(permille / 10) + "." + std::to_string(permille % 10) + "%";
  }

  void TakeLoad(std::string_view text) {
    for (const std::string_view name :
         {context::kLoad1Milli, context::kLoad5Milli, context::kLoad15Milli}) {
      text = Trimmed(text);
      double load = 0;
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), load);
      if (code != std::errc() || load < 0 || load > 1e6) return;
      // Without the next figure the line is cut, perhaps within this one.
      if (end == text.data() + text.size() && name != context::kLoad15Milli) return;
      Add(context::kCpu, name, std::llround(load * 1000));
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      text = After(text, "/");
    }
  }

  // "some avg10=42.10 avg60=12.00 ...", below a line with "/proc/pressure/memory" or behind the
  // resource's name. A line may hold both "some" and "full".
  bool TakePressure(std::string_view line) {
    if (const std::string_view file = After(line, "/proc/pressure/"); !file.empty()) {
      resource_ = line.find("End output") == std::string_view::npos ? GroupOf(file) : "";
      line = file;
    }
    bool is_pressure = false;
    for (const auto& [label, name] : {std::pair{"some avg10=", context::kPressureSomePermille},
                                      std::pair{"full avg10=", context::kPressureFullPermille}}) {
      const size_t at = line.find(label);
      if (at == std::string_view::npos) continue;
      is_pressure = true;
      const std::string_view own = GroupOf(line.substr(0, at));
      if (!own.empty()) resource_ = own;
      double percent = 0;
      const std::string_view text = After(line, label);
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), percent);
      if (code == std::errc() && percent >= 0 && percent <= 100 && !resource_.empty())
        Add(resource_, name, std::llround(percent * 10));
    }
    return is_pressure;
  }

  // The group of context entries for a resource that the text names; "": none.
  static std::string_view GroupOf(std::string_view text) {
    for (const std::string_view group : {context::kMemory, context::kIo, context::kCpu}) {
      const size_t at = text.find(group);
      const auto is_letter = [text](size_t i) {
        return i < text.size() && ((text[i] >= 'a' && text[i] <= 'z') || text[i] == '_');
      };
      const bool is_word = at != std::string_view::npos && !(at > 0 && is_letter(at - 1)) &&
                           !is_letter(at + group.size());
      if (is_word) return group;
    }
    return {};
  }

  // "RssKb: 215040", of the process. Source: AOSP 13 to 16, StackTracesDumpHelper.java.
  bool TakeMemory(std::string_view line) {
    for (const auto& [label, name] :
         {std::pair{"RssHwmKb:", context::kPeakRssBytes}, std::pair{"RssKb:", context::kRssBytes},
          std::pair{"RssAnonKb:", context::kAnonymousBytes},
          std::pair{"RssShmemKb:", context::kSharedBytes},
          std::pair{"VmSwapKb:", context::kSwappedBytes}}) {
      if (!line.starts_with(label)) continue;
      const int64_t kib = Number(line.substr(std::string_view(label).size()));
      if (kib > 0 && kib < int64_t{1} << 40) Add(context::kMemory, name, kib << 10);
      return true;
    }
    return false;
  }

  // "CPU usage from 81395ms to 0ms ago (2023-05-05 ...)". A second list often follows: the first
  // has processes only, the second has threads. Each names the process before its threads.
  void TakeWindow(std::string_view line) {
    has_own_ = false;
    is_below_own_ = false;
    ++windows_;
    const int64_t from_ms = Number(After(line, "from "));
    const int64_t to_ms = Number(After(line, " to "));
    window_ms_ = std::max<int64_t>(from_ms - to_ms, to_ms - from_ms);
    if (window_ms_ > 0) Add(context::kCpu, context::kWindowMs, window_ms_);
  }

  void TakeTotal(std::string_view line) {
    const int64_t idle = PermilleBefore(line, "iowait").value_or(0);
    if (const auto busy = Permille(line))
      Add(context::kCpu, context::kSystemBusyPermille, std::clamp<int64_t>(*busy - idle, 0, 1000));
    Add(context::kCpu, context::kSystemIowaitPermille, std::min<int64_t>(idle, 1000));
    if (windows_ <= 1) total_ = Permille(line).value_or(0) - idle;
  }

  void TakeShare(const ShareLine& share, size_t indent) {
    // Threads follow their process, below it and further to the right.
    is_below_own_ = is_below_own_ && indent > own_indent_;
    if (document_.identity.pid == 0 && share.name == document_.identity.process_name)
      document_.identity.pid = share.id;
    // A list without a head names the process again.
    if (share.id == document_.identity.pid && !is_below_own_) has_own_ = false;
    if (share.id == document_.identity.pid && !has_own_) {
      has_own_ = true;
      is_below_own_ = true;
      own_indent_ = indent;
      if (windows_ <= 1 && !has_sum_of_own_) sum_ += share.permille;
      has_sum_of_own_ = true;
      Add(context::kCpu, context::kProcessBusyPermille, share.permille);
      Add(context::kCpu, context::kProcessKernelPermille, share.kernel_permille);
      if (share.major_faults) Add(context::kMemory, context::kMajorFaults, *share.major_faults);
      return;
    }
    const bool is_thread = is_below_own_ || IsThread(share.id);
    if (share.name.starts_with("kswapd"))
      Add(context::kMemory, context::kSwapperPermille, share.permille);
    if (is_thread) return AddThread(share);
    if (windows_ > 1) return;  // the second list is of the time when the report was written
    sum_ += share.permille;
    if (share.name.starts_with("kswapd")) return;
    Busiest& busiest =
        PackageOf(share.name) == PackageOf(document_.identity.process_name) ? own_other_ : other_;
    if (share.permille > busiest.permille)
      busiest = {std::string(share.name) + " (" + Percent(share.permille) + " of a CPU)",
                 share.permille};
  }

  // Processes of an app may be named "package:process".
  static std::string_view PackageOf(std::string_view process) {
    return process.substr(0, process.find(':'));
  }

  bool IsThread(uint32_t id) const {
    return document_.thread_stacks &&
           std::ranges::any_of(
               document_.thread_stacks->stacks,
               [id](const model::ThreadStack& stack) { return stack.tid == id; });
  }

  void AddThread(const ShareLine& share) {
    if (!document_.threads) document_.threads.emplace();
    std::vector<model::ThreadRow>& rows = document_.threads->rows;
    const bool is_known = std::ranges::any_of(
        rows, [&share](const model::ThreadRow& row) { return row.tid == share.id; });
    if (is_known || rows.size() == kMaxRows || window_ms_ <= 0) return;
    model::ThreadRow row;
    row.tid = share.id;
    row.name = share.name;
    row.interval_ms = static_cast<uint64_t>(window_ms_);
    row.user_ms = share.user_permille * window_ms_ / 1000;
    row.system_ms = share.kernel_permille * window_ms_ / 1000;
    rows.push_back(std::move(row));
  }

  model::Document& document_;
  std::string_view resource_;  // of the lines of pressure; "": unknown
  int64_t window_ms_ = 0;
  size_t windows_ = 0;
  int64_t total_ = 0;  // of the first list, without iowait
  int64_t sum_ = 0;    // of the first list's processes
  bool has_sum_of_own_ = false;
  Busiest other_;              // of the first list's processes of others
  Busiest own_other_;          // of its processes of this app, without the one that hangs
  bool is_below_own_ = false;  // among the lines of the process's threads
  size_t own_indent_ = 0;
  bool has_own_ = false;  // the process's share in this list; the next is the main thread's
};

}  // namespace

void AddSystemReport(std::string_view text, model::Document* document) {
  Report report(document);
  ForEachLine(text, [&report](std::string_view line) {
    if (!Trimmed(line).empty()) report.Take(line);
  });
  report.Finish();
}

namespace {

// "215MB" in bytes; nothing without a unit. ART rounds down.
std::optional<int64_t> Bytes(std::string_view text) {
  text = Trimmed(text);
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  if (code != std::errc() || value < 0 || value >= int64_t{1} << 32) return std::nullopt;
  return unit.starts_with("KB")   ? std::optional(value << 10)
         : unit.starts_with("MB") ? std::optional(value << 20)
         : unit.starts_with("GB") ? std::optional(value << 30)
         : unit.starts_with("B")  ? std::optional(value)
                                  : std::nullopt;
}

// "1.234s", "12.3ms" or "456us" in nanoseconds.
std::optional<int64_t> Nanoseconds(std::string_view text) {
  text = Trimmed(text);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  if (code != std::errc() || value < 0 || value > 1e9) return std::nullopt;
  const double scale = unit.starts_with("ms")   ? 1e6
                       : unit.starts_with("us") ? 1e3
                       : unit.starts_with("ns") ? 1
                       : unit.starts_with("s")  ? 1e9
                                                : 0;
  return scale == 0 ? std::nullopt : std::optional(std::llround(value * scale));
}

}  // namespace

void AddRuntimeReport(std::string_view text, model::Document* document) {
  text = text.substr(0, text.find("DALVIK THREADS"));
  const auto add = [document](std::string_view group, std::string_view name,
                              std::optional<int64_t> number) {
    if (number)
      document->context.push_back(
          {std::string(group), std::string(name), ContextEntry::State::kNumber, "", *number});
  };
  const auto bytes = [text](std::string_view label) {
    return Bytes(LineAfter(text, label).value_or(""));
  };
  const auto total = bytes("Total memory ");
  const auto free = bytes("Free memory ");
  if (total && free && *free <= *total)
    add(context::kMemory, context::kJavaHeapUsedBytes, *total - *free);
  add(context::kMemory, context::kJavaHeapMaxBytes, bytes("Max memory "));
  for (const auto& [label, name] :
       {std::pair{"Total GC count: ", context::kCollections},
        std::pair{"Total blocking GC count: ", context::kBlockingCollections}})
    if (const auto count = LineAfter(text, label)) add(context::kGc, name, Number(*count));
  add(context::kGc, context::kCollectionTimeNs,
      Nanoseconds(LineAfter(text, "Total GC time: ").value_or("")));
  add(context::kGc, context::kBlockingTimeNs,
      Nanoseconds(LineAfter(text, "Total blocking GC time: ").value_or("")));
}

void AddThreadTimes(std::string_view name, uint32_t tid, std::string_view facts,
                    model::Document* document) {
  constexpr int64_t kTickMs = 10;
  if (!document->threads) document->threads.emplace();
  std::vector<model::ThreadRow>& rows = document->threads->rows;
  auto row = std::ranges::find(rows, tid, &model::ThreadRow::tid);
  const bool is_new = row == rows.end();
  if (is_new) {
    if (rows.size() == kMaxRows || After(facts, "utm=").empty()) return;
    row = rows.insert(rows.end(), model::ThreadRow());
    row->tid = tid;
    row->name = name;
    row->user_ms = Number(After(facts, "utm=")) * kTickMs;
    row->system_ms = Number(After(facts, "stm=")) * kTickMs;
  }
  row->nice = static_cast<int32_t>(std::clamp<int64_t>(Number(After(facts, "nice=")), -20, 20));
  if (const std::string_view state = After(facts, "state="); !state.empty()) row->state = state[0];
  // "schedstat=( 324804784 183300334 997 )": ran, waited for a CPU, switches.
  std::string_view times = Trimmed(After(facts, "schedstat=("));
  times = times.substr(std::min(times.find(' '), times.size()));
  if (is_new && !times.empty()) row->runqueue_wait_ms = Number(times) / 1'000'000;
}

}  // namespace stillframe::input
