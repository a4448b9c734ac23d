// SPDX-License-Identifier: Apache-2.0
// Sums equal janks of many records. src/dump/jank_record.h defines a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::compare {

// Larger files are not records.
constexpr size_t kMaxRecordBytes = 64 * 1024;

// Equal janks: one message or kind of segment, with one method that represents the stack.
struct Jank {
  std::string method;   // represents the stack; "": none
  std::string message;  // target and callback, or the segment
  std::string scene;    // of the longest
  uint64_t records = 0;
  uint64_t count = 0;
  uint64_t total_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t last_time_ms = 0;               // since the epoch
  std::map<uint64_t, uint64_t> histogram;  // count by lower bound in ms; upper: twice that

  // Lower bound of the histogram's median bucket in ms; 0: empty.
  uint64_t TypicalMs() const;
};

class JankRecords {
 public:
  // False if the text is not a record; then `*error` is one line.
  bool Add(std::string_view text, std::string* error);

  // Largest total time first.
  std::vector<Jank> ByTime() const;

  uint64_t records() const { return records_; }

 private:
  std::map<std::string, Jank> janks_;  // by the key that makes them equal
  uint64_t records_ = 0;
};

// At most `rows` janks as a table for people, which counts the others, and as JSON
// (render/tables.schema.json).
std::string JankText(const JankRecords& records, size_t rows);
std::string JankJson(const JankRecords& records, size_t rows);

}  // namespace stillframe::compare
