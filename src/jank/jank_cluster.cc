// SPDX-License-Identifier: Apache-2.0
#include "src/jank/jank_cluster.h"

#include <algorithm>

#include "src/jank/json_text.h"

namespace stillframe::jank {

bool JankCluster::Takes(const Key& key, const std::vector<trace::EvilEntry>& stack,
                        uint32_t whole_ms) {
  if (key.identity != key_.identity) return false;
  if (key_.method == 0) key_.method = key.method;
  if (key.method == 0 || key.method == key_.method) return true;
  return trace::HasShare(stack, key_.method, whole_ms);
}

void JankCluster::Count(uint64_t wall_ms, uint64_t time_ms) {
  if (count_ == 0) first_time_ms_ = time_ms;
  last_time_ms_ = time_ms;
  newest_ms_[count_++ % kNewest] = wall_ms;
  total_ms_ += wall_ms;
  longest_ms_ = std::max(longest_ms_, wall_ms);
  size_t bucket = 0;
  while (bucket + 1 < kBuckets && wall_ms >= uint64_t{kFirstBucketMs} << (bucket + 1)) ++bucket;
  ++buckets_[bucket];
}

// {"512":3,"1024":1}: janks from so many milliseconds on, to twice as many.
std::string JankCluster::Histogram() const {
  std::string text = "{";
  for (size_t i = 0; i < kBuckets; ++i) {
    if (buckets_[i] == 0) continue;
    text += '"';
    AppendNumber(kFirstBucketMs << i, &text);
    text += "\":";
    AppendNumber(buckets_[i], &text);
    text += ',';
  }
  text.back() = '}';
  return text;
}

// The newest ones, oldest first.
std::string JankCluster::Newest() const {
  std::string text = "[";
  for (uint64_t i = count_ - std::min<uint64_t>(count_, kNewest); i < count_; ++i) {
    AppendNumber(newest_ms_[i % kNewest], &text);
    text += ',';
  }
  text.back() = ']';
  return text;
}

std::string JankCluster::Text() const {
  JsonText json;
  json.Number("count", count_);
  json.Number("total_ms", total_ms_);
  json.Number("first_time", first_time_ms_);
  json.Number("last_time", last_time_ms_);
  json.Raw("newest_ms", Newest());
  json.Raw("histogram", Histogram());
  std::string text = "{";
  text.append(members_).append(json.members());
  text.back() = '}';
  text += '\n';
  return text;
}

}  // namespace stillframe::jank
