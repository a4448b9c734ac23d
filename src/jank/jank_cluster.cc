// SPDX-License-Identifier: Apache-2.0
#include "src/jank/jank_cluster.h"

#include <algorithm>

#include "src/jank/earlier_files.h"
#include "src/jank/json_text.h"
#include "src/jank/record_text.h"

namespace stillframe::jank {

bool JankCluster::Takes(const Key& key, const std::vector<model::EvilEntry>& stack,
                        uint32_t whole_ms) {
  if (is_running_ || key.identity != key_.identity) return false;
  if (key_.method == 0) key_.method = key.method;
  if (key.method == 0 || key.method == key_.method) return true;
  return model::HasShare(stack, key_.method, whole_ms);
}

void JankCluster::Count(uint64_t wall_ms, uint64_t time_ms) {
  if (counts_.count++ == 0) counts_.first_time = time_ms;
  counts_.last_time = time_ms;
  if (counts_.newest_ms.size() == kNewest) counts_.newest_ms.erase(counts_.newest_ms.begin());
  counts_.newest_ms.push_back(wall_ms);
  counts_.total_ms += wall_ms;
  longest_ms_ = std::max(longest_ms_, wall_ms);
  size_t bucket = 0;
  while (bucket + 1 < kBuckets && wall_ms >= uint64_t{kFirstBucketMs} << (bucket + 1)) ++bucket;
  ++buckets_[bucket];
}

void JankCluster::CountRunning(uint64_t wall_ms, uint64_t time_ms) {
  counts_ = {};
  buckets_ = {};
  longest_ms_ = 0;
  is_running_ = true;
  Count(wall_ms, time_ms);
}

void JankCluster::EndRunning(const Key& key) {
  counts_ = {};
  buckets_ = {};
  longest_ms_ = 0;
  is_running_ = false;
  key_ = key;
}

std::string JankCluster::Path(const std::string& folder) const {
  return RecordPath(folder, id_, revision_ + 1);
}

std::string JankCluster::LastPath(const std::string& folder) const {
  return RecordPath(folder, id_, revision_);
}

std::string JankCluster::TakeRevision(const std::string& folder) {
  ++revision_;
  return revision_ == 1 ? "" : RecordPath(folder, id_, revision_ - 1);
}

std::string JankCluster::Text() {
  counts_.histogram.clear();
  for (size_t i = 0; i < kBuckets; ++i) {
    if (buckets_[i] == 0) continue;
    counts_.histogram.push_back({std::to_string(kFirstBucketMs << i), buckets_[i]});
  }
  JsonText json(description_);
  AddCounts(counts_, {id_.c_str(), revision_ + 1, is_debugged_, is_running_, nullptr, {}}, &json);
  return json.Finish() += '\n';
}

}  // namespace stillframe::jank
