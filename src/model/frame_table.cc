// SPDX-License-Identifier: Apache-2.0
#include "src/model/frame_table.h"

#include <algorithm>
#include <cstring>

namespace stillframe::model {
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

constexpr uint32_t kCrowdedPercent = 75;
// A sweep is due after this part of the table was requested anew.
constexpr uint32_t kSweepPart = 16;

bool NeedsSlots(size_t entries, size_t slots) { return (entries + 1) * 4 > slots * 3; }

// The largest of the three shares.
uint32_t PercentOf(const FrameTableLimits& limits, uint32_t frames, uint32_t strings,
                   uint32_t bytes) {
  const auto percent = [](uint64_t part, uint64_t whole) {
    return static_cast<uint32_t>(part * 100 / whole);
  };
  return std::max({percent(frames, limits.max_frames), percent(strings, limits.max_strings),
                   percent(bytes, limits.max_string_bytes)});
}

// A free id, otherwise the next new one.
template <typename Content>
uint32_t TakeId(std::vector<uint32_t>* free, std::vector<Content>* contents) {
  if (free->empty()) {
    contents->emplace_back();
    return static_cast<uint32_t>(contents->size() - 1);
  }
  const uint32_t id = free->back();
  free->pop_back();
  return id;
}

}  // namespace

FrameTable::FrameTable(const FrameTableLimits& limits) : limits_(limits) {
  limits_.max_frames = std::max(limits_.max_frames, 1U);
  limits_.max_strings = std::max(limits_.max_strings, 2U);
  limits_.max_string_bytes =
      std::max(limits_.max_string_bytes, static_cast<uint32_t>(kOverflowText.size()));
  // Not cleared: pages become resident as they are filled.
  text_.reset(new char[limits_.max_string_bytes]);
  texts_.reserve(limits_.max_strings);
  frames_.reserve(limits_.max_frames);
  string_index_.assign(kFirstIndexSize, 0);
  frame_index_.assign(kFirstIndexSize, 0);
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
  ++asked_since_sweep_;
  if (string_count() >= limits_.max_strings ||
      text.size() > limits_.max_string_bytes - text_bytes_) {
    ++overflows_;
    return kEmptyString;
  }
  if (NeedsSlots(string_count(), string_index_.size())) {
    BuildStringIndex(string_index_.size() * 2);
    slot = Probe(string_index_, hash, is_text);
  }
  const auto bytes = static_cast<uint32_t>(text.size());
  const StringId id = TakeId(&free_strings_, &texts_);
  texts_[id] = {text_bytes_, bytes};
  if (bytes != 0) std::memcpy(text_.get() + text_bytes_, text.data(), bytes);
  text_bytes_ += bytes;
  string_index_[slot] = id + 1;
  return id;
}

FrameId FrameTable::InternFrame(const Frame& frame) {
  const uint32_t hash = HashFrame(frame);
  const auto is_frame = [&](uint32_t id) { return frames_[id] == frame; };
  size_t slot = Probe(frame_index_, hash, is_frame);
  if (frame_index_[slot] != 0) return frame_index_[slot] - 1;
  ++asked_since_sweep_;
  if (frame_count() >= limits_.max_frames) {
    ++overflows_;
    return kOverflowFrame;
  }
  if (NeedsSlots(frame_count(), frame_index_.size())) {
    BuildFrameIndex(frame_index_.size() * 2);
    slot = Probe(frame_index_, hash, is_frame);
  }
  const FrameId id = TakeId(&free_frames_, &frames_);
  frames_[id] = frame;
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
  if (id >= texts_.size() || texts_[id].start == kFree) return {};
  return {text_.get() + texts_[id].start, texts_[id].bytes};
}

const Frame& FrameTable::At(FrameId id) const { return id < size() ? frames_[id] : kOverflow; }

size_t FrameTable::memory_bytes() const {
  return sizeof(*this) + text_bytes_ + frames_.size() * sizeof(Frame) +
         texts_.size() * sizeof(Text) +
         (free_strings_.size() + free_frames_.size() + string_index_.size() + frame_index_.size()) *
             sizeof(uint32_t);
}

