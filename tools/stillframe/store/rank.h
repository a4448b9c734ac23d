// SPDX-License-Identifier: Apache-2.0
// The cost of a fleet's hangs to its users, by cause. The store's rows are summed here, in an order
// that does not depend on the engine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/stillframe/compare/subject.h"
#include "tools/stillframe/store/engine.h"
#include "tools/stillframe/store/intervals.h"

namespace stillframe::store {

using Condition = std::pair<std::string, std::string>;  // a fact's name and its value

// The percentage of installs that take part, of all or of those with a fact. Installs count as many
// as they stand for.
struct Share {
  std::optional<Condition> of;
  double percent = 100;
};

struct RankOptions {
  std::vector<std::string> by;   // names of facts
  std::vector<Condition> where;  // each holds
  std::vector<Share> shares;     // the first that holds
  size_t rows = 20;
  std::string cluster;  // the one row; "": all
};

struct Figures {
  uint64_t hangs = 0;
  uint64_t lost_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t running = 0;  // of the hangs
  uint64_t installs = 0;
  // Estimates for all installs that those in the store stand for.
  Interval lost_s;
  Interval users;
  // With heartbeats that have the fact. Nothing otherwise.
  std::optional<Interval> lost_s_per_hour;  // in the foreground
  std::optional<Interval> lost_s_per_user_day;
};

// Hangs of one signature.
struct Part {
  std::string id;
  compare::Subject subject;
  uint64_t hangs = 0;
  uint64_t lost_ms = 0;
};

struct Value {
  std::string name;
  Figures figures;
};

struct Breakdown {
  std::string by;
  std::vector<Value> values;  // largest loss first
};

struct RankRow {
  std::string cluster;
  compare::Subject subject;  // of its largest part that is not inlined
  Figures all;
  std::string first_version;
  std::string last_version;
  bool is_new = false;   // first in the newest version; older ones had enough use to show it
  bool is_gone = false;  // not in the newest version, which had enough use to show it
  std::vector<Breakdown> by;
  std::vector<Part> parts;  // largest loss first
};

struct Ranking {
  std::vector<std::string> missing_facts;  // asked for, and in no row: the rest is empty
  std::vector<RankRow> rows;               // largest loss first
  uint64_t clusters = 0;
  uint64_t hangs = 0;
  uint64_t lost_ms = 0;
  uint64_t installs = 0;
  uint64_t processes = 0;
  uint64_t control = 0;  // of the processes
  uint64_t killed = 0;   // of the processes
  double hours = 0;      // in the foreground, watched
  uint64_t user_days = 0;
  uint64_t debugged = 0;              // records that do not count
  std::vector<std::string> versions;  // oldest first
};

// False if the store failed.
bool Rank(Engine* engine, const RankOptions& options, Ranking* ranking);

// The cluster that has this id now: a cluster's own, a former one's or a part's. "": none.
bool FindCluster(Engine* engine, const std::string& id, std::string* cluster);

// At most 20 files of a cluster, as they were added, that open as reports.
struct Example {
  std::string id;
  std::string name;
  std::string bytes;
};
// How many hangs of a cluster took from so many ms to twice as many, by the lower number.
bool Histogram(Engine* engine, const RankRow& row, std::map<uint64_t, uint64_t>* histogram);
bool Examples(Engine* engine, const RankRow& row, std::vector<Example>* examples);

std::string RankText(const Ranking& ranking);
std::string RankJson(const Ranking& ranking);
// One cluster in full.
std::string ClusterText(const Ranking& ranking, const std::map<uint64_t, uint64_t>& histogram);

}  // namespace stillframe::store
