// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/store.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/stillframe/fleet/causes.h"
#include "tools/stillframe/fleet/changes.h"
#include "tools/stillframe/fleet/hash.h"
#include "tools/stillframe/fleet/rows.h"

namespace stillframe::fleet {
namespace {

constexpr const char* kInMemory = ":memory:";
constexpr const char* kAll = "version > 0";  // of a table's rows

}  // namespace

std::unique_ptr<Store> Store::Open(const std::string& to, Access access, std::string* error) {
  std::unique_ptr<Engine> engine = OpenEngine(to, access, error);
  return engine ? std::unique_ptr<Store>(new Store(to, std::move(engine))) : nullptr;
}

std::unique_ptr<Store> Store::OpenInMemory(std::string* error) {
  return Open(kInMemory, Access::kCreate, error);
}

std::string Store::NameOf(const std::string& to) {
  const size_t at = to.rfind('@');
  const size_t colon = to.find(':', kClickHouseScheme.size());
  if (!to.starts_with(kClickHouseScheme) || at == std::string::npos || colon > at) return to;
  return to.substr(0, colon) + ":..." + to.substr(at);
}

bool Store::Change(const std::function<bool()>& change) {
  if (BeginChange(engine_.get()) && change() && EndChange(engine_.get())) return true;
  Failed();
  engine_->Rollback();
  return false;
}

bool Store::Find(const std::string& id, std::string* cause) {
  Causes causes;
  if (!causes.Read(engine_.get())) return Failed();
  *cause = causes.Find(id);
  if (cause->empty())
    error_ = fmt::format("has no cause '{}'; 'stillframe store rank' lists them", id);
  return !cause->empty();
}

bool Store::Count(const std::string& rest, uint64_t* count) {
  constexpr Selection kCount(Picked{&HangRow::count, "count(*)"});
  return kCount.ForEach(engine_.get(), rest, [count](const HangRow& row) { *count = row.count; }) ||
         Failed();
}

bool Store::Add(IngestionOptions options, const std::function<bool(Ingestion*)>& add) {
  Ingestion ingestion(engine_.get(), std::move(options));
  return (ingestion.Start() && add(&ingestion) && ingestion.Commit()) || Failed();
}

bool Store::Rank(const RankOptions& options, CauseRanking* ranking) {
  return fleet::Rank(engine_.get(), options, ranking) || Failed();
}

bool Store::Answer(const RankOptions& options, std::string_view question,
                   const std::function<std::string(const CauseRanking&)>& make,
                   CauseRanking* ranking, std::string* answer) {
  constexpr Selection kSelectKept(Picked{&AnswerRow::stamp, "stamp"},
                                  Picked{&AnswerRow::answer, "answer"});
  const std::string hash = "rank-" + ShortHash(question);
  const std::string stamp = StampOf(engine_.get());
  const bool is_settled = !stamp.empty() && !IsChanging(stamp);
  if (is_settled)
    kSelectKept.ForEach(engine_.get(),
                        fmt::format("FROM {} WHERE query = '{}'", engine_->From(kKept), hash),
                        [&](AnswerRow& row) {
                          if (row.stamp == stamp) *answer = std::move(row.answer);
                        });
  if (!answer->empty()) return true;
  if (!Rank(options, ranking)) return false;
  if (!ranking->missing_facts.empty()) return true;
  *answer = make(*ranking);
  // It is kept only if the store did not change meanwhile.
  const bool is_kept = is_settled && StampOf(engine_.get()) == stamp;
  engine_.reset();  // SQLite's last user removes its log; one that only reads cannot
  if (is_kept) Keep(hash, stamp, *answer);
  return true;
}

// A question is answered even if the answer cannot be kept.
void Store::Keep(const std::string& question, const std::string& stamp, const std::string& answer) {
  std::string error;
  const std::unique_ptr<Engine> engine = OpenEngine(to_, Access::kKeep, &error);
  if (engine && engine->Begin() &&
      !(InsertRows<AnswerRow>(
            engine.get(),
            {{.question = question, .version = NowNs(), .stamp = stamp, .answer = answer}}) &&
        engine->Commit()))
    engine->Rollback();
}

bool Store::Show(const std::string& id, RankOptions options, ShownCause* shown) {
  if (!Find(id, &options.cause)) return false;
  if (!Rank(options, &shown->ranking)) return false;
  if (!shown->ranking.missing_facts.empty()) return true;
  if (shown->ranking.rows.empty()) {
    error_ = "has no hang of this cause with the facts of --where";
    return false;
  }
  const CauseRow& row = shown->ranking.rows.front();
  return (Examples(engine_.get(), row, &shown->examples) &&
          Histogram(engine_.get(), row, &shown->histogram)) ||
         Failed();
}

bool Store::Merge(const std::string& into, std::span<const std::string> others) {
  std::string target;
  if (!Find(into, &target)) return false;
  // A cause that others belong to is where their ways end.
  std::vector<DecisionRow> rows = {{.cause = target, .version = NowNs(), .target = target}};
  for (const std::string& id : others) {
    std::string now;
    if (!Find(id, &now)) return false;
    constexpr size_t kPartDigits = 16;
    if (id == into || id == target) {
      error_ = fmt::format("'{}' is named twice; name two causes", id);
      return false;
    }
    // A cause brings along what was merged into it.
    if (now != target)
      rows.push_back(
          {.cause = id.size() == kPartDigits ? id : now, .version = NowNs(), .target = target});
  }
  return Change([&] { return InsertRows(engine_.get(), rows); });
}

bool Store::Split(std::span<const std::string> causes) {
  std::vector<DecisionRow> rows;
  for (const std::string& id : causes) {
    std::string now;
    if (!Find(id, &now)) return false;
    rows.push_back({.cause = id, .version = NowNs(), .target = id});
  }
  return Change([&] { return InsertRows(engine_.get(), rows); });
}

bool Store::Forget(std::span<const std::string> installs, Forgotten* forgotten) {
  std::string hashes;
  std::vector<ForgottenRow> rows;
  for (const std::string& install : installs) {
    const auto key = KeyHash<InstallKey>(install);
    hashes += (hashes.empty() ? "" : ", ") + CellTextOf(key);
    rows.push_back({.install = key, .version = NowNs()});
  }
  const std::string theirs = fmt::format("install IN ({})", hashes);
  const auto count = [&](const Table& table, uint64_t* number) {
    return Count(fmt::format("FROM {} WHERE {}", engine_->From(table), theirs), number);
  };
  if (!count(kHangs, &forgotten->hangs) || !count(kSessions, &forgotten->sessions)) return false;
  // The list comes first, so that a kill here leaves the install on it.
  return Change([&] {
    return InsertRows(engine_.get(), rows) &&
           engine_->Delete(
               kExamples, fmt::format("id IN (SELECT id FROM {} WHERE {})", kHangs.name, theirs)) &&
           engine_->Delete(kHangs, theirs) && engine_->Delete(kSessions, theirs) &&
           engine_->Delete(kKept, kAll);
  });
}

// Removes examples beyond those that count: better ones came later.
bool Store::RemoveSpareExamples() {
  constexpr Selection kSelectExamples(Picked{&ExampleRow::cause, "cause"},
                                      Picked{&ExampleRow::id, "id"});
  std::map<CauseHash, std::map<uint64_t, std::string>> ids;  // by the id's hash
  std::vector<std::string> spare;
  if (!kSelectExamples.ForEach(engine_.get(), "FROM " + engine_->From(kExamples),
                               [&](ExampleRow& row) {
                                 auto& of_cause = ids[row.cause];
                                 of_cause[Hash(row.id)] = std::move(row.id);
                                 if (of_cause.size() <= kExamplesOfCause) return;
                                 spare.push_back(Quoted(std::prev(of_cause.end())->second));
                                 of_cause.erase(std::prev(of_cause.end()));
                               }))
    return false;
  constexpr size_t kAtOnce = 2'000;  // ClickHouse takes 256 KiB of SQL
  for (size_t i = 0; i < spare.size(); i += kAtOnce) {
    const std::span some = std::span(spare).subspan(i, std::min(kAtOnce, spare.size() - i));
    if (!engine_->Delete(kExamples, fmt::format("id IN ({})", fmt::join(some, ", ")))) return false;
  }
  return true;
}

bool Store::Compact(std::optional<uint32_t> keep_days, Day today) {
  if (keep_days) {
    const std::string old = fmt::format("added_day + {} <= {}", *keep_days, CellTextOf(today));
    const bool is_removed = Change([&] {
      return engine_->Delete(kHangs, old) && engine_->Delete(kSessions, old) &&
             engine_->Delete(kExamples, fmt::format("id NOT IN (SELECT id FROM {})", kHangs.name));
    });
    if (!is_removed) return false;
  }
  return (RemoveSpareExamples() && engine_->Delete(kKept, kAll) && engine_->Compact()) || Failed();
}

bool Store::Check(StoreHealth* health) {
  if (!engine_->Check()) return Failed();
  for (const Table* table : kTables) {
    if (table == &kKept || table == &kMeta) continue;
    auto& [name, rows] = health->rows.emplace_back(table->name, 0);
    if (!Count("FROM " + engine_->From(*table), &rows)) return false;
  }
  health->is_changing = IsChanging(StampOf(engine_.get()));
  return Count(fmt::format("FROM {} WHERE signature NOT IN (SELECT signature FROM {})",
                           engine_->From(kHangs), engine_->From(kSignatures)),
               &health->nameless);
}

bool Store::Query(const std::string& sql, const TakeColumns& columns, const TakeRow& row) {
  return engine_->Select(sql, true, columns, row) || Failed();
}

}  // namespace stillframe::fleet
