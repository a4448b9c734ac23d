// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/formats/system_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "src/model/context_names.h"
#include "tools/stillframe/formats/pasted_text.h"

namespace stillframe::formats {
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
    if (line.starts_with("CPU usage from ")) return TakeWindow(line);
    if (const std::string_view total = After(line, "% TOTAL: "); !total.empty())
      return TakeTotal(line);
    const auto share = ParseShare(line);
    if (share) TakeShare(*share, raw.find(line.front()));
  }

 private:
  void Add(std::string_view group, std::string_view name, int64_t number) {
    const bool is_known = std::ranges::any_of(document_.context, [&](const ContextEntry& entry) {
      return entry.group == group && entry.name == name;
    });
    if (!is_known)
      document_.context.push_back(
          {std::string(group), std::string(name), ContextEntry::State::kNumber, "", number});
  }

  void AddText(std::string_view group, std::string_view name, std::string text) {
    document_.context.push_back(
        {std::string(group), std::string(name), ContextEntry::State::kText, std::move(text), 0});
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
      Add(context::kCpu, name, std::llround(load * 1000));
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      text = After(text, "/");
    }
  }

  // "CPU usage from 81395ms to 0ms ago (2023-05-05 ...)". A second list often follows: the first
  // has processes only, the second has threads. Each names the process before its threads.
  void TakeWindow(std::string_view line) {
    has_own_ = false;
    is_below_own_ = false;
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
  }

  void TakeShare(const ShareLine& share, size_t indent) {
    // Threads follow their process, below it and further to the right.
    is_below_own_ = is_below_own_ && indent > own_indent_;
    if (share.id == document_.identity.pid && !has_own_) {
      has_own_ = true;
      is_below_own_ = true;
      own_indent_ = indent;
      Add(context::kCpu, context::kProcessBusyPermille, share.permille);
      if (share.major_faults) Add(context::kMemory, context::kMajorFaults, *share.major_faults);
      return;
    }
    const bool is_thread = is_below_own_ || IsThread(share.id);
    if (!has_other_ && !is_thread) {
      has_other_ = true;  // the report lists the busiest first
      AddText(context::kCpu, context::kBusiestOther,
              std::string(share.name) + " (" + Percent(share.permille) + " of a CPU)");
    }
    if (share.name.starts_with("kswapd"))
      Add(context::kMemory, context::kSwapperPermille, share.permille);
    if (is_thread) AddThread(share);
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
  int64_t window_ms_ = 0;
  bool has_other_ = false;
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

}  // namespace stillframe::formats
