// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/imported_message.h"

#include <algorithm>
#include <charconv>

namespace stillframe::input {

model::FrameTable FramesFor(std::string_view text) { return FramesForBytes(text.size()); }

model::FrameTable FramesForBytes(size_t bytes) {
  bytes = std::min<size_t>(bytes, 128U << 20U);
  return model::FrameTable(
      {.max_frames = static_cast<uint32_t>(std::min<size_t>(bytes / 2 + 16, 1U << 20U)),
       .max_strings = static_cast<uint32_t>(std::min<size_t>(bytes + 16, 1U << 21U)),
       .max_string_bytes = static_cast<uint32_t>(bytes + 1024)});
}

model::FrameId AddFrame(std::string_view method, std::string_view place,
                        model::FrameTable* frames) {
  const size_t dot = method.rfind('.');
  const bool has_class = dot != std::string_view::npos && dot > 0;
  return AddFrame(has_class ? method.substr(0, dot) : std::string_view(),
                  has_class ? method.substr(dot + 1) : method, place, frames);
}

model::FrameId AddFrame(std::string_view class_name, std::string_view method,
                        std::string_view place, model::FrameTable* frames) {
  const size_t colon = place.rfind(':');
  int32_t line = model::kLineUnknown;
  if (colon != std::string_view::npos) {
    // Dalvik marks a guess: "Store.java:~43".
    const size_t digits = place.find_first_not_of('~', colon + 1);
    if (digits != std::string_view::npos)
      std::from_chars(place.data() + digits, place.data() + place.size(), line);
  }
  const bool is_native = place == "Native method" || place == "Native Method" || line == -2;
  return frames->InternFrame(class_name, method, "",
                             is_native ? std::string_view() : place.substr(0, colon),
                             is_native ? model::kLineNative : line,
                             is_native ? model::FrameKind::kJni : model::FrameKind::kInterpreted);
}

void SetWall(int64_t wall_ns, model::Message* message, model::Document* document) {
  message->wall_ns = wall_ns;
  document->taken_monotonic_ns = message->start_ns + static_cast<uint64_t>(wall_ns);
}

namespace {

model::Message* AddToHistory(model::Message message, int64_t wall_ns, model::Document* document) {
  message.flags |= model::kMessageIdentityUnknown;
  message.start_ns = std::max<uint64_t>(document->taken_monotonic_ns, 1'000'000'000);
  document->format_version = 1;
  if (document->identity.process_name.empty()) document->identity.process_name = "imported";
  document->identity.sampler_state = "imported from text";
  document->history.push_back(std::move(message));
  SetWall(wall_ns, &document->history.back(), document);
  return &document->history.back();
}

}  // namespace

Token NextToken(const model::Document& document) { return Token{document.history.size() + 1}; }

void AddNote(std::string_view note, std::string* notes) {
  notes->append(notes->empty() ? "" : "; ").append(note);
}

model::Message* AddMessage(model::TraceTree tree, model::Document* document) {
  model::Message message;
  message.token = tree.token();
  message.flags = model::kMessageHasTree;
  message.samples = tree.sample_count();
  int64_t wall_ns = 0;
  for (const model::Sample& sample : tree.samples()) wall_ns += int64_t{sample.weight_us} * 1000;
  document->trees.push_back(std::move(tree));
  return AddToHistory(std::move(message), wall_ns, document);
}

model::Message* AddMessage(int64_t wall_ns, model::Document* document) {
  model::Message message;
  message.token = NextToken(*document);
  return AddToHistory(std::move(message), wall_ns, document);
}

}  // namespace stillframe::input
