// SPDX-License-Identifier: Apache-2.0
// Janks that are equal: one record, with the longest of them described and all of them counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/dump/jank_record.h"
#include "src/model/evil_stack.h"

namespace stillframe::jank {

// Of a record's file.
constexpr size_t kMaxRecordBytes = 2'048;
// Of them, what the counts may take.
constexpr size_t kMaxCountBytes = 603;

class JankCluster {
 public:
  // What equal janks have in common: who they were, and the method that stands for the stack, by
  // its id; 0: not known yet, since no stack so far has enough samples to tell.
  struct Key {
    uint32_t identity;
    uint32_t method;
  };

  JankCluster(const Key& key, std::string path) : key_(key), path_(std::move(path)) {}

  // Whether a jank with this key is one of these, which then have a method if one of both has: the
  // method that stands for them has its share of this stack too, even where another one has a
  // larger by chance.
  bool Takes(const Key& key, const std::vector<model::EvilEntry>& stack, uint32_t whole_ms);

  // One more that took `wall_ms` and ended at `time_ms`, since the epoch.
  void Count(uint64_t wall_ms, uint64_t time_ms);
  // Whether the last one that was counted is to be described: none was longer.
  bool WantsDescription() const { return counts_.newest_ms.back() >= longest_ms_; }
  // JSON, so far.
  void Describe(std::string description) { description_ = std::move(description); }

  // The file's text, at most kMaxRecordBytes where the description leaves room for the counts.
  std::string Text();

  const std::string& path() const { return path_; }

  // The file lacks what was counted since it was written, or is not there; may be written again
  // from `due_ns` on, by CLOCK_MONOTONIC.
  bool is_behind = false;
  uint64_t due_ns = 0;
  uint32_t busy = 0;  // tries on end that found another process at the day's file

 private:
  static constexpr size_t kNewest = 8;
  // The first has what is shorter than 128 ms, the last what is 64 s and longer.
  static constexpr size_t kBuckets = 11;
  static constexpr uint32_t kFirstBucketMs = 64;

  Key key_;
  std::string path_;
  std::string description_;
  dump::JankCounts counts_;  // the histogram when it is told
  uint64_t longest_ms_ = 0;
  std::array<uint32_t, kBuckets> buckets_ = {};
};

}  // namespace stillframe::jank
