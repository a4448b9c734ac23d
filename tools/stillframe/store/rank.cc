// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/store/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "tools/stillframe/store/clusters.h"
#include "tools/stillframe/store/hash.h"
#include "tools/stillframe/store/ingestion.h"

namespace stillframe::store {
namespace {

constexpr const char* kUnknown = "unknown";
constexpr double kHourMs = 3.6e6;

// Texts as numbers.
class Texts {
 public:
  uint32_t Of(std::string_view text) {
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<uint32_t>(texts_.size());
    texts_.push_back(std::make_unique<std::string>(text));
    ids_.emplace(*texts_.back(), id);
    return id;
  }
  const std::string& At(uint32_t id) const { return *texts_[id]; }

 private:
  std::vector<std::unique_ptr<std::string>> texts_;
  std::unordered_map<std::string_view, uint32_t> ids_;
};

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

bool HasFact(const Table& table, const std::string& name) {
  const std::string in_hangs = ColumnOf(kHangs, name);
  return in_hangs.empty() || !ColumnOf(table, name).empty();
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

// Rows of one table, summed over the other facts.
struct Entry {
  int64_t install_hash = 0;
  uint32_t install = 0;
  uint32_t cluster = 0;
  int64_t signature = 0;
  std::vector<uint32_t> facts;  // by the fleet's names
  double weight = 1;
  uint64_t hangs = 0;
  uint64_t lost_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t running = 0;
};

struct Use {
  int64_t install_hash = 0;
  uint32_t install = 0;
  int64_t day = 0;
  std::vector<uint32_t> facts;
  double weight = 1;
  uint64_t rated_ms = 0;
  uint64_t processes = 0;
  uint64_t control = 0;
  uint64_t killed = 0;
};

// The rows of a question, read into memory.
class Fleet {
 public:
  Fleet(Engine* engine, const RankOptions& options) : engine_(engine), options_(options) {
    names_.emplace_back("version");
    for (const std::string& name : options.by) AddName(name);
    for (const Condition& condition : options.where) AddName(condition.first);
    for (const Share& share : options.shares)
      if (share.of) AddName(share.of->first);
  }

  bool Read() {
    if (!clusters_.Read(engine_) || !ReadHangs()) return false;
    clusters_.Join(occurrences_);
    return ReadDumps() && ReadSessions() && Number();
  }
  void Fill(Ranking* ranking);
  // Asked for, and in no record or heartbeat. None if there are none of these.
  std::vector<std::string> MissingFacts() const;
  const Clusters& clusters() const { return clusters_; }

 private:
  void AddName(const std::string& name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
  size_t IndexOf(const std::string& name) const {
    return static_cast<size_t>(std::ranges::find(names_, name) - names_.begin());
  }
  enum class FactKind : uint8_t { kVersion, kColumn, kOther, kMissing };
  // How the facts of names_ are read from a table.
  struct FactPlan {
    std::string columns;          // of SQL
    size_t count = 0;             // of them before version_code
    bool has_other = false;       // the column of other facts follows
    std::vector<FactKind> kinds;  // by name
  };
  FactPlan PlanOf(const Table& table) const;
  // Reads them from `cells`, and moves those on.
  std::vector<uint32_t> FactsOf(const FactPlan& plan, std::span<const Cell>* cells);
  bool Holds(const std::vector<uint32_t>& facts) const;
  double WeightOf(const std::vector<uint32_t>& facts) const;
  bool ReadHangs();
  bool ReadDumps();
  bool ReadSessions();
  bool Number();
  std::vector<uint32_t> Versions() const;
  void FillRow(uint32_t cluster, std::span<const Entry* const> entries, RankRow* row) const;
  void FillChanges(const std::vector<uint32_t>& versions, std::span<const Entry* const> entries,
                   RankRow* row) const;

  Engine* engine_;
  const RankOptions& options_;
  std::vector<std::string> names_;  // of facts; the first is the version
  std::set<size_t> present_;        // indices of names that a row has a value of
  Clusters clusters_;
  Occurrences occurrences_;
  Texts texts_;
  std::map<uint32_t, int64_t> version_codes_;  // by the version's text
  std::vector<Entry> entries_;
  std::vector<Use> uses_;
  uint64_t debugged_ = 0;
  size_t installs_ = 0;
};

Fleet::FactPlan Fleet::PlanOf(const Table& table) const {
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
  plan.has_other = std::ranges::find(plan.kinds, FactKind::kOther) != plan.kinds.end();
  if (plan.has_other) plan.columns += ", facts";
  return plan;
}

std::vector<uint32_t> Fleet::FactsOf(const FactPlan& plan, std::span<const Cell>* cells) {
  std::vector<uint32_t> facts;
  facts.reserve(names_.size());
  size_t at = 0;
  const Cell& code = (*cells)[plan.count];
  for (size_t i = 0; i < names_.size(); ++i) {
    std::string_view text;
    switch (plan.kinds[i]) {
      case FactKind::kVersion:
        text = (*cells)[at++].text;
        // Not every application names its version.
        if (text.empty()) text = code.text;
        if (text == "0") text = "";
        break;
      case FactKind::kColumn:
        text = (*cells)[at++].text;
        if (text == "0") text = "";
        break;
      case FactKind::kOther: text = FactIn((*cells)[plan.count + 1].text, names_[i]); break;
      case FactKind::kMissing: break;
    }
    if (!text.empty()) present_.insert(i);
    facts.push_back(texts_.Of(text.empty() ? kUnknown : text));
  }
  int64_t& known = version_codes_[facts[0]];
  known = std::max(known, code.Integer());
  *cells = cells->subspan(plan.count + (plan.has_other ? 2 : 1));
  return facts;
}

std::vector<std::string> Fleet::MissingFacts() const {
  std::vector<std::string> missing;
  for (size_t i = 0; i < names_.size() && !present_.empty(); ++i)
    if (!present_.contains(i) && ColumnOf(kHangs, names_[i]).empty()) missing.push_back(names_[i]);
  return missing;
}

bool Fleet::Holds(const std::vector<uint32_t>& facts) const {
  return std::ranges::all_of(
      options_.where,
      [&](const Condition& condition) {
        return texts_.At(facts[IndexOf(condition.first)]) == condition.second;
      });
}

double Fleet::WeightOf(const std::vector<uint32_t>& facts) const {
  for (const Share& share : options_.shares)
    if (!share.of || texts_.At(facts[IndexOf(share.of->first)]) == share.of->second)
      return 100 / share.percent;
  return 1;
}

bool Fleet::ReadHangs() {
  const bool sums = engine_->sums();
  const FactPlan plan = PlanOf(kHangs);
  const std::string columns = "signature, install" + plan.columns;
  const std::string sql = fmt::format(
      "SELECT {}, {} FROM {} WHERE debugged = 0 AND source = 0 AND install NOT IN (SELECT install "
      "FROM {}){}",
      columns,
      sums ? "sum(count), sum(total_ms), max(longest_ms), sum(count * running)"
           : "count, total_ms, longest_ms, count * running",
      engine_->From(kHangs), engine_->From(kForgotten), sums ? " GROUP BY " + columns : "");
  std::unordered_map<int64_t, std::map<uint32_t, uint64_t>> occurrences;
  const bool is_read = engine_->Select(sql, [&](std::span<const Cell> cells) {
    Entry entry;
    entry.signature = cells[0].Integer();
    entry.install_hash = cells[1].Integer();
    cells = cells.subspan(2);
    entry.facts = FactsOf(plan, &cells);
    entry.hangs = static_cast<uint64_t>(cells[0].Integer());
    occurrences[entry.signature][entry.facts[0]] += entry.hangs;
    if (!Holds(entry.facts)) return true;
    entry.lost_ms = static_cast<uint64_t>(cells[1].Integer());
    entry.longest_ms = static_cast<uint64_t>(cells[2].Integer());
    entry.running = static_cast<uint64_t>(cells[3].Integer());
    entries_.push_back(std::move(entry));
    return true;
  });
  for (const auto& [signature, by_version] : occurrences)
    for (const auto& [version, count] : by_version)
      occurrences_[signature][texts_.At(version)] = count;
  return is_read && engine_->Select(fmt::format("SELECT count(*) FROM {} WHERE debugged = 1",
                                                engine_->From(kHangs)),
                                    [this](std::span<const Cell> cells) {
                                      debugged_ = static_cast<uint64_t>(cells[0].Integer());
                                      return true;
                                    });
}

// A hang of a dump counts unless a record of the same process has it: a record of equal hangs bears
// the token of the first of them.
bool Fleet::ReadDumps() {
  struct Times {
    std::string cluster;
    uint64_t first_ms = 0;
    uint64_t last_ms = 0;
  };
  std::multimap<int64_t, Times> recorded;  // by session
  const std::string from = engine_->From(kHangs);
  const std::string sql = fmt::format(
      "SELECT session, signature, first_time_ms, time_ms FROM {} WHERE source = 0 AND session IN "
      "(SELECT session FROM {} WHERE source = 1)",
      from, from);
  if (!engine_->Select(sql, [&](std::span<const Cell> cells) {
        recorded.emplace(cells[0].Integer(),
                         Times{.cluster = clusters_.Of(cells[1].Integer()),
                               .first_ms = static_cast<uint64_t>(cells[2].Integer()),
                               .last_ms = static_cast<uint64_t>(cells[3].Integer())});
        return true;
      }))
    return false;
  const FactPlan plan = PlanOf(kHangs);
  return engine_->Select(
      fmt::format(
          "SELECT session, signature, time_ms, install{}, count, total_ms, longest_ms, running "
          "FROM {} WHERE source = 1 AND install NOT IN (SELECT install FROM {})",
          plan.columns, from, engine_->From(kForgotten)),
      [&](std::span<const Cell> cells) {
        constexpr uint64_t kSlackMs = 30'000;  // a dump is written after its hang began
        Entry entry;
        entry.signature = cells[1].Integer();
        const auto time_ms = static_cast<uint64_t>(cells[2].Integer());
        const auto [begin, end] = recorded.equal_range(cells[0].Integer());
        for (auto it = begin; it != end; ++it)
          if (it->second.cluster == clusters_.Of(entry.signature) &&
              time_ms + kSlackMs >= it->second.first_ms && time_ms <= it->second.last_ms + kSlackMs)
            return true;
        entry.install_hash = cells[3].Integer();
        cells = cells.subspan(4);
        entry.facts = FactsOf(plan, &cells);
        if (!Holds(entry.facts)) return true;
        entry.hangs = static_cast<uint64_t>(cells[0].Integer());
        entry.lost_ms = static_cast<uint64_t>(cells[1].Integer());
        entry.longest_ms = static_cast<uint64_t>(cells[2].Integer());
        entry.running = static_cast<uint64_t>(cells[3].Integer());
        entries_.push_back(std::move(entry));
        return true;
      });
}

bool Fleet::ReadSessions() {
  // A condition that heartbeats do not know leaves none.
  for (const Condition& condition : options_.where)
    if (!HasFact(kSessions, condition.first)) return true;
  const bool sums = engine_->sums();
  const FactPlan plan = PlanOf(kSessions);
  const std::string columns = "install, day" + plan.columns;
  const std::string sql = fmt::format(
      "SELECT {}, {} FROM {} WHERE install NOT IN (SELECT install FROM {}){}", columns,
      sums ? "sum(rated_ms), count(*), sum(control), sum(killed)" : "rated_ms, 1, control, killed",
      engine_->From(kSessions), engine_->From(kForgotten), sums ? " GROUP BY " + columns : "");
  return engine_->Select(sql, [&](std::span<const Cell> cells) {
    Use use;
    use.install_hash = cells[0].Integer();
    use.day = cells[1].Integer();
    cells = cells.subspan(2);
    use.facts = FactsOf(plan, &cells);
    if (!Holds(use.facts)) return true;
    use.rated_ms = static_cast<uint64_t>(cells[0].Integer());
    use.processes = static_cast<uint64_t>(cells[1].Integer());
    use.control = static_cast<uint64_t>(cells[2].Integer());
    use.killed = static_cast<uint64_t>(cells[3].Integer());
    uses_.push_back(std::move(use));
    return true;
  });
}

// Installs and rows in an order that does not depend on the engine.
bool Fleet::Number() {
  std::vector<int64_t> installs;
  for (const Entry& entry : entries_) installs.push_back(entry.install_hash);
  for (const Use& use : uses_) installs.push_back(use.install_hash);
  std::ranges::sort(installs);
  installs.erase(std::unique(installs.begin(), installs.end()), installs.end());
  const auto index_of = [&installs](int64_t install) {
    return static_cast<uint32_t>(std::ranges::lower_bound(installs, install) - installs.begin());
  };
  for (Entry& entry : entries_) {
    entry.install = index_of(entry.install_hash);
    entry.weight = WeightOf(entry.facts);
    entry.cluster = texts_.Of(clusters_.Of(entry.signature));
  }
  for (Use& use : uses_) {
    use.install = index_of(use.install_hash);
    use.weight = WeightOf(use.facts);
  }
  installs_ = installs.size();
  return true;
}

// Oldest first.
std::vector<uint32_t> Fleet::Versions() const {
  std::set<uint32_t> ids;
  for (const Entry& entry : entries_) ids.insert(entry.facts[0]);
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

// Rare hangs may be missing from a version by chance. A version shows a change if, at the rate of
// the others, it would have hit an install with a probability of 95 %.
void Fleet::FillChanges(const std::vector<uint32_t>& versions,
                        std::span<const Entry* const> entries, RankRow* row) const {
  std::map<uint32_t, std::set<uint32_t>> hit;  // installs by version
  for (const Entry* entry : entries) hit[entry->facts[0]].insert(entry->install);
  std::vector<uint32_t> with;
  for (const uint32_t version : versions)
    if (hit.contains(version)) with.push_back(version);
  if (with.empty()) return;
  row->first_version = texts_.At(with.front());
  row->last_version = texts_.At(with.back());
  if (versions.size() < 2) return;
  std::map<uint32_t, std::set<uint32_t>> used;
  if (uses_.empty())
    for (const Entry& entry : entries_) used[entry.facts[0]].insert(entry.install);
  for (const Use& use : uses_) used[use.facts[0]].insert(use.install);
  const uint32_t newest = versions.back();
  double old_hits = 0;
  double old_installs = 0;
  for (const uint32_t version : versions) {
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

namespace {

// Places of a row's figures in the resampling.
struct Places {
  Figures* figures = nullptr;
  size_t lost = 0;
  size_t users = 0;
  bool has_use = false;
};

void AddTo(const Entry& entry, Figures* figures) {
  figures->hangs += entry.hangs;
  figures->lost_ms += entry.lost_ms;
  figures->longest_ms = std::max(figures->longest_ms, entry.longest_ms);
  figures->running += entry.running;
}

}  // namespace

void Fleet::FillRow(uint32_t cluster, std::span<const Entry* const> entries, RankRow* row) const {
  row->cluster = texts_.At(cluster);
  std::map<int64_t, Part> parts;
  for (const Entry* entry : entries) {
    AddTo(*entry, &row->all);
    Part& part = parts[entry->signature];
    part.hangs += entry->hangs;
    part.lost_ms += entry->lost_ms;
  }
  for (auto& [signature, part] : parts) {
    part.id = PartId(signature);
    const auto subject = clusters_.subjects().find(signature);
    if (subject != clusters_.subjects().end()) part.subject = subject->second;
    row->parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(row->parts, [](const Part& a, const Part& b) {
    return std::tuple(b.lost_ms, a.id) < std::tuple(a.lost_ms, b.id);
  });
  // A part that a build inlined, or of a rarer kind, does not name the cause.
  const auto named = std::ranges::find_if(row->parts, [row](const Part& part) {
    return ShortHash(ClusterKey(part.subject, part.subject.method)) == row->cluster;
  });
  row->subject = (named == row->parts.end() ? row->parts.front() : *named).subject;
}

void Fleet::Fill(Ranking* ranking) {
  std::map<uint32_t, std::vector<const Entry*>> by_cluster;
  for (const Entry& entry : entries_) {
    by_cluster[entry.cluster].push_back(&entry);
    ranking->hangs += entry.hangs;
    ranking->lost_ms += entry.lost_ms;
  }
  ranking->clusters = by_cluster.size();
  ranking->installs = installs_;
  ranking->debugged = debugged_;
  const std::vector<uint32_t> versions = Versions();
  for (const uint32_t version : versions) ranking->versions.push_back(texts_.At(version));

  std::vector<std::pair<double, uint32_t>> order;
  for (const auto& [cluster, entries] : by_cluster) {
    std::map<double, uint64_t> ms;  // by weight
    for (const Entry* entry : entries) ms[entry->weight] += entry->lost_ms;
    double lost = 0;
    for (const auto& [weight, of] : ms) lost += weight * static_cast<double>(of);
    order.emplace_back(lost, cluster);
  }
  std::ranges::sort(order, [this](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : texts_.At(a.second) < texts_.At(b.second);
  });
  if (!options_.cluster.empty())
    std::erase_if(order,
                  [this](const auto& each) { return texts_.At(each.second) != options_.cluster; });
  order.resize(std::min(order.size(), options_.rows));

  // Use by install: of all, and by each value of a fact.
  Resampling resampling(installs_);
  struct Exposures {
    size_t hours = 0;
    size_t days = 0;
  };
  const size_t ones = resampling.AddExposure(std::vector<double>(installs_, 1));
  std::optional<Exposures> all_use;
  std::map<std::pair<size_t, uint32_t>, Exposures> use_of;  // by name's index and value
  struct Sums {
    // By install and weight: whole numbers, whose sums do not depend on their order.
    std::map<std::pair<uint32_t, double>, uint64_t> ms;
    std::map<uint32_t, std::pair<std::set<int64_t>, double>> days;  // and the largest weight
  };
  const auto add = [&](const Sums& sums) {
    std::vector<double> hours(installs_);
    std::vector<double> days(installs_);
    for (const auto& [key, ms] : sums.ms) hours[key.first] += key.second * static_cast<double>(ms);
    for (const auto& [install, of] : sums.days)
      days[install] = static_cast<double>(of.first.size()) * of.second;
    const size_t at = resampling.AddExposure(std::move(hours));
    return Exposures{.hours = at, .days = resampling.AddExposure(std::move(days))};
  };
  std::map<std::pair<size_t, uint32_t>, Sums> sums_of;
  Sums sums_of_all;
  uint64_t rated_ms = 0;
  for (const Use& use : uses_) {
    ranking->processes += use.processes;
    ranking->control += use.control;
    ranking->killed += use.killed;
    rated_ms += use.rated_ms;
    const auto count = [&use](Sums* sums) {
      if (use.rated_ms == 0) return;
      sums->ms[{use.install, use.weight}] += use.rated_ms;
      auto& [days, weight] = sums->days[use.install];
      days.insert(use.day);
      weight = std::max(weight, use.weight);
    };
    count(&sums_of_all);
    for (const std::string& name : options_.by) {
      const size_t at = IndexOf(name);
      if (HasFact(kSessions, name)) count(&sums_of[{at, use.facts[at]}]);
    }
  }
  ranking->hours = static_cast<double>(rated_ms) / kHourMs;
  for (const auto& [install, of] : sums_of_all.days) ranking->user_days += of.first.size();
  if (!sums_of_all.ms.empty()) all_use = add(sums_of_all);

  std::vector<Places> places;
  const auto add_figures = [&](std::span<const Entry* const> entries,
                               const std::optional<Exposures>& use, Figures* figures) {
    std::map<std::pair<uint32_t, double>, uint64_t> lost_ms;
    std::map<uint32_t, Hit> lost;
    std::map<uint32_t, Hit> users;
    for (const Entry* entry : entries) lost_ms[{entry->install, entry->weight}] += entry->lost_ms;
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
    Places place;
    place.figures = figures;
    place.has_use = use.has_value();
    std::vector<size_t> exposures = {ones};
    if (use) exposures.insert(exposures.end(), {use->hours, use->days});
    place.lost = resampling.AddFigure(std::move(lost_hits), exposures);
    place.users = resampling.AddFigure(std::move(user_hits), {ones});
    places.push_back(place);
  };
  ranking->rows.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    RankRow& row = ranking->rows[i];
    const std::vector<const Entry*>& entries = by_cluster.at(order[i].second);
    FillRow(order[i].second, entries, &row);
    FillChanges(versions, entries, &row);
    for (const std::string& name : options_.by) {
      const size_t at = IndexOf(name);
      Breakdown breakdown;
      breakdown.by = name;
      std::map<std::string, std::vector<const Entry*>> by_value;
      for (const Entry* entry : entries) by_value[texts_.At(entry->facts[at])].push_back(entry);
      for (const auto& [value, of_value] : by_value) {
        breakdown.values.push_back({.name = value, .figures = {}});
        for (const Entry* entry : of_value) AddTo(*entry, &breakdown.values.back().figures);
      }
      row.by.push_back(std::move(breakdown));
    }
  }
  // Rows and values stay where they are from now on.
  for (size_t i = 0; i < order.size(); ++i) {
    RankRow& row = ranking->rows[i];
    const std::vector<const Entry*>& entries = by_cluster.at(order[i].second);
    add_figures(entries, all_use, &row.all);
    for (Breakdown& breakdown : row.by) {
      const size_t at = IndexOf(breakdown.by);
      for (Value& value : breakdown.values) {
        std::vector<const Entry*> of_value;
        for (const Entry* entry : entries)
          if (texts_.At(entry->facts[at]) == value.name) of_value.push_back(entry);
        std::optional<Exposures> use;
        const std::pair key(at, of_value.front()->facts[at]);
        if (const auto sums = sums_of.find(key);
            sums != sums_of.end() && !sums->second.ms.empty()) {
          const auto [known, is_new] = use_of.try_emplace(key);
          if (is_new) known->second = add(sums->second);
          use = known->second;
        }
        add_figures(of_value, use, &value.figures);
      }
    }
  }
  resampling.Run();
  const auto installs = static_cast<double>(installs_);
  const auto scaled = [](Interval interval, double by) {
    return Interval{
        .value = interval.value * by, .low = interval.low * by, .high = interval.high * by};
  };
  for (const Places& place : places) {
    Figures& figures = *place.figures;
    figures.lost_s = scaled(resampling.Of(place.lost), installs / 1000);
    figures.users = scaled(resampling.Of(place.users), installs);
    // No more users than there are.
    const double users = figures.users.value / static_cast<double>(figures.installs) * installs;
    figures.users.high = std::min(figures.users.high, users);
    if (!place.has_use) continue;
    figures.lost_s_per_hour = scaled(resampling.Of(place.lost, 1), kHourMs / 1000);
    figures.lost_s_per_user_day = scaled(resampling.Of(place.lost, 2), 0.001);
  }
  for (RankRow& row : ranking->rows)
    for (Breakdown& breakdown : row.by)
      std::ranges::stable_sort(breakdown.values, [](const Value& a, const Value& b) {
        return a.figures.lost_s.value > b.figures.lost_s.value;
      });
}

}  // namespace

bool Rank(Engine* engine, const RankOptions& options, Ranking* ranking) {
  Fleet fleet(engine, options);
  if (!fleet.Read()) return false;
  ranking->missing_facts = fleet.MissingFacts();
  if (ranking->missing_facts.empty()) fleet.Fill(ranking);
  return true;
}

bool FindCluster(Engine* engine, const std::string& id, std::string* cluster) {
  const RankOptions options;
  Fleet fleet(engine, options);
  if (!fleet.Read()) return false;
  *cluster = fleet.clusters().Find(id);
  return true;
}

namespace {

// "1, 2, 3" for SQL.
std::string SignaturesOf(const RankRow& row) {
  std::string signatures;
  for (const Part& part : row.parts)
    signatures += fmt::format("{}{}", signatures.empty() ? "" : ", ",
                              static_cast<int64_t>(std::stoull(part.id, nullptr, 16)));
  return signatures;
}

}  // namespace

bool Histogram(Engine* engine, const RankRow& row, std::map<uint64_t, uint64_t>* histogram) {
  return engine->Select(
      fmt::format("SELECT histogram, count(*) FROM {} WHERE debugged = 0 AND signature IN ({}) "
                  "GROUP BY histogram",
                  engine->From(kHangs), SignaturesOf(row)),
      [histogram](std::span<const Cell> cells) {
        const auto times = static_cast<uint64_t>(cells[1].Integer());
        for (std::string_view rest = cells[0].text; !rest.empty();) {
          const std::string_view bucket = rest.substr(0, rest.find(' '));
          rest.remove_prefix(std::min(bucket.size() + 1, rest.size()));
          const size_t colon = std::min(bucket.find(':'), bucket.size() - 1);
          const Cell ms = {.text = bucket.substr(0, colon)};
          const Cell count = {.text = bucket.substr(colon + 1)};
          (*histogram)[static_cast<uint64_t>(ms.Integer())] +=
              times * static_cast<uint64_t>(count.Integer());
        }
        return true;
      });
}

bool Examples(Engine* engine, const RankRow& row, std::vector<Example>* examples) {
  const std::string signatures = SignaturesOf(row);
  std::map<uint64_t, Example> by_hash;
  const std::string from = engine->From(kExamples);
  const std::string hangs = engine->From(kHangs);
  const bool is_read = engine->Select(
      fmt::format(
          "SELECT id, name, bytes FROM {} WHERE signature IN ({}) AND id IN (SELECT id FROM "
          "{} WHERE signature IN ({}) AND debugged = 0)",
          from, signatures, hangs, signatures),
      [&](std::span<const Cell> cells) {
        by_hash[Hash(cells[0].text)] = {.id = std::string(cells[0].text),
                                        .name = std::string(cells[1].text),
                                        .bytes = std::string(cells[2].text)};
        if (by_hash.size() > kExamplesOfCause) by_hash.erase(std::prev(by_hash.end()));
        return true;
      });
  for (auto& [hash, example] : by_hash) examples->push_back(std::move(example));
  return is_read;
}

}  // namespace stillframe::store
