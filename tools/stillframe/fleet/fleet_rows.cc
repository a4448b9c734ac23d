// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/fleet_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace stillframe::fleet {

uint32_t Texts::Of(std::string_view text) {
  const auto found = ids_.find(text);
  if (found != ids_.end()) return found->second;
  const auto id = static_cast<uint32_t>(texts_.size());
  texts_.push_back(std::make_unique<std::string>(text));
  ids_.emplace(*texts_.back(), id);
  return id;
}

namespace {

// Digits compare as numbers: 1.9 is before 1.10.
bool IsNaturallyLess(std::string_view a, std::string_view b) {
  const auto digits = [](std::string_view text) {
    size_t end = 0;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    return end;
  };
  while (!a.empty() && !b.empty()) {
    const size_t in_a = digits(a);
    const size_t in_b = digits(b);
    if (in_a == 0 || in_b == 0) {
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    std::string_view of_a = a.substr(0, in_a);
    std::string_view of_b = b.substr(0, in_b);
    of_a.remove_prefix(std::min(of_a.find_first_not_of('0'), in_a - 1));
    of_b.remove_prefix(std::min(of_b.find_first_not_of('0'), in_b - 1));
    if (of_a.size() != of_b.size()) return of_a.size() < of_b.size();
    if (of_a != of_b) return of_a < of_b;
    a.remove_prefix(in_a);
    b.remove_prefix(in_b);
  }
  return a.size() < b.size();
}

// The column of a fact; "": one of the other facts.
std::string ColumnOf(const Table& table, std::string_view name) {
  if (name == "version") return "version_name";
  if (name == "api") return "api_level";
  if (name == "machine") name = "memory";
  static const std::set<std::string_view> names = {"package", "version_name", "version_code",
                                                   "process", "model",        "api_level",
                                                   "memory",  "scene"};
  if (!names.contains(name)) return "";
  for (const Column& column : table.columns)
    if (column.name == name) return column.name;
  return "";
}

// The value of NAME in lines of NAME=VALUE.
std::string_view FactIn(std::string_view facts, std::string_view name) {
  while (!facts.empty()) {
    const size_t end = std::min(facts.find('\n'), facts.size());
    const std::string_view line = facts.substr(0, end);
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=')
      return line.substr(name.size() + 1);
    facts.remove_prefix(std::min(end + 1, facts.size()));
  }
  return "";
}

}  // namespace

FleetRows::FleetRows(Engine* engine, const RankOptions& options)
    : engine_(engine), options_(options), names_{"version"} {
  const auto add = [this](const std::string& name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  };
  for (const std::string& name : options.by) add(name);
  for (const Condition& condition : options.where) add(condition.name);
  for (const Participation& part : options.participations)
    if (part.of) add(part.of->name);
}

bool FleetRows::Read() {
  if (!causes_.Read(engine_) || !ReadHangs() || !ReadDumps() || !ReadSessions()) return false;
  NumberInstalls();
  return true;
}

size_t FleetRows::IndexOf(const std::string& name) const {
  return static_cast<size_t>(std::ranges::find(names_, name) - names_.begin());
}

const CauseNames* FleetRows::NamesOf(Signature signature) const {
  const auto found = causes_.names().find(signature);
  return found == causes_.names().end() ? nullptr : &found->second;
}

bool FleetRows::SessionsHave(const std::string& name) {
  return ColumnOf(kHangs, name).empty() || !ColumnOf(kSessions, name).empty();
}

FleetRows::FactPlan FleetRows::PlanOf(const Table& table) const {
  FactPlan plan;
  for (const std::string& name : names_) {
    const std::string column = ColumnOf(table, name);
    const bool is_other = ColumnOf(kHangs, name).empty();
    plan.kinds.push_back(!column.empty()
                             ? (column == "version_name" ? FactKind::kVersion : FactKind::kColumn)
                         : is_other ? FactKind::kOther
                                    : FactKind::kMissing);
    if (column.empty()) continue;
    plan.columns += ", " + column;
    ++plan.count;
  }
  plan.columns += ", version_code";
  if (std::ranges::find(plan.kinds, FactKind::kOther) != plan.kinds.end())
    plan.columns += ", facts";
  return plan;
}

FactIds FleetRows::FactsOf(const FactPlan& plan, std::span<const Cell> cells) {
  FactIds facts;
  facts.reserve(names_.size());
  size_t at = 0;
  const int64_t code = cells[plan.count].Integer();
  for (size_t i = 0; i < names_.size(); ++i) {
    std::string text;
    switch (plan.kinds[i]) {
      case FactKind::kVersion: text = VersionText(std::string(cells[at++].text), code); break;
      case FactKind::kColumn:
        text = cells[at++].text;
        if (text == "0") text = "";
        break;
      case FactKind::kOther: text = FactIn(cells[plan.count + 1].text, names_[i]); break;
      case FactKind::kMissing: break;
    }
    if (text.empty()) text = kUnknown;
    if (text != kUnknown) present_.insert(i);
    facts.push_back(texts_.Of(text));
  }
  int64_t& known = version_codes_[facts[0]];
  known = std::max(known, code);
  return facts;
}

std::vector<std::string> FleetRows::MissingFacts() const {
  std::vector<std::string> missing;
  for (size_t i = 0; i < names_.size() && !present_.empty(); ++i)
    if (!present_.contains(i) && ColumnOf(kHangs, names_[i]).empty()) missing.push_back(names_[i]);
  return missing;
}

bool FleetRows::Holds(const FactIds& facts) const {
  return std::ranges::all_of(
      options_.where,
      [&](const Condition& condition) {
        return texts_.At(facts[IndexOf(condition.name)]) == condition.value;
      });
}

double FleetRows::WeightOf(const FactIds& facts) const {
  for (const Participation& part : options_.participations)
    if (!part.of || texts_.At(facts[IndexOf(part.of->name)]) == part.of->value)
      return 100 / part.percent;
  return 1;
}

// Without installs that are to be forgotten.
std::string FleetRows::FromCounted(const Table& table, const std::string& condition) const {
  return fmt::format("FROM {} WHERE {}install NOT IN (SELECT install FROM {})",
                     engine_->From(table), condition, engine_->From(kForgotten));
}

bool FleetRows::ReadHangs() {
  constexpr Selection kSelectHangs(
      Picked{&HangSum::signature, "signature"}, Picked{&HangSum::install_key, "install"},
      Picked{&HangSum::hangs, "count", "sum(count)"},
      Picked{&HangSum::lost_ms, "total_ms", "sum(total_ms)"},
      Picked{&HangSum::longest_ms, "longest_ms", "max(longest_ms)"},
      Picked{&HangSum::running, "count * running", "sum(count * running)"});
  constexpr Selection kCountDebugged(Picked{&HangRow::count, "count(*)"});
  const FactPlan plan = PlanOf(kHangs);
  return kSelectHangs.ForEach(engine_, plan.columns,
                              FromCounted(kHangs, "debugged = 0 AND source = 0 AND "),
                              [&](HangSum& sum, std::span<const Cell> facts) {
                                sum.facts = FactsOf(plan, facts);
                                if (Holds(sum.facts)) hangs_.push_back(std::move(sum));
                                return true;
                              }) &&
         kCountDebugged.ForEach(engine_,
                                fmt::format("FROM {} WHERE debugged = 1", engine_->From(kHangs)),
                                [this](const HangRow& row) { debugged_ = row.count; });
}

// A hang of a dump counts unless a record of the same process has it: a record of equal hangs bears
// the token of the first of them.
bool FleetRows::ReadDumps() {
  constexpr uint64_t kSlackMs = 30'000;  // a dump is written after its hang began
  constexpr Selection kSelectTimes(
      Picked{&HangRow::session, "session"}, Picked{&HangRow::signature, "signature"},
      Picked{&HangRow::first_time_ms, "first_time_ms"}, Picked{&HangRow::time_ms, "time_ms"});
  constexpr Selection kSelectDumps(
      Picked{&HangRow::session, "session"}, Picked{&HangRow::signature, "signature"},
      Picked{&HangRow::time_ms, "time_ms"}, Picked{&HangRow::install, "install"},
      Picked{&HangRow::count, "count"}, Picked{&HangRow::total_ms, "total_ms"},
      Picked{&HangRow::longest_ms, "longest_ms"}, Picked{&HangRow::is_running, "running"});
  std::multimap<SessionKey, HangRow> recorded;
  const std::string from = engine_->From(kHangs);
  const FactPlan plan = PlanOf(kHangs);
  const auto is_recorded = [&](const HangRow& dump) {
    const auto [begin, end] = recorded.equal_range(dump.session);
    return std::any_of(
        begin, end,
        [&](const auto& each) {
          const HangRow& record = each.second;
          return causes_.Of(record.signature) == causes_.Of(dump.signature) &&
                 dump.time_ms + kSlackMs >= record.first_time_ms &&
                 dump.time_ms <= record.time_ms + kSlackMs;
        });
  };
  return kSelectTimes.ForEach(
             engine_,
             fmt::format("FROM {} WHERE source = 0 AND session IN (SELECT session FROM {} WHERE "
                         "source = 1)",
                         from, from),
             [&recorded](HangRow& row) { recorded.emplace(row.session, std::move(row)); }) &&
         kSelectDumps.ForEach(engine_, plan.columns, FromCounted(kHangs, "source = 1 AND "),
                              [&](const HangRow& dump, std::span<const Cell> cells) {
                                if (is_recorded(dump)) return true;
                                HangSum sum = {.install_key = dump.install,
                                               .signature = dump.signature,
                                               .facts = FactsOf(plan, cells),
                                               .hangs = dump.count,
                                               .lost_ms = dump.total_ms,
                                               .longest_ms = dump.longest_ms,
                                               .running = dump.is_running ? 1U : 0U};
                                if (Holds(sum.facts)) hangs_.push_back(std::move(sum));
                                return true;
                              });
}

bool FleetRows::ReadSessions() {
  constexpr Selection kSelectUses(
      Picked{&Use::install_key, "install"}, Picked{&Use::day, "day"},
      Picked{&Use::rated_ms, "rated_ms", "sum(rated_ms)"}, Picked{&Use::processes, "1", "count(*)"},
      Picked{&Use::control, "control", "sum(control)"},
      Picked{&Use::killed, "killed", "sum(killed)"}, Picked{&Use::frames, "frames", "sum(frames)"},
      Picked{&Use::frames_missed, "frames_missed", "sum(frames_missed)"});
  constexpr Selection kSelectUnsampled(Picked{&SessionRow::unsampled, "unsampled"},
                                       Picked{&SessionRow::messages, "1", "count(*)"});
  // A condition that sessions do not know leaves none.
  if (!std::ranges::all_of(options_.where,
                           [](const Condition& each) { return SessionsHave(each.name); }))
    return true;
  const FactPlan plan = PlanOf(kSessions);
  return kSelectUses.ForEach(engine_, plan.columns, FromCounted(kSessions, ""),
                             [&](Use& use, std::span<const Cell> facts) {
                               use.facts = FactsOf(plan, facts);
                               if (Holds(use.facts)) uses_.push_back(std::move(use));
                               return true;
                             }) &&
         kSelectUnsampled.ForEach(engine_, plan.columns,
                                  FromCounted(kSessions, "unsampled <> '' AND "),
                                  [&](const SessionRow& row, std::span<const Cell> facts) {
                                    if (Holds(FactsOf(plan, facts)))
                                      unsampled_[row.unsampled] += row.messages;
                                    return true;
                                  });
}

void FleetRows::NumberInstalls() {
  std::vector<InstallKey> installs;
  for (const HangSum& sum : hangs_) installs.push_back(sum.install_key);
  for (const Use& use : uses_) installs.push_back(use.install_key);
  std::ranges::sort(installs);
  installs.erase(std::unique(installs.begin(), installs.end()), installs.end());
  const auto index_of = [&installs](InstallKey install) {
    return static_cast<uint32_t>(std::ranges::lower_bound(installs, install) - installs.begin());
  };
  for (HangSum& sum : hangs_) {
    sum.install = index_of(sum.install_key);
    sum.weight = WeightOf(sum.facts);
    sum.cause = texts_.Of(causes_.Of(sum.signature));
  }
  for (Use& use : uses_) {
    use.install = index_of(use.install_key);
    use.weight = WeightOf(use.facts);
  }
  installs_ = installs.size();
}

std::vector<uint32_t> FleetRows::Versions() const {
  std::set<uint32_t> ids;
  for (const HangSum& sum : hangs_) ids.insert(sum.facts[0]);
  for (const Use& use : uses_) ids.insert(use.facts[0]);
  std::vector<uint32_t> versions;
  for (const uint32_t id : ids)
    if (texts_.At(id) != kUnknown) versions.push_back(id);
  std::ranges::sort(versions, [this](uint32_t a, uint32_t b) {
    const int64_t code_a = version_codes_.at(a);
    const int64_t code_b = version_codes_.at(b);
    if (code_a != code_b) return code_a < code_b;
    return IsNaturallyLess(texts_.At(a), texts_.At(b));
  });
  return versions;
}

}  // namespace stillframe::fleet
