// SPDX-License-Identifier: Apache-2.0
// Interns names and frames, so that a frame costs four bytes wherever a stack is stored. Bounded;
// what nothing refers to any more gives its place to new content, see Sweep.
// Context: any thread, one at a time; allocates
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "src/model/frame.h"

namespace stillframe::model {

// The string "", and what Intern returns when the table is full.
constexpr StringId kEmptyString = 0;

// What InternFrame returns when the table is full: a frame of FrameKind::kTruncated whose method
// name says so.
constexpr FrameId kOverflowFrame = 0;

// The bounds of a table. The defaults are the device's: about 1 MiB when all of them are reached,
// of which only what is used becomes resident.
struct FrameTableLimits {
  uint32_t max_frames = 16 * 1024;
  uint32_t max_strings = 16 * 1024;
  uint32_t max_string_bytes = 384 * 1024;
};

class LiveNames;

// A table of strings and of frames made of them. Ids are small and start at 0; equal content has
// one id. Without Sweep, ids, content and views stay as they are for the table's life, also when
// the table is moved.
class FrameTable {
 public:
  explicit FrameTable(const FrameTableLimits& limits = {});
  FrameTable(FrameTable&&) noexcept = default;
  FrameTable& operator=(FrameTable&&) noexcept = default;
  FrameTable(const FrameTable&) = delete;
  FrameTable& operator=(const FrameTable&) = delete;

  // Returns the id of `text`, any bytes, which is copied if it is new. kEmptyString when it is new
  // and there is no room.
  StringId Intern(std::string_view text);

  // Returns the id of `frame`, whose string ids must be of this table. kOverflowFrame when it is
  // new and there is no room.
  FrameId InternFrame(const Frame& frame);

  // Interns the four texts and the frame made of them. kOverflowFrame when any of them finds no
  // room.
  FrameId InternFrame(std::string_view class_name, std::string_view method_name,
                      std::string_view signature, std::string_view source_file, int32_t line,
                      FrameKind kind);

  // Whether it is time for a sweep: one of the bounds is near, and much was asked for since the
  // last.
  bool IsCrowded() const;

  // Frees what is not in `live`, for new content: what is live keeps its id, all other ids may mean
  // something else from now on, and every view of a text is invalid. Only while nobody holds an id
  // that is not in `live`. Returns how many frames and strings were freed.
  uint32_t Sweep(const LiveNames& live);

  // The text of `id`; "" for an id that is not of this table. Valid until the next sweep.
  std::string_view String(StringId id) const;

  // The frame of `id`; the overflow frame for an id that is not of this table.
  const Frame& At(FrameId id) const;

  // Shorthands for String(At(id).class_name) and String(At(id).method_name).
  std::string_view ClassName(FrameId id) const { return String(At(id).class_name); }
  std::string_view MethodName(FrameId id) const { return String(At(id).method_name); }

  // Bound of the ids of frames; after sweeps some below it are free.
  uint32_t size() const { return static_cast<uint32_t>(frames_.size()); }
  // In use, the overflow frame and its strings included.
  uint32_t frame_count() const { return size() - static_cast<uint32_t>(free_frames_.size()); }
  uint32_t string_count() const {
    return static_cast<uint32_t>(texts_.size() - free_strings_.size());
  }
  uint32_t string_bytes() const { return text_bytes_; }

  // How often a string or a frame was refused for want of room.
  uint64_t overflows() const { return overflows_; }
  uint64_t sweeps() const { return sweeps_; }
  // Frames and strings that sweeps freed.
  uint64_t evictions() const { return evictions_; }

  // Bytes in use, without what is reserved and was never touched.
  size_t memory_bytes() const;

 private:
  friend class LiveNames;

  // Of a string; a free one starts at kFree.
  struct Text {
    uint32_t start;
    uint32_t bytes;
  };
  static constexpr uint32_t kFree = UINT32_MAX;

  // Finds `hash` in an open-addressing index: the position of the matching entry or of the free
  // one.
  template <typename Equal>
  static size_t Probe(const std::vector<uint32_t>& index, uint32_t hash, const Equal& equal);
  // All anew, with so many slots.
  void BuildStringIndex(size_t slots);
  void BuildFrameIndex(size_t slots);
  void MoveTextsTogether();

  FrameTableLimits limits_;
  std::unique_ptr<char[]> text_;        // max_string_bytes, filled from the front, never moved
  uint32_t text_bytes_ = 0;             // of them, in use
  std::vector<Text> texts_;             // by id; reserved to max_strings
  std::vector<Frame> frames_;           // by id; reserved to max_frames, never moved
  std::vector<uint32_t> free_strings_;  // ids
  std::vector<uint32_t> free_frames_;
  std::vector<uint32_t> string_index_;  // id + 1, 0 is free; size is a power of two
  std::vector<uint32_t> frame_index_;   // the same for frames
  uint64_t overflows_ = 0;
  uint64_t sweeps_ = 0;
  uint64_t evictions_ = 0;
  uint32_t asked_since_sweep_ = 0;  // new content, also what was refused
  uint32_t percent_after_sweep_ = 0;
};

// What of a table is referred to, collected for a sweep.
class LiveNames {
 public:
  // The table must not change meanwhile.
  explicit LiveNames(const FrameTable& table);

  void AddString(StringId id);
  // With its strings.
  void AddFrame(FrameId id);

  // How much of the table they take, by the bound that they come nearest to.
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
