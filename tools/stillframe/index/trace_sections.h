// SPDX-License-Identifier: Apache-2.0
// Sections of the trace marker put together from their beginnings and ends.
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
  uint32_t looper = 0;  // an index in Dump::loopers
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;  // of an open one, the dump
  uint32_t depth = 0;   // sections of its thread around it
  bool is_async = false;
  bool is_open = false;  // it had not ended

  uint64_t length_ns() const { return end_ns - begin_ns; }
};

class TraceSlices {
 public:
  explicit TraceSlices(const model::Document& document);

  // By Looper, in the order of their beginnings as the dump has them. An end whose beginning was
  // lost is left out.
  std::span<const TraceSlice> all() const { return slices_; }

  // The innermost section of the Looper's thread that was open then, by its place in all().
  std::optional<size_t> OpenAt(uint32_t looper, uint64_t at_ns) const;

  // Per sample of a tree of the main Looper, as OpenAt.
  std::vector<std::optional<size_t>> OfSamples(const model::TraceTree& tree,
                                               uint64_t start_ns) const;

 private:
  // From then on, until the next one, this was the innermost section of the thread.
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
