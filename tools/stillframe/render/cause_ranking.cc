// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/cause_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tools/stillframe/index/figures.h"

namespace stillframe::render {
namespace {

using fleet::Breakdown;
using fleet::CauseNames;
using fleet::CauseRanking;
using fleet::CauseRow;
using fleet::Figures;
using fleet::Interval;
using fleet::Part;
using fleet::ValueOfFact;
using index::Counted;
using index::Grouped;
using nlohmann::ordered_json;

// Three digits: what an interval of a sample deserves.
std::string Short(double value) {
  if (value >= 999.5) return Grouped(static_cast<uint64_t>(std::llround(value)));
  if (value == 0) return "0";
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(value))), 0, 4);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

// "1.2 (0.8 to 1.7)"
std::string WithLimits(const Interval& interval, double by = 1) {
  return fmt::format("{} ({} to {})", Short(interval.value * by), Short(interval.low * by),
                     Short(interval.high * by));
}

std::string Rate(const std::optional<Interval>& interval) {
  return interval ? WithLimits(*interval) : "-";
}

constexpr const char* kColumns = "{:>24}  {:>24}  {:>24}  {:>24}  {}\n";

std::string FiguresLine(const Figures& figures, const std::string& what) {
  constexpr double kHours = 1 / 3600.0;
  return fmt::format(kColumns, WithLimits(figures.lost_s, kHours), WithLimits(figures.users),
                     Rate(figures.lost_s_per_hour), Rate(figures.lost_s_per_user_day), what);
}

std::string Head() {
  return fmt::format(kColumns, "hours lost", "users hit", "s per hour of use", "s per user and day",
                     "cause");
}

std::string NamesText(const CauseNames& names) {
  const std::string method = names.method.empty() ? "no stack" : names.method;
  return fmt::format("{}{}{}", names.kind, names.kind.empty() ? "" : " ", method);
}

std::string VersionsText(const CauseRow& row) {
  if (row.first_version.empty()) return "";
  std::string text = row.first_version == row.last_version
                         ? "version " + row.first_version
                         : fmt::format("versions {} to {}", row.first_version, row.last_version);
  if (row.is_new) text += ", new";
  if (row.is_gone) text += ", gone";
  return text;
}

std::string Summary(const CauseRanking& ranking) {
  std::string out =
      fmt::format("{} of {} in {}: {} hours lost\n", Counted(ranking.hangs, "hang"),
                  Counted(ranking.causes, "cause"), Counted(ranking.installs, "install"),
                  Short(static_cast<double>(ranking.lost_ms) / 3.6e6));
  if (ranking.processes != 0)
    out += fmt::format(
        "{} ({} killed, {} in the control group): {} hours in the foreground, {}\n",
        ranking.processes == 1 ? "1 process" : Grouped(ranking.processes) + " processes",
        Grouped(ranking.killed), Grouped(ranking.control), Short(ranking.hours),
        Counted(ranking.user_days, "user day"));
  if (ranking.frames != 0)
    out += fmt::format("{}, {} missed\n", Counted(ranking.frames, "frame"),
                       Grouped(ranking.frames_missed));
  for (const auto& [reason, count] : ranking.unsampled)
    out += fmt::format("{} without samples: {}\n", Grouped(count), reason);
  if (ranking.debugged != 0)
    out +=
        fmt::format("{} made under a debugger: not counted\n", Counted(ranking.debugged, "record"));
  if (!ranking.versions.empty()) {
    out += ranking.versions.size() == 1 ? "version" : "versions";
    for (const std::string& version : ranking.versions) out += " " + version;
    out += "\n";
  }
  return out + "Intervals: 95 %, by resampling installs.\n\n";
}

std::string RowText(const CauseRow& row) {
  const std::string versions = VersionsText(row);
  std::string out = FiguresLine(row.all, NamesText(row.names));
  const std::string pad(106, ' ');
  out += fmt::format("{}{}{}\n", pad, row.names.message,
                     row.names.caller.empty() ? "" : ", from " + row.names.caller);
  out += fmt::format(
      "{}{}, {}, the longest {} ms{}{}{}\n", pad, row.id, Counted(row.all.hangs, "hang"),
      Grouped(row.all.longest_ms),
      row.all.running == 0 ? "" : fmt::format(", {} unfinished", Grouped(row.all.running)),
      versions.empty() ? "" : ", ", versions);
  for (const Breakdown& breakdown : row.by)
    for (const ValueOfFact& value : breakdown.values)
      out += FiguresLine(value.figures, fmt::format("  {} {}", breakdown.by, value.name));
  return out;
}

