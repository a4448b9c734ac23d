// SPDX-License-Identifier: Apache-2.0
// Equal janks as one record: the longest is described, all are counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/dump/jank_record.h"
#include "src/model/evil_stack.h"

namespace stillframe::jank {

// Size limit of a record's file.
constexpr size_t kMaxRecordBytes = 2'048;
// The part of it reserved for the counts.
constexpr size_t kMaxCountBytes = 603;

class JankCluster {
 public:
  // Equal janks share `identity`. `method`: id of the method that represents the stack; 0: unknown,
  // no stack so far had enough samples.
  struct Key {
    uint32_t identity;
    uint32_t method;
  };

  JankCluster(const Key& key, std::string path) : key_(key), path_(std::move(path)) {}

  // Whether a jank with this key belongs here. A cluster without a method takes the jank's. With
  // different methods it belongs here if ours has its share of this stack too, since another may be
  // larger by chance.
  bool Takes(const Key& key, const std::vector<model::EvilEntry>& stack, uint32_t whole_ms);

  // Counts a jank that took `wall_ms` and ended at `time_ms` (since the epoch).
  void Count(uint64_t wall_ms, uint64_t time_ms);
  // Whether the last counted jank is to be described: none was longer.
  bool WantsDescription() const { return counts_.newest_ms.back() >= longest_ms_; }
  // JSON without its end; Text adds the counts.
  void Describe(std::string description) { description_ = std::move(description); }

  // The file's text: at most kMaxRecordBytes if the description leaves kMaxCountBytes.
  std::string Text();

  const std::string& path() const { return path_; }

  // The file is missing, or lacks counts. Not written again before `due_ns` (CLOCK_MONOTONIC).
  bool is_behind = false;
  uint64_t due_ns = 0;
  uint32_t busy = 0;  // consecutive tries that found the day's file locked

 private:
  static constexpr size_t kNewest = 8;
  // First bucket: shorter than 128 ms. Last: 65.5 s and longer.
  static constexpr size_t kBuckets = 11;
  static constexpr uint32_t kFirstBucketMs = 64;

  Key key_;
  std::string path_;
  std::string description_;
  dump::JankCounts counts_;  // its histogram is filled by Text
  uint64_t longest_ms_ = 0;
  std::array<uint32_t, kBuckets> buckets_ = {};
};

}  // namespace stillframe::jank