void FrameTable::BuildStringIndex(size_t slots) {
  string_index_.assign(slots, 0);
  for (StringId id = 0; id < texts_.size(); ++id) {
    if (texts_[id].start == kFree) continue;
    string_index_[Probe(string_index_, HashText(String(id)), [](uint32_t) { return false; })] =
        id + 1;
  }
}

void FrameTable::BuildFrameIndex(size_t slots) {
  frame_index_.assign(slots, 0);
  for (FrameId id = 0; id < size(); ++id) {
    if (frames_[id].class_name == kFree) continue;
    frame_index_[Probe(frame_index_, HashFrame(frames_[id]), [](uint32_t) { return false; })] =
        id + 1;
  }
}

bool FrameTable::IsCrowded() const {
  const uint32_t percent = PercentOf(limits_, frame_count(), string_count(), text_bytes_);
  return percent >= kCrowdedPercent &&
         (percent >= percent_after_sweep_ + 100 / kSweepPart ||
          asked_since_sweep_ >= std::max(limits_.max_frames / kSweepPart, 1U));
}

uint32_t FrameTable::Sweep(const LiveNames& live) {
  // A stale id reads as the overflow frame.
  constexpr Frame kFreeFrame = {kFree,        kOverflow.method_name, kEmptyString,
                                kEmptyString, kLineUnknown,          FrameKind::kTruncated};
  const uint32_t before = frame_count() + string_count();
  for (FrameId id = 0; id < size(); ++id) {
    if (live.frames_[id] || frames_[id].class_name == kFree) continue;
    frames_[id] = kFreeFrame;
    free_frames_.push_back(id);
  }
  for (StringId id = 0; id < texts_.size(); ++id) {
    if (live.strings_[id] || texts_[id].start == kFree) continue;
    texts_[id] = {kFree, 0};
    free_strings_.push_back(id);
  }
  MoveTextsTogether();
  BuildStringIndex(string_index_.size());
  BuildFrameIndex(frame_index_.size());
  const uint32_t freed = before - frame_count() - string_count();
  ++sweeps_;
  evictions_ += freed;
  asked_since_sweep_ = 0;
  percent_after_sweep_ = live.percent();
  return freed;
}

// Moves texts together, in the order of their places.
void FrameTable::MoveTextsTogether() {
  std::vector<StringId> by_place;
  by_place.reserve(string_count());
  for (StringId id = 0; id < texts_.size(); ++id)
    if (texts_[id].start != kFree) by_place.push_back(id);
  std::ranges::sort(by_place, {}, [this](StringId id) { return texts_[id].start; });
  text_bytes_ = 0;
  for (const StringId id : by_place) {
    Text& text = texts_[id];
    std::memmove(text_.get() + text_bytes_, text_.get() + text.start, text.bytes);
    text.start = text_bytes_;
    text_bytes_ += text.bytes;
  }
}

LiveNames::LiveNames(const FrameTable& table)
    : table_(&table), frames_(table.frames_.size()), strings_(table.texts_.size()) {
  AddString(kEmptyString);
  AddFrame(kOverflowFrame);
}

void LiveNames::AddString(StringId id) {
  if (id >= strings_.size() || strings_[id]) return;
  strings_[id] = true;
  ++string_count_;
  string_bytes_ += table_->texts_[id].bytes;
}

void LiveNames::AddFrame(FrameId id) {
  if (id >= frames_.size() || frames_[id]) return;
  frames_[id] = true;
  ++frame_count_;
  const Frame& frame = table_->frames_[id];
  for (const StringId text :
       {frame.class_name, frame.method_name, frame.signature, frame.source_file})
    AddString(text);
}

uint32_t LiveNames::percent() const {
  return PercentOf(table_->limits_, frame_count_, string_count_, string_bytes_);
}

}  // namespace stillframe::model
