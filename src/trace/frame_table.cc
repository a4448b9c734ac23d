// SPDX-License-Identifier: Apache-2.0
// The interner behind frame_table.h: open addressing with linear probing over dense, append-only
// arrays. Context: any thread, one at a time; allocates
#include "src/trace/frame_table.h"

#include <algorithm>
#include <cstring>

namespace stillframe::trace {
namespace {

constexpr size_t kFirstIndexSize = 256;
constexpr Frame kOverflow = {kEmptyString,         1, kEmptyString, kEmptyString, kLineUnknown,
                             FrameKind::kTruncated};
constexpr std::string_view kOverflowText = "frame table full";

uint32_t Finish(uint64_t hash) {
  hash ^= hash >> 32;
  hash *= 0x9E3779B97F4A7C15ULL;
  return static_cast<uint32_t>(hash >> 32);
}

uint32_t HashText(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return Finish(hash);
}

uint32_t HashFrame(const Frame& frame) {
  uint64_t hash = 0;
  for (uint32_t field : {frame.class_name, frame.method_name, frame.signature, frame.source_file,
                         static_cast<uint32_t>(frame.line), static_cast<uint32_t>(frame.kind)}) {
    hash = (hash ^ field) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return Finish(hash);
}

bool IsCrowded(size_t entries, size_t slots) { return (entries + 1) * 4 > slots * 3; }

}  // namespace

FrameTable::FrameTable(const FrameTableLimits& limits) : limits_(limits) {
  limits_.max_frames = std::max(limits_.max_frames, 1U);
  limits_.max_strings = std::max(limits_.max_strings, 2U);
  limits_.max_string_bytes =
      std::max(limits_.max_string_bytes, static_cast<uint32_t>(kOverflowText.size()));
  // Neither is cleared: pages become resident as they are filled.
  text_.reset(new char[limits_.max_string_bytes]);
  string_starts_.reserve(size_t{limits_.max_strings} + 1);
  frames_.reserve(limits_.max_frames);
  string_index_.assign(kFirstIndexSize, 0);
  frame_index_.assign(kFirstIndexSize, 0);
  string_starts_.push_back(0);
  Intern("");
  Intern(kOverflowText);
  InternFrame(kOverflow);
}

template <typename Equal>
size_t FrameTable::Probe(const std::vector<uint32_t>& index, uint32_t hash, const Equal& equal) {
  const size_t mask = index.size() - 1;
  size_t slot = hash & mask;
  while (index[slot] != 0 && !equal(index[slot] - 1)) slot = (slot + 1) & mask;
  return slot;
}

StringId FrameTable::Intern(std::string_view text) {
  const uint32_t hash = HashText(text);
  const auto is_text = [&](uint32_t id) { return String(id) == text; };
  size_t slot = Probe(string_index_, hash, is_text);
  if (string_index_[slot] != 0) return string_index_[slot] - 1;
  if (string_count() >= limits_.max_strings ||
      text.size() > limits_.max_string_bytes - string_bytes()) {
    ++overflows_;
    return kEmptyString;
  }
  if (IsCrowded(string_count(), string_index_.size())) {
    GrowStringIndex();
    slot = Probe(string_index_, hash, is_text);
  }
  const StringId id = string_count();
  if (!text.empty()) std::memcpy(text_.get() + string_bytes(), text.data(), text.size());
  string_starts_.push_back(string_bytes() + static_cast<uint32_t>(text.size()));
  string_index_[slot] = id + 1;
  return id;
}

FrameId FrameTable::InternFrame(const Frame& frame) {
  const uint32_t hash = HashFrame(frame);
  const auto is_frame = [&](uint32_t id) { return frames_[id] == frame; };
  size_t slot = Probe(frame_index_, hash, is_frame);
  if (frame_index_[slot] != 0) return frame_index_[slot] - 1;
  if (frames_.size() >= limits_.max_frames) {
    ++overflows_;
    return kOverflowFrame;
  }
  if (IsCrowded(frames_.size(), frame_index_.size())) {
    GrowFrameIndex();
    slot = Probe(frame_index_, hash, is_frame);
  }
  const FrameId id = size();
  frames_.push_back(frame);
  frame_index_[slot] = id + 1;
  return id;
}

FrameId FrameTable::InternFrame(std::string_view class_name, std::string_view method_name,
                                std::string_view signature, std::string_view source_file,
                                int32_t line, FrameKind kind) {
  const uint64_t overflows_before = overflows_;
  const Frame frame = {
      Intern(class_name), Intern(method_name), Intern(signature), Intern(source_file), line, kind};
  return overflows_ == overflows_before ? InternFrame(frame) : kOverflowFrame;
}

std::string_view FrameTable::String(StringId id) const {
  if (id >= string_count()) return {};
  return {text_.get() + string_starts_[id], string_starts_[id + 1] - string_starts_[id]};
}

const Frame& FrameTable::At(FrameId id) const { return id < size() ? frames_[id] : kOverflow; }

uint32_t FrameTable::string_count() const {
  return string_starts_.empty() ? 0 : static_cast<uint32_t>(string_starts_.size() - 1);
}

uint32_t FrameTable::string_bytes() const {
  return string_starts_.empty() ? 0 : string_starts_.back();
}

size_t FrameTable::memory_bytes() const {
  return sizeof(*this) + string_bytes() + frames_.size() * sizeof(Frame) +
         (string_starts_.size() + string_index_.size() + frame_index_.size()) * sizeof(uint32_t);
}

void FrameTable::GrowStringIndex() {
  std::vector<uint32_t> index(string_index_.size() * 2);
  for (StringId id = 0; id < string_count(); ++id)
    index[Probe(index, HashText(String(id)), [](uint32_t) { return false; })] = id + 1;
  string_index_ = std::move(index);
}

void FrameTable::GrowFrameIndex() {
  std::vector<uint32_t> index(frame_index_.size() * 2);
  for (FrameId id = 0; id < size(); ++id)
    index[Probe(index, HashFrame(frames_[id]), [](uint32_t) { return false; })] = id + 1;
  frame_index_ = std::move(index);
}

}  // namespace stillframe::trace
