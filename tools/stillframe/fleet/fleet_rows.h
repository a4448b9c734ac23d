// SPDX-License-Identifier: Apache-2.0
// The rows that a question about a fleet needs, in an order that does not depend on the engine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/stillframe/fleet/causes.h"
#include "tools/stillframe/fleet/rank.h"
#include "tools/stillframe/fleet/rows.h"

namespace stillframe::fleet {

// Texts as numbers.
class Texts {
 public:
  uint32_t Of(std::string_view text);
  const std::string& At(uint32_t id) const { return *texts_[id]; }

 private:
  std::vector<std::unique_ptr<std::string>> texts_;
  std::unordered_map<std::string_view, uint32_t> ids_;
};

// Facts of a row by FleetRows::IndexOf: numbers of texts.
using FactIds = std::vector<uint32_t>;

// Hangs with the same signature, install and facts: one, or as many as the engine has summed.
struct HangSum {
  InstallKey install_key = {};
  uint32_t install = 0;  // from 0
  Signature signature = {};
  uint32_t cause = 0;  // number of the text of its id
  FactIds facts;
  double weight = 1;  // how many installs it counts for
  uint64_t hangs = 0;
  uint64_t lost_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t running = 0;
};

// Sessions with the same install, day and facts.
struct Use {
  InstallKey install_key = {};
  uint32_t install = 0;
  Day day = {};
  FactIds facts;
  double weight = 1;
  uint64_t rated_ms = 0;
  uint64_t processes = 0;
  uint64_t control = 0;
  uint64_t killed = 0;
  uint64_t frames = 0;
  uint64_t frames_missed = 0;
};

class FleetRows {
 public:
  FleetRows(Engine* engine, const RankOptions& options);

  // False if the engine failed.
  bool Read();

  const std::vector<HangSum>& hangs() const { return hangs_; }
  const std::vector<Use>& uses() const { return uses_; }
  // Null: the store has none.
  const CauseNames* NamesOf(Signature signature) const;
  size_t installs() const { return installs_; }
  uint64_t debugged() const { return debugged_; }
  // Processes without samples, by reason.
  const std::map<std::string, uint64_t>& unsampled() const { return unsampled_; }

  const std::string& TextOf(uint32_t id) const { return texts_.At(id); }
  // The index of a fact that the options name; 0: the version.
  size_t IndexOf(const std::string& name) const;
  // Numbers of the versions' texts, oldest first.
  std::vector<uint32_t> Versions() const;
  // Whether sessions have the fact.
  static bool SessionsHave(const std::string& name);
  // Asked for, and in no record or session. None if there are none of these.
  std::vector<std::string> MissingFacts() const;

 private:
  enum class FactKind : uint8_t { kVersion, kColumn, kOther, kMissing };
  // How the facts of names_ are read from a table.
  struct FactPlan {
    std::string columns;          // of SQL
    size_t count = 0;             // of them before version_code
    std::vector<FactKind> kinds;  // by name
  };
  FactPlan PlanOf(const Table& table) const;
  FactIds FactsOf(const FactPlan& plan, std::span<const Cell> cells);
  bool Holds(const FactIds& facts) const;
  double WeightOf(const FactIds& facts) const;
  std::string FromCounted(const Table& table, const std::string& condition) const;
  bool ReadHangs();
  bool ReadDumps();
  bool ReadSessions();
  void NumberInstalls();

  Engine* engine_;
  const RankOptions& options_;
  std::vector<std::string> names_;  // of facts; the first is the version
  std::set<size_t> present_;        // indices of names that a row has a value of
  Causes causes_;
  Texts texts_;
  std::map<uint32_t, int64_t> version_codes_;  // by the version's text
  std::vector<HangSum> hangs_;
  std::vector<Use> uses_;
  std::map<std::string, uint64_t> unsampled_;
  uint64_t debugged_ = 0;
  size_t installs_ = 0;
};

}  // namespace stillframe::fleet
