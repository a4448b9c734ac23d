// SPDX-License-Identifier: Apache-2.0
// Janks out of many records, equal ones put together. A record's form is src/dump/jank_record.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::compare {

// A larger file is no record.
constexpr size_t kMaxRecordBytes = 64 * 1024;

// Equal janks: of one message, or one kind of segment, with one method that stands for the stack.
struct Jank {
  std::string method;   // that stands for the stack, "" when there is none
  std::string message;  // target and callback, or the segment
  std::string scene;    // of the longest
  uint64_t records = 0;
  uint64_t count = 0;
  uint64_t total_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t last_time_ms = 0;               // since the epoch
  std::map<uint64_t, uint64_t> histogram;  // from so many ms on, to twice as many: how many

  // The lower bound of the histogram's middle, in ms; 0 when it is empty.
  uint64_t TypicalMs() const;
};

class JankRecords {
 public:
  // False if the text is no record; then `*error` is one line.
  bool Add(std::string_view text, std::string* error);

  // Those that took the most time together come first.
  std::vector<Jank> ByTime() const;

  uint64_t records() const { return records_; }

 private:
  std::map<std::string, Jank> janks_;  // by what makes them equal
  uint64_t records_ = 0;
};

// At most `rows` janks as a table for people, which says how many more there are, and as JSON:
// render/tables.schema.json.
std::string JankText(const JankRecords& records, size_t rows);
std::string JankJson(const JankRecords& records, size_t rows);

}  // namespace stillframe::compare
