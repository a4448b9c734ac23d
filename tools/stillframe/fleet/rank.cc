// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "tools/stillframe/fleet/fleet_rows.h"
#include "tools/stillframe/fleet/hash.h"
#include "tools/stillframe/fleet/ingestion.h"

namespace stillframe::fleet {
namespace {

constexpr double kHourMs = 3.6e6;

// Use by install, as the resampling knows it.
struct Exposures {
  size_t hours = 0;
  size_t days = 0;
};

// Sums of whole numbers, which do not depend on their order.
struct UseSums {
  std::map<std::pair<uint32_t, double>, uint64_t> ms;  // by install and weight
  struct Days {
    std::set<Day> days;
    double weight = 0;  // the largest
  };
  std::map<uint32_t, Days> days;  // by install

  void Add(const Use& use) {
    if (use.rated_ms == 0) return;
    ms[{use.install, use.weight}] += use.rated_ms;
    Days& of_install = days[use.install];
    of_install.days.insert(use.day);
    of_install.weight = std::max(of_install.weight, use.weight);
  }
};

// Figures, and where the resampling has them.
struct Estimate {
  Figures* figures = nullptr;
  size_t lost = 0;
  size_t users = 0;
  bool has_use = false;
};

using Hangs = std::vector<const HangSum*>;

class Ranker {
 public:
  Ranker(const FleetRows& rows, const RankOptions& options)
      : rows_(rows),
        options_(options),
        versions_(rows.Versions()),
        resampling_(rows.installs()),
        ones_(resampling_.AddExposure(std::vector<double>(rows.installs(), 1))) {}

  void Fill(CauseRanking* ranking);

 private:
  using FactValue = std::pair<size_t, uint32_t>;  // index of the fact, and the value's number

  void AddTotals(CauseRanking* ranking);
  std::vector<uint32_t> Order() const;
  void SumUse(CauseRanking* ranking);
  std::optional<Exposures> UseOf(const UseSums& sums);
  std::optional<Exposures> UseOf(FactValue value);
  void FillRow(uint32_t cause, CauseRow* row);
  void FillNames(const Hangs& hangs, CauseRow* row) const;
  void FillChanges(std::span<const HangSum* const> hangs, CauseRow* row) const;
  void AddEstimates(const Hangs& hangs, CauseRow* row);
  void AddEstimate(const Hangs& hangs, const std::optional<Exposures>& use, Figures* figures);
  void FinishEstimates();

