// SPDX-License-Identifier: Apache-2.0
// A fleet's records, and what is asked of them. Errors are one line, and say what to do.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/stillframe/fleet/engine.h"
#include "tools/stillframe/fleet/ingestion.h"
#include "tools/stillframe/fleet/rank.h"

namespace stillframe::fleet {

// One cause in full.
struct ShownCause {
  CauseRanking ranking;  // with one row at most
  std::map<uint64_t, uint64_t> histogram;
  std::vector<Example> examples;
};

struct Forgotten {
  uint64_t hangs = 0;
  uint64_t sessions = 0;
};

struct StoreHealth {
  std::vector<std::pair<std::string, uint64_t>> rows;  // by table
  uint64_t nameless = 0;                               // hangs whose cause has no names
  bool is_changing = false;  // a run adds to it, or was killed while it did
};

// Not for several threads at a time. Several processes may use one store.
class Store {
 public:
  // A file, or clickhouse://[USER:PASSWORD@]HOST:PORT/DATABASE. Null, and an error, on failure.
  static std::unique_ptr<Store> Open(const std::string& to, Access access, std::string* error);
  // One that ends with the process.
  static std::unique_ptr<Store> OpenInMemory(std::string* error);

  // The store's address without its password.
  static std::string NameOf(const std::string& to);

  // The following return false, and leave an error, if the store failed or has no such cause.
  const std::string& error() const { return error_; }

  // Calls `add` with what adds files, which it may call often, and commits the rest. What was
  // committed before a failure stays.
  bool Add(IngestionOptions options, const std::function<bool(Ingestion*)>& add);

  bool Rank(const RankOptions& options, CauseRanking* ranking);

  // The answer to a question: `make`, of a ranking, writes it, unless it was kept since the store
  // changed last. `answer` is empty if facts are missing, which `ranking` then names.
  bool Answer(const RankOptions& options, std::string_view question,
              const std::function<std::string(const CauseRanking&)>& make, CauseRanking* ranking,
              std::string* answer);

  // `id` is a cause's own, a former one's or a part's.
  bool Show(const std::string& id, RankOptions options, ShownCause* shown);

  // Counts causes as one from now on, or causes and parts on their own.
  bool Merge(const std::string& into, std::span<const std::string> others);
  bool Split(std::span<const std::string> causes);

  // Removes all of these installs. Their records are refused from now on.
  bool Forget(std::span<const std::string> installs, Forgotten* forgotten);

  // Frees space; first removes what was added `keep_days` before `today` or earlier.
  bool Compact(std::optional<uint32_t> keep_days, Day today);

  bool Check(StoreHealth* health);

  // A person's SQL, which may only read.
  bool Query(const std::string& sql, const TakeColumns& columns, const TakeRow& row);

 private:
  Store(std::string to, std::unique_ptr<Engine> engine)
      : to_(std::move(to)), engine_(std::move(engine)) {}

  bool Failed() {
    error_ = engine_->error();
    return false;
  }
  // Makes a change as a whole: all of it or, on SQLite, nothing.
  bool Change(const std::function<bool()>& change);
  bool Find(const std::string& id, std::string* cause);
  bool Count(const std::string& rest, uint64_t* count);
  bool RemoveSpareExamples();
  void Keep(const std::string& question, const std::string& stamp, const std::string& answer);

  std::string to_;
  std::unique_ptr<Engine> engine_;  // null after Answer
  std::string error_;
};

}  // namespace stillframe::fleet
