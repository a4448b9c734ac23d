// SPDX-License-Identifier: Apache-2.0
// Interns names and frames, so that a stored frame takes four bytes. Bounded: Sweep frees unused
// content for new.
// Context: any thread, one at a time; allocates
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "src/model/frame.h"

namespace stillframe::model {

// The string "". Intern returns it if the table is full.
constexpr StringId kEmptyString = 0;

// InternFrame returns it if the table is full: FrameKind::kTruncated, with the reason as its
// method.
constexpr FrameId kOverflowFrame = 0;

// Bounds of a table. Defaults: for the device, about 1 MiB. Only used memory becomes resident.
struct FrameTableLimits {
  uint32_t max_frames = 16 * 1024;
  uint32_t max_strings = 16 * 1024;
  uint32_t max_string_bytes = 384 * 1024;
};

class LiveNames;

// Table of strings and frames. Ids are small, from 0; equal content has one id. Without Sweep, ids,
// content and views never change, even if the table is moved.
class FrameTable {
 public:
  explicit FrameTable(const FrameTableLimits& limits = {});
  FrameTable(FrameTable&&) noexcept = default;
  FrameTable& operator=(FrameTable&&) noexcept = default;
  FrameTable(const FrameTable&) = delete;
  FrameTable& operator=(const FrameTable&) = delete;

  // Returns the id of `text` (any bytes), copied if it is new. kEmptyString if it does not fit.
  StringId Intern(std::string_view text);

  // Returns the id of `frame`, whose strings must be in this table. kOverflowFrame if it
  // does not fit.
  FrameId InternFrame(const Frame& frame);

  // Interns the four texts and their frame. kOverflowFrame if any of them does not fit.
  FrameId InternFrame(std::string_view class_name, std::string_view method_name,
                      std::string_view signature, std::string_view source_file, int32_t line,
                      FrameKind kind);

  // Whether a sweep is due: a bound is near, and there was much new content since the last.
  bool IsCrowded() const;

  // Frees content that is not in `live`. Live content keeps its id. All other ids may be reused,
  // and all views of texts become invalid, so no other id may be in use. Returns the number of
  // frames and strings freed.
  uint32_t Sweep(const LiveNames& live);

  // The text of `id`; "" for an unknown id. Valid until the next sweep.
  std::string_view String(StringId id) const;

  // The frame of `id`; the overflow frame for an unknown id.
  const Frame& At(FrameId id) const;

  // Shorthands for String(At(id).class_name) and String(At(id).method_name).
  std::string_view ClassName(FrameId id) const { return String(At(id).class_name); }
  std::string_view MethodName(FrameId id) const { return String(At(id).method_name); }

  // Upper bound of frame ids; sweeps may leave free ones below it.
  uint32_t size() const { return static_cast<uint32_t>(frames_.size()); }
  // In use, including the overflow frame and its strings.
  uint32_t frame_count() const { return size() - static_cast<uint32_t>(free_frames_.size()); }
  uint32_t string_count() const {
    return static_cast<uint32_t>(texts_.size() - free_strings_.size());
  }
  uint32_t string_bytes() const { return text_bytes_; }

  // Strings and frames rejected for lack of space.
  uint64_t overflows() const { return overflows_; }
  uint64_t sweeps() const { return sweeps_; }
  // Frames and strings freed by sweeps.
  uint64_t evictions() const { return evictions_; }

  // Bytes in use, without reserved memory that was never touched.
  size_t memory_bytes() const;

 private:
  friend class LiveNames;

  // Place of a string; `start` is kFree if it is free.
  struct Text {
    uint32_t start;
    uint32_t bytes;
  };
  static constexpr uint32_t kFree = UINT32_MAX;

  // Open addressing: the position of the entry that matches `hash`, or of the free one.
  template <typename Equal>
  static size_t Probe(const std::vector<uint32_t>& index, uint32_t hash, const Equal& equal);
  // Rebuild with that many slots.
  void BuildStringIndex(size_t slots);
  void BuildFrameIndex(size_t slots);
  void MoveTextsTogether();

  FrameTableLimits limits_;
  std::unique_ptr<char[]> text_;        // max_string_bytes, filled from the front, never moved
  uint32_t text_bytes_ = 0;             // bytes in use
  std::vector<Text> texts_;             // by id; reserved to max_strings
  std::vector<Frame> frames_;           // by id; reserved to max_frames, never moved
  std::vector<uint32_t> free_strings_;  // ids
  std::vector<uint32_t> free_frames_;
  std::vector<uint32_t> string_index_;  // id + 1, 0: free; size is a power of two
  std::vector<uint32_t> frame_index_;   // id + 1, 0: free; size is a power of two
  uint64_t overflows_ = 0;
  uint64_t sweeps_ = 0;
  uint64_t evictions_ = 0;
  uint32_t asked_since_sweep_ = 0;  // new content, including what was rejected
  uint32_t percent_after_sweep_ = 0;
};

// Collects the used content of a table for a sweep.
class LiveNames {
 public:
  // The table must not change meanwhile.
  explicit LiveNames(const FrameTable& table);

  void AddString(StringId id);
  // Adds its strings too.
  void AddFrame(FrameId id);

  // Largest share of the table's bounds that they use.
  uint32_t percent() const;

 private:
  friend class FrameTable;

  const FrameTable* table_;
  std::vector<bool> frames_;
  std::vector<bool> strings_;
  uint32_t frame_count_ = 0;
  uint32_t string_count_ = 0;
  uint32_t string_bytes_ = 0;
};

}  // namespace stillframe::model
