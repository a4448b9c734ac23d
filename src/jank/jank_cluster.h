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

// Size limit of a record without identity and facts.
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

  // `id`: of the record, see dump::JankRevision.
  JankCluster(const Key& key, std::string id) : key_(key), id_(std::move(id)) {}

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
  // The hang is still running: replaces the counts. The cluster takes no other janks meanwhile.
  void CountRunning(uint64_t wall_ms, uint64_t time_ms);
  // It ended: it takes janks with `key` from now on. Its time is counted by Count.
  void EndRunning(const Key& key);
  // It ended without a report: what was counted stays.
  void LeaveRunning() { is_running_ = false; }
  bool is_running() const { return is_running_; }
  void MarkDebugged() { is_debugged_ = true; }

  // The text of the record's next revision, and its path in `folder`.
  std::string Text();
  std::string Path(const std::string& folder) const;
  // The revision was written. Returns the path of the one before; "": there is none.
  std::string TakeRevision(const std::string& folder);
  uint64_t revision() const { return revision_; }
  // The path of the revision that was written last.
  std::string LastPath(const std::string& folder) const;
  uint64_t longest_ms() const { return longest_ms_; }

  // The file is missing, or lacks counts. Not written again before `due_ns` (CLOCK_MONOTONIC).
  bool is_behind = false;
  bool was_running = false;  // the last revision says that its hang runs
  uint64_t due_ns = 0;
  uint32_t busy = 0;  // consecutive tries that found the day's file locked

 private:
  static constexpr size_t kNewest = 8;
  // First bucket: shorter than 128 ms. Last: 65.5 s and longer.
  static constexpr size_t kBuckets = 11;
  static constexpr uint32_t kFirstBucketMs = 64;

  Key key_;
  std::string id_;
  uint64_t revision_ = 0;  // written
  bool is_running_ = false;
  bool is_debugged_ = false;
  std::string description_;
  dump::JankCounts counts_;  // its histogram is filled by Text
  uint64_t longest_ms_ = 0;
  std::array<uint32_t, kBuckets> buckets_ = {};
};

}  // namespace stillframe::jank