  const FleetRows& rows_;
  const RankOptions& options_;
  std::vector<uint32_t> versions_;
  std::map<uint32_t, Hangs> by_cause_;
  Resampling resampling_;
  size_t ones_;  // the exposure of which each install has one
  std::optional<Exposures> all_exposures_;
  std::map<FactValue, UseSums> use_by_value_;
  std::map<FactValue, Exposures> exposures_;
  std::vector<Estimate> estimates_;
};

void AddTo(const HangSum& sum, Figures* figures) {
  figures->hangs += sum.hangs;
  figures->lost_ms += sum.lost_ms;
  figures->longest_ms = std::max(figures->longest_ms, sum.longest_ms);
  figures->running += sum.running;
}

void Ranker::AddTotals(CauseRanking* ranking) {
  for (const HangSum& sum : rows_.hangs()) {
    by_cause_[sum.cause].push_back(&sum);
    ranking->hangs += sum.hangs;
    ranking->lost_ms += sum.lost_ms;
  }
  ranking->causes = by_cause_.size();
  ranking->installs = rows_.installs();
  ranking->debugged = rows_.debugged();
  ranking->unsampled = rows_.unsampled();
  for (const uint32_t version : versions_) ranking->versions.push_back(rows_.TextOf(version));
}

// The causes that have a row, the largest loss first.
std::vector<uint32_t> Ranker::Order() const {
  std::vector<std::pair<double, uint32_t>> order;
  for (const auto& [cause, hangs] : by_cause_) {
    if (!options_.cause.empty() && rows_.TextOf(cause) != options_.cause) continue;
    std::map<double, uint64_t> ms;  // by weight
    for (const HangSum* sum : hangs) ms[sum->weight] += sum->lost_ms;
    double lost = 0;
    for (const auto& [weight, of] : ms) lost += weight * static_cast<double>(of);
    order.emplace_back(lost, cause);
  }
  std::ranges::sort(order, [this](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : rows_.TextOf(a.second) < rows_.TextOf(b.second);
  });
  order.resize(std::min(order.size(), options_.rows));
  std::vector<uint32_t> causes;
  causes.reserve(order.size());
  for (const auto& [lost, cause] : order) causes.push_back(cause);
  return causes;
}

void Ranker::SumUse(CauseRanking* ranking) {
  uint64_t rated_ms = 0;
  UseSums all;
  for (const Use& use : rows_.uses()) {
    ranking->processes += use.processes;
    ranking->control += use.control;
    ranking->killed += use.killed;
    ranking->frames += use.frames;
    ranking->frames_missed += use.frames_missed;
    rated_ms += use.rated_ms;
    all.Add(use);
    for (const std::string& name : options_.by) {
      const size_t at = rows_.IndexOf(name);
      if (FleetRows::SessionsHave(name)) use_by_value_[{at, use.facts[at]}].Add(use);
    }
  }
  ranking->hours = static_cast<double>(rated_ms) / kHourMs;
  for (const auto& [install, of] : all.days) ranking->user_days += of.days.size();
  all_exposures_ = UseOf(all);
}

std::optional<Exposures> Ranker::UseOf(const UseSums& sums) {
  if (sums.ms.empty()) return std::nullopt;
  std::vector<double> hours(rows_.installs());
  std::vector<double> days(rows_.installs());
  for (const auto& [key, ms] : sums.ms) hours[key.first] += key.second * static_cast<double>(ms);
  for (const auto& [install, of] : sums.days)
    days[install] = static_cast<double>(of.days.size()) * of.weight;
  const size_t at = resampling_.AddExposure(std::move(hours));
  return Exposures{.hours = at, .days = resampling_.AddExposure(std::move(days))};
}

std::optional<Exposures> Ranker::UseOf(FactValue value) {
  const auto known = exposures_.find(value);
  if (known != exposures_.end()) return known->second;
  const std::optional<Exposures> use = UseOf(use_by_value_[value]);
  if (use) exposures_.emplace(value, *use);
  return use;
}

// Rare hangs may be missing from a version by chance. A version shows a change if, at the rate of
// the others, it would have hit an install with a probability of 95 %.
void Ranker::FillChanges(std::span<const HangSum* const> hangs, CauseRow* row) const {
  std::map<uint32_t, std::set<uint32_t>> hit;  // installs by version
  for (const HangSum* sum : hangs) hit[sum->facts[0]].insert(sum->install);
  std::vector<uint32_t> with;
  for (const uint32_t version : versions_)
    if (hit.contains(version)) with.push_back(version);
  if (with.empty()) return;
  row->first_version = rows_.TextOf(with.front());
  row->last_version = rows_.TextOf(with.back());
  if (versions_.size() < 2) return;
  std::map<uint32_t, std::set<uint32_t>> used;
  if (rows_.uses().empty())
    for (const HangSum& sum : rows_.hangs()) used[sum.facts[0]].insert(sum.install);
  for (const Use& use : rows_.uses()) used[use.facts[0]].insert(use.install);
  const uint32_t newest = versions_.back();
  double old_hits = 0;
  double old_installs = 0;
  for (const uint32_t version : versions_) {
    if (version == newest) continue;
    old_hits += hit.contains(version) ? static_cast<double>(hit.at(version).size()) : 0;
    old_installs += static_cast<double>(used[version].size());
  }
  constexpr double kEnough = 3;  // exp(-3) < 5 %
  const auto new_installs = static_cast<double>(used[newest].size());
  const double new_hits = hit.contains(newest) ? static_cast<double>(hit.at(newest).size()) : 0;
  row->is_new =
      old_hits == 0 && new_installs > 0 && new_hits / new_installs * old_installs >= kEnough;
  row->is_gone =
      new_hits == 0 && old_installs > 0 && old_hits / old_installs * new_installs >= kEnough;
}

void Ranker::FillNames(const Hangs& hangs, CauseRow* row) const {
  std::map<Signature, Part> parts;
  for (const HangSum* sum : hangs) {
    Part& part = parts[sum->signature];
    part.hangs += sum->hangs;
    part.lost_ms += sum->lost_ms;
  }
  for (auto& [signature, part] : parts) {
    part.id = PartId(signature);
    if (const CauseNames* names = rows_.NamesOf(signature); names != nullptr) part.names = *names;
    row->parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(row->parts, [](const Part& a, const Part& b) {
    return std::tuple(b.lost_ms, a.id) < std::tuple(a.lost_ms, b.id);
  });
  // A part that a build inlined, or of a rarer kind, does not name the cause.
  const auto named = std::ranges::find_if(row->parts, [row](const Part& part) {
    return ShortHash(CauseKey(part.names, part.names.method)) == row->id;
  });
  row->names = (named == row->parts.end() ? row->parts.front() : *named).names;
}

void Ranker::FillRow(uint32_t cause, CauseRow* row) {
  const Hangs& hangs = by_cause_.at(cause);
  row->id = rows_.TextOf(cause);
  for (const HangSum* sum : hangs) AddTo(*sum, &row->all);
  FillNames(hangs, row);
  FillChanges(hangs, row);
  for (const std::string& name : options_.by) {
    const size_t at = rows_.IndexOf(name);
    std::map<std::string, Figures> by_value;
    for (const HangSum* sum : hangs) AddTo(*sum, &by_value[rows_.TextOf(sum->facts[at])]);
    Breakdown& breakdown = row->by.emplace_back(Breakdown{.by = name, .values = {}});
    for (auto& [value, figures] : by_value)
      breakdown.values.push_back({.name = value, .figures = std::move(figures)});
  }
}

void Ranker::AddEstimate(const Hangs& hangs, const std::optional<Exposures>& use,
                         Figures* figures) {
  std::map<std::pair<uint32_t, double>, uint64_t> lost_ms;  // by install and weight
  std::map<uint32_t, Hit> lost;
  std::map<uint32_t, Hit> users;
  for (const HangSum* sum : hangs) lost_ms[{sum->install, sum->weight}] += sum->lost_ms;
  for (const auto& [key, ms] : lost_ms) {
    const auto [install, weight] = key;
    Hit& hit = lost[install];
    hit.install = install;
    hit.amount += weight * static_cast<double>(ms);
    Hit& user = users[install];
    user = {.install = install, .amount = std::max(user.amount, weight)};
  }
  figures->installs = users.size();
  std::vector<Hit> lost_hits;
  std::vector<Hit> user_hits;
  user_hits.reserve(users.size());
  for (const auto& [install, hit] : lost)
    if (hit.amount > 0) lost_hits.push_back(hit);
  for (const auto& [install, hit] : users) user_hits.push_back(hit);
  std::vector<size_t> exposures = {ones_};
  if (use) exposures.insert(exposures.end(), {use->hours, use->days});
  estimates_.push_back({.figures = figures,
                        .lost = resampling_.AddFigure(std::move(lost_hits), exposures),
                        .users = resampling_.AddFigure(std::move(user_hits), {ones_}),
                        .has_use = use.has_value()});
}

// Rows and values stay where they are from now on.
void Ranker::AddEstimates(const Hangs& hangs, CauseRow* row) {
  AddEstimate(hangs, all_exposures_, &row->all);
  for (Breakdown& breakdown : row->by) {
    const size_t at = rows_.IndexOf(breakdown.by);
    for (ValueOfFact& value : breakdown.values) {
      Hangs of_value;
      for (const HangSum* sum : hangs)
        if (rows_.TextOf(sum->facts[at]) == value.name) of_value.push_back(sum);
      AddEstimate(of_value, UseOf(FactValue(at, of_value.front()->facts[at])), &value.figures);
    }
  }
}

void Ranker::FinishEstimates() {
  resampling_.Run();
  const auto installs = static_cast<double>(rows_.installs());
  const auto scaled = [](const Interval& interval, double by) {
    return Interval{
        .value = interval.value * by, .low = interval.low * by, .high = interval.high * by};
  };
  for (const Estimate& estimate : estimates_) {
    Figures& figures = *estimate.figures;
    figures.lost_s = scaled(resampling_.Of(estimate.lost), installs / 1000);
    figures.users = scaled(resampling_.Of(estimate.users), installs);
    // No more users than there are.
    const double users = figures.users.value / static_cast<double>(figures.installs) * installs;
    figures.users.high = std::min(figures.users.high, users);
    if (!estimate.has_use) continue;
    figures.lost_s_per_hour = scaled(resampling_.Of(estimate.lost, 1), kHourMs / 1000);
    figures.lost_s_per_user_day = scaled(resampling_.Of(estimate.lost, 2), 0.001);
  }
}

void Ranker::Fill(CauseRanking* ranking) {
  AddTotals(ranking);
  SumUse(ranking);
  const std::vector<uint32_t> order = Order();
  ranking->rows.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) FillRow(order[i], &ranking->rows[i]);
  for (size_t i = 0; i < order.size(); ++i) AddEstimates(by_cause_.at(order[i]), &ranking->rows[i]);
  FinishEstimates();
  for (CauseRow& row : ranking->rows)
    for (Breakdown& breakdown : row.by)
      std::ranges::stable_sort(breakdown.values, [](const ValueOfFact& a, const ValueOfFact& b) {
        return a.figures.lost_s.value > b.figures.lost_s.value;
      });
}

}  // namespace

bool Rank(Engine* engine, const RankOptions& options, CauseRanking* ranking) {
  FleetRows rows(engine, options);
  if (!rows.Read()) return false;
  ranking->missing_facts = rows.MissingFacts();
  if (ranking->missing_facts.empty()) Ranker(rows, options).Fill(ranking);
  return true;
}

namespace {

// "1, 2, 3" for SQL.
std::string SignaturesOf(const CauseRow& row) {
  std::string signatures;
  for (const Part& part : row.parts)
    signatures += fmt::format("{}{}", signatures.empty() ? "" : ", ",
                              static_cast<int64_t>(std::stoull(part.id, nullptr, 16)));
  return signatures;
}

void AddBuckets(std::string_view text, uint64_t times, std::map<uint64_t, uint64_t>* histogram) {
  while (!text.empty()) {
    const std::string_view bucket = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(bucket.size() + 1, text.size()));
    const size_t colon = std::min(bucket.find(':'), bucket.size() - 1);
    const Cell ms = {.text = bucket.substr(0, colon)};
    const Cell count = {.text = bucket.substr(colon + 1)};
    (*histogram)[static_cast<uint64_t>(ms.Integer())] +=
        times * static_cast<uint64_t>(count.Integer());
  }
}

}  // namespace

