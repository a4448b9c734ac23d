// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/clean_document.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/dump/each_field.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/frozen_time.h"

namespace stillframe::input {
namespace {

// The same limits as the reader's.
void Clean(std::string* text) {
  if (!index::IsClean(*text)) *text = index::CleanText(*text);
}

void CleanLines(std::string* text) {
  std::string lines;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    lines += index::CleanText(std::string_view(*text).substr(begin, end - begin));
    lines += end < text->size() ? "\n" : "";
    begin = end + 1;
  }
  *text = std::move(lines);
}

struct CleanField {
  void operator()(const dump::Row& row, std::string& text, bool /*is_segment*/) const {
    row.is_lines ? CleanLines(&text) : Clean(&text);
  }
  void operator()(const dump::Row& /*row*/, char& letter, bool /*is_segment*/) const {
    letter = letter > ' ' && letter <= '~' ? letter : '?';
  }
  template <typename T>
  void operator()(const dump::Row& /*row*/, T& /*field*/, bool /*is_segment*/) const {}
};

bool AreClean(const model::FrameTable& frames) {
  for (model::StringId id = 0; id < frames.string_count(); ++id)
    if (!index::IsClean(frames.String(id))) return false;
  return true;
}

// Space for texts in which every byte becomes "\xNN".
model::FrameTableLimits RoomFor(const model::FrameTable& frames) {
  const uint64_t bytes = uint64_t{frames.string_bytes()} * 4 + 4096;
  return {.max_frames = frames.size() + 1,
          .max_strings = frames.string_count() + 1,
          .max_string_bytes = static_cast<uint32_t>(std::min<uint64_t>(bytes, 1U << 30U))};
}

void CleanFrames(model::Document* document) {
  const model::FrameTable& old = document->frames;
  model::FrameTable frames(RoomFor(old));
  std::vector<model::FrameId> clean;  // by frame of `old`
  clean.reserve(old.size());
  for (model::FrameId id = 0; id < old.size(); ++id) {
    const model::Frame& frame = old.At(id);
    clean.push_back(frames.InternFrame(index::CleanText(old.String(frame.class_name)),
                                       index::CleanText(old.String(frame.method_name)),
                                       index::CleanText(old.String(frame.signature)),
                                       index::CleanText(old.String(frame.source_file)), frame.line,
                                       frame.kind));
  }
  for (auto* trees : {&document->trees, &document->thread_trees})
    for (model::TraceTree& tree : *trees) {
      model::TraceTree rebuilt(tree.token(), model::kHostTreeLimits);
      std::vector<model::FrameId> stack;
      tree.ForEachStack(
          [&](uint32_t, std::span<const model::FrameId> raw, const model::Sample& sample) {
            stack.clear();
            for (const model::FrameId id : raw) stack.push_back(clean[id]);
            rebuilt.Add(stack, sample);
          });
      rebuilt.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
      tree = std::move(rebuilt);
    }
  if (document->thread_stacks)
    for (model::ThreadStack& stack : document->thread_stacks->stacks)
      for (model::FrameId& id : stack.frames) id = clean[id];
  document->frames = std::move(frames);
}

}  // namespace

void CleanDocument(model::Document* document) {
  dump::ForEachField(document, CleanField());
  if (!AreClean(document->frames)) CleanFrames(document);
  for (std::string& line : document->damage) Clean(&line);
  index::TakeOutFrozenTime(document);
}

}  // namespace stillframe::input