// A line for each power of two.
std::string DurationsText(const std::map<uint64_t, uint64_t>& histogram) {
  uint64_t most = 1;
  for (const auto& [ms, count] : histogram) most = std::max(most, count);
  std::string out;
  constexpr uint64_t kColumnsOfBar = 40;
  for (const auto& [ms, count] : histogram)
    out += fmt::format("{:>8} to {:>8} ms {:>10}  {}\n", Grouped(ms), Grouped(2 * ms),
                       Grouped(count), std::string((count * kColumnsOfBar + most - 1) / most, '#'));
  return out.empty() ? out : out + "\n";
}

// Six digits: the same text from the same numbers. Not std::stod, which throws at the tiny lower
// limits that few installs have.
double Rounded(double value) { return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr); }

ordered_json Json(const Interval& interval) {
  return {{"value", Rounded(interval.value)},
          {"low", Rounded(interval.low)},
          {"high", Rounded(interval.high)}};
}

ordered_json Json(const std::optional<Interval>& interval) {
  return interval ? Json(*interval) : ordered_json();
}

void AddFigures(const Figures& figures, ordered_json* json) {
  (*json)["hangs"] = figures.hangs;
  (*json)["lost_ms"] = figures.lost_ms;
  (*json)["longest_ms"] = figures.longest_ms;
  (*json)["unfinished"] = figures.running;
  (*json)["installs"] = figures.installs;
  (*json)["lost_s"] = Json(figures.lost_s);
  (*json)["users"] = Json(figures.users);
  (*json)["lost_s_per_hour"] = Json(figures.lost_s_per_hour);
  (*json)["lost_s_per_user_day"] = Json(figures.lost_s_per_user_day);
}

}  // namespace

std::string CauseRankingText(const CauseRanking& ranking) {
  std::string out = Summary(ranking) + Head();
  for (const CauseRow& row : ranking.rows) out += RowText(row);
  if (ranking.causes > ranking.rows.size())
    out += fmt::format("and {} more; see --rows\n", Grouped(ranking.causes - ranking.rows.size()));
  return out;
}

std::string CauseText(const fleet::ShownCause& shown) {
  const CauseRow& row = shown.ranking.rows.front();
  std::string out = Head() + RowText(row);
  out += "\n" + DurationsText(shown.histogram);
  out += "parts:\n";
  for (const Part& part : row.parts)
    out += fmt::format("  {}  {:>10}  {:>12} ms  {}, from {}, in {}, {}\n", part.id,
                       Counted(part.hangs, "hang"), Grouped(part.lost_ms), NamesText(part.names),
                       part.names.caller.empty() ? "the message" : part.names.caller,
                       part.names.leaf.empty() ? "no stack" : part.names.leaf, part.names.message);
  return out;
}

std::string CauseRankingJson(const CauseRanking& ranking) {
  ordered_json rows = ordered_json::array();
  for (const CauseRow& row : ranking.rows) {
    ordered_json json = {{"cause", row.id},
                         {"kind", row.names.kind},
                         {"method", row.names.method},
                         {"caller", row.names.caller},
                         {"message", row.names.message},
                         {"first_version", row.first_version},
                         {"last_version", row.last_version},
                         {"new", row.is_new},
                         {"gone", row.is_gone}};
    AddFigures(row.all, &json);
    ordered_json by = ordered_json::object();
    for (const Breakdown& breakdown : row.by) {
      ordered_json values = ordered_json::array();
      for (const ValueOfFact& value : breakdown.values) {
        ordered_json each = {{"value", value.name}};
        AddFigures(value.figures, &each);
        values.push_back(std::move(each));
      }
      by[breakdown.by] = std::move(values);
    }
    json["by"] = std::move(by);
    ordered_json parts = ordered_json::array();
    for (const Part& part : row.parts)
      parts.push_back({{"part", part.id},
                       {"kind", part.names.kind},
                       {"method", part.names.method},
                       {"caller", part.names.caller},
                       {"leaf", part.names.leaf},
                       {"message", part.names.message},
                       {"hangs", part.hangs},
                       {"lost_ms", part.lost_ms}});
    json["parts"] = std::move(parts);
    rows.push_back(std::move(json));
  }
  const ordered_json json = {{"hangs", ranking.hangs},
                             {"lost_ms", ranking.lost_ms},
                             {"installs", ranking.installs},
                             {"cause_count", ranking.causes},
                             {"debugged", ranking.debugged},
                             {"processes", ranking.processes},
                             {"killed", ranking.killed},
                             {"control", ranking.control},
                             {"hours", Rounded(ranking.hours)},
                             {"user_days", ranking.user_days},
                             {"unsampled", ranking.unsampled},
                             {"frames", ranking.frames},
                             {"frames_missed", ranking.frames_missed},
                             {"versions", ranking.versions},
                             {"causes", rows}};
  return json.dump(1) + "\n";
}

}  // namespace stillframe::render
