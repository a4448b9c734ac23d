// SPDX-License-Identifier: Apache-2.0
// Sections of the trace marker, assembled from their begin and end events.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/model/document.h"

namespace stillframe::index {

struct TraceSlice {
  std::string name;
  uint32_t looper = 0;  // index in Dump::loopers
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;  // for an open section, the dump's time
  uint32_t depth = 0;   // number of sections around it on its thread
  bool is_async = false;
  bool is_open = false;  // it had not ended

  uint64_t length_ns() const { return end_ns - begin_ns; }
};

class TraceSlices {
 public:
  explicit TraceSlices(const model::Document& document);

  // By Looper, in the dump's order of begin events. An end without its begin is dropped.
  std::span<const TraceSlice> all() const { return slices_; }

  // Index in all() of the innermost section that was open on the Looper's thread at this time.
  std::optional<size_t> OpenAt(uint32_t looper, uint64_t at_ns) const;

  // OpenAt for each sample of a tree of the main Looper.
  std::vector<std::optional<size_t>> OfSamples(const model::TraceTree& tree,
                                               uint64_t start_ns) const;

 private:
  // The thread's innermost section from this time until the next entry.
  struct Innermost {
    uint32_t looper;
    uint64_t from_ns;
    std::optional<size_t> slice;
  };
  void Add(const model::LooperSections& sections, uint64_t dump_ns);

  std::vector<TraceSlice> slices_;
  std::vector<Innermost> innermost_;  // by Looper and time
};

}  // namespace stillframe::index