bool Histogram(Engine* engine, const CauseRow& row, std::map<uint64_t, uint64_t>* histogram) {
  constexpr Selection kSelectHistograms(Picked{&HangRow::histogram, "histogram"},
                                        Picked{&HangRow::count, "count(*)"});
  return kSelectHistograms.ForEach(
      engine,
      fmt::format("FROM {} WHERE debugged = 0 AND signature IN ({}) GROUP BY histogram",
                  engine->From(kHangs), SignaturesOf(row)),
      [histogram](const HangRow& each) { AddBuckets(each.histogram, each.count, histogram); });
}

bool Examples(Engine* engine, const CauseRow& row, std::vector<Example>* examples) {
  constexpr Selection kSelectExamples(Picked{&ExampleRow::id, "id"},
                                      Picked{&ExampleRow::name, "name"},
                                      Picked{&ExampleRow::bytes, "bytes"});
  const std::string signatures = SignaturesOf(row);
  std::map<uint64_t, Example> by_hash;
  const bool is_read = kSelectExamples.ForEach(
      engine,
      fmt::format("FROM {} WHERE signature IN ({}) AND id IN (SELECT id FROM {} WHERE signature IN "
                  "({}) AND debugged = 0)",
                  engine->From(kExamples), signatures, engine->From(kHangs), signatures),
      [&by_hash](ExampleRow& each) {
        by_hash[Hash(each.id)] = {
            .id = each.id, .name = std::move(each.name), .bytes = std::move(each.bytes.bytes)};
        if (by_hash.size() > kExamplesOfCause) by_hash.erase(std::prev(by_hash.end()));
      });
  for (auto& [hash, example] : by_hash) examples->push_back(std::move(example));
  return is_read;
}

}  // namespace stillframe::fleet
