// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/trace_sections.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>

namespace stillframe::index {
namespace {

using model::TraceEvent;
using model::TraceEventKind;
using AsyncKey = std::tuple<bool, std::string_view, int64_t>;

AsyncKey KeyOf(const TraceEvent& event) {
  return {event.track.empty(), event.track.empty() ? event.name : event.track, event.value};
}

}  // namespace

TraceSlices::TraceSlices(const model::Document& document) {
  if (!document.sections) return;
  for (const model::LooperSections& sections : document.sections->loopers)
    Add(sections, document.taken_monotonic_ns);
  std::stable_sort(innermost_.begin(), innermost_.end(),
                   [](const Innermost& a, const Innermost& b) { return a.looper < b.looper; });
}

void TraceSlices::Add(const model::LooperSections& sections, uint64_t dump_ns) {
  std::vector<size_t> open;
  std::map<AsyncKey, size_t> open_async;
  uint64_t now_ns = 0;
  const auto begin = [&](const TraceEvent& event, bool is_async) {
    slices_.push_back({.name = event.name,
                       .looper = sections.looper,
                       .begin_ns = event.at_ns,
                       .end_ns = std::max(dump_ns, event.at_ns),
                       .depth = is_async ? 0 : static_cast<uint32_t>(open.size()),
                       .is_async = is_async,
                       .is_open = true});
    return slices_.size() - 1;
  };
  const auto end = [&](size_t slice, const TraceEvent& event) {
    slices_[slice].end_ns = std::max(event.at_ns, slices_[slice].begin_ns);
    slices_[slice].is_open = false;
  };
  for (const TraceEvent& event : sections.events) {
    now_ns = std::max(now_ns, event.at_ns);
    if (event.kind == TraceEventKind::kAsyncBegin) {
      open_async[KeyOf(event)] = begin(event, true);
    } else if (event.kind == TraceEventKind::kAsyncEnd) {
      if (const auto entry = open_async.extract(KeyOf(event))) end(entry.mapped(), event);
    } else if (event.kind == TraceEventKind::kBegin) {
      open.push_back(begin(event, false));
      innermost_.push_back({sections.looper, now_ns, open.back()});
    } else if (event.kind == TraceEventKind::kEnd && !open.empty()) {
      end(open.back(), event);
      open.pop_back();
      innermost_.push_back({sections.looper, now_ns, {}});
      if (!open.empty()) innermost_.back().slice = open.back();
    }
  }
}

std::optional<size_t> TraceSlices::OpenAt(uint32_t looper, uint64_t at_ns) const {
  const auto after =
      std::upper_bound(innermost_.begin(), innermost_.end(), std::tuple(looper, at_ns),
                       [](const auto& key, const Innermost& change) {
                         return key < std::tuple(change.looper, change.from_ns);
                       });
  if (after == innermost_.begin() || std::prev(after)->looper != looper) return {};
  return std::prev(after)->slice;
}

std::vector<std::optional<size_t>> TraceSlices::OfSamples(const model::TraceTree& tree,
                                                          uint64_t start_ns) const {
  std::vector<std::optional<size_t>> sections;
  for (const model::Sample& sample : tree.samples())
    sections.push_back(OpenAt(0, start_ns + uint64_t{sample.wall_us} * 1000));
  return sections;
}

}  // namespace stillframe::index
