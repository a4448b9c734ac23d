// SPDX-License-Identifier: Apache-2.0
// The cost of a fleet's hangs to its users, by cause. The store's rows are summed here, in an order
// that does not depend on the engine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/stillframe/fleet/cause_names.h"
#include "tools/stillframe/fleet/engine.h"
#include "tools/stillframe/fleet/intervals.h"

namespace stillframe::fleet {

// A fact has this value.
struct Condition {
  std::string name;
  std::string value;
};

// The percentage of installs that take part, of all or of those with a fact. Installs count as many
// as they stand for.
struct Participation {
  std::optional<Condition> of;
  double percent = 100;
};

struct RankOptions {
  std::vector<std::string> by;                // names of facts
  std::vector<Condition> where;               // each holds
  std::vector<Participation> participations;  // the first that holds
  size_t rows = 20;
  std::string cause;  // id of the one row; "": all
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
  // With sessions that have the fact. Nothing otherwise.
  std::optional<Interval> lost_s_per_hour;  // in the foreground
  std::optional<Interval> lost_s_per_user_day;
};

// Hangs of one signature.
struct Part {
  std::string id;
  CauseNames names;
  uint64_t hangs = 0;
  uint64_t lost_ms = 0;
};

struct ValueOfFact {
  std::string name;
  Figures figures;
};

struct Breakdown {
  std::string by;
  std::vector<ValueOfFact> values;  // largest loss first
};

struct CauseRow {
  std::string id;
  CauseNames names;  // of its largest part that is not inlined
  Figures all;
  std::string first_version;
  std::string last_version;
  bool is_new = false;   // first in the newest version; older ones had enough use to show it
  bool is_gone = false;  // not in the newest version, which had enough use to show it
  std::vector<Breakdown> by;
  std::vector<Part> parts;  // largest loss first
};

struct CauseRanking {
  std::vector<std::string> missing_facts;  // asked for, and in no row: the rest is empty
  std::vector<CauseRow> rows;              // largest loss first
  uint64_t causes = 0;                     // in all
  uint64_t hangs = 0;
  uint64_t lost_ms = 0;
  uint64_t installs = 0;
  uint64_t processes = 0;
  uint64_t control = 0;                       // of the processes
  uint64_t killed = 0;                        // of the processes
  std::map<std::string, uint64_t> unsampled;  // processes without samples, by reason
  uint64_t frames = 0;
  uint64_t frames_missed = 0;
  double hours = 0;  // in the foreground, watched
  uint64_t user_days = 0;
  uint64_t debugged = 0;              // records that do not count
  std::vector<std::string> versions;  // oldest first
};

// False if the store failed.
bool Rank(Engine* engine, const RankOptions& options, CauseRanking* ranking);

// At most 20 files of a cause, as they were added, that open as reports.
struct Example {
  std::string id;
  std::string name;
  std::string bytes;
};
// How many hangs of a cause took from so many ms to twice as many, by the lower number.
bool Histogram(Engine* engine, const CauseRow& row, std::map<uint64_t, uint64_t>* histogram);
bool Examples(Engine* engine, const CauseRow& row, std::vector<Example>* examples);

}  // namespace stillframe::fleet
