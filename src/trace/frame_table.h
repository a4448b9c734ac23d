// SPDX-License-Identifier: Apache-2.0
// Interns names and frames, so that a frame costs four bytes wherever a stack is stored.
// Context: any thread, one at a time; allocates
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "src/trace/frame.h"

namespace stillframe::trace {

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

// An append-only table of strings and of frames made of them. Ids are dense, start at 0 and never
// change; equal content has one id. Content and views stay where they are for the table's life,
// also when the table is moved.
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

  // The text of `id`; "" for an id that is not of this table. Valid as long as the table.
  std::string_view String(StringId id) const;

  // The frame of `id`; the overflow frame for an id that is not of this table.
  const Frame& At(FrameId id) const;

  // Shorthands for String(At(id).class_name) and String(At(id).method_name).
  std::string_view ClassName(FrameId id) const { return String(At(id).class_name); }
  std::string_view MethodName(FrameId id) const { return String(At(id).method_name); }

  // Number of frames, the overflow frame included: valid ids are 0 to size() - 1.
  uint32_t size() const { return static_cast<uint32_t>(frames_.size()); }
  uint32_t string_count() const;
  uint32_t string_bytes() const;

  // How often a string or a frame was refused for want of room.
  uint64_t overflows() const { return overflows_; }

  // Bytes in use, without what is reserved and was never touched.
  size_t memory_bytes() const;

 private:
  // Finds `hash` in an open-addressing index: the position of the matching entry or of the free
  // one.
  template <typename Equal>
  static size_t Probe(const std::vector<uint32_t>& index, uint32_t hash, const Equal& equal);
  void GrowStringIndex();
  void GrowFrameIndex();

  FrameTableLimits limits_;
  std::unique_ptr<char[]> text_;         // max_string_bytes, filled from the front, never moved
  std::vector<uint32_t> string_starts_;  // string_count() + 1 offsets into text_
  std::vector<Frame> frames_;            // reserved to max_frames, never moved
  std::vector<uint32_t> string_index_;   // id + 1, 0 is free; size is a power of two
  std::vector<uint32_t> frame_index_;    // the same for frames
  uint64_t overflows_ = 0;
};

}  // namespace stillframe::trace
