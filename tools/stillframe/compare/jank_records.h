// SPDX-License-Identifier: Apache-2.0
// Hangs of many records, each counted once, in clusters; and the sessions beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/stillframe/compare/record_file.h"

namespace stillframe::compare {

struct Counts {
  uint64_t count = 0;
  uint64_t total_ms = 0;
};

// One cluster: hangs with the same kind, method and message.
struct Jank {
  Subject subject;    // of the longest
  std::string scene;  // of the longest
  uint64_t records = 0;
  uint64_t count = 0;
  uint64_t total_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t unfinished = 0;    // ran when their record was written: killed, or still going on
  uint64_t last_time_ms = 0;  // since the epoch
  std::map<uint64_t, uint64_t> histogram;  // count by lower bound in ms; upper: twice that
  // By each name of JankOptions::by, then by its values.
  std::map<std::string, std::map<std::string, Counts>> by;
  std::vector<std::string> examples;  // paths, of the longest hangs first

  // Lower bound of the histogram's median bucket in ms; 0: empty.
  uint64_t TypicalMs() const;
};

struct JankOptions {
  std::vector<std::string> by;                             // names of facts
  std::vector<std::pair<std::string, std::string>> where;  // each name has this value
};

class JankRecords {
 public:
  // Adds a record or a session. False if the text is neither; then `*error` is one line. `path`
  // names it in FactsPaths and as an example.
  bool Add(std::string_view text, std::string* error, const std::string& path = "");

  // The records with facts that count: the highest revision of each id.
  std::vector<std::string> FactsPaths() const;
  // From the facts of the record at `path`.
  void SetSubject(const std::string& path, Subject subject);

  // Largest total time first. Does not depend on the order of Add.
  std::vector<Jank> ByTime(const JankOptions& options = {}) const;
  Sessions SumSessions(const JankOptions& options = {}) const;

  // Those that count, and those of them that were made under a debugger (not in ByTime) or on an
  // emulator.
  uint64_t records() const { return hangs_.size(); }
  uint64_t debugged() const;
  uint64_t emulated() const;
  uint64_t sessions() const { return sessions_.size(); }

 private:
  struct Hang {
    std::string path;
    uint64_t revision = 0;
    bool is_debugged = false;
    size_t facts_size = 0;  // 0: none
    Subject subject;
    Facts facts;  // of identity, and process, scene and group
    Jank counts;
  };
  struct Session {
    uint64_t revision = 0;
    Facts facts;
    Sessions sums;
  };
  static bool Has(const Facts& facts, const JankOptions& options);
  void AddSession(const SessionFile& read);

  std::map<std::string, Hang> hangs_;        // by id; without one by a number
  std::map<std::string, Session> sessions_;  // by id
  std::map<std::string, std::string> ids_;   // of hangs, by path
  uint64_t without_id_ = 0;
};

// At most `rows` janks as a table for people, which counts the others, and as JSON
// (render/tables.schema.json).
std::string JankText(const JankRecords& records, size_t rows, const JankOptions& options = {});
std::string JankJson(const JankRecords& records, size_t rows, const JankOptions& options = {});

}  // namespace stillframe::compare
