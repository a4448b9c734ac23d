// SPDX-License-Identifier: Apache-2.0
// KIND|PID, then fields; a name may hold the sign that parts them, so what follows it is looked for
// from the end.
#include "src/tap/section_text.h"

#include <charconv>
#include <utility>

namespace stillframe::tap {
namespace {

constexpr char kParts = '|';

// Takes the last field off.
std::string_view TakeLast(std::string_view* text) {
  const size_t at = text->rfind(kParts);
  if (at == std::string_view::npos) return {};
  const std::string_view last = text->substr(at + 1);
  *text = text->substr(0, at);
  return last;
}

std::string_view TakeFirst(std::string_view* text) {
  const std::string_view first = text->substr(0, text->find(kParts));
  text->remove_prefix(first.size() == text->size() ? first.size() : first.size() + 1);
  return first;
}

bool ReadNumber(std::string_view text, int64_t* number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), *number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

model::TraceEventKind KindOf(char letter) {
  using Kind = model::TraceEventKind;
  switch (letter) {
    case 'B': return Kind::kBegin;
    case 'E': return Kind::kEnd;
    case 'S':
    case 'G': return Kind::kAsyncBegin;
    case 'F':
    case 'H': return Kind::kAsyncEnd;
    case 'C': return Kind::kCounter;
    case 'I':
    case 'N': return Kind::kInstant;
    default: return Kind::kUnknown;
  }
}

}  // namespace

bool IsSectionText(std::string_view text) {
  return !text.empty() && KindOf(text[0]) != model::TraceEventKind::kUnknown &&
         (text.size() == 1 || text[1] == kParts);
}

std::optional<model::TraceEvent> ParseSectionText(std::string_view text) {
  if (!IsSectionText(text)) return {};
  model::TraceEvent event;
  event.kind = KindOf(text[0]);
  const char letter = text[0];
  text.remove_prefix(text.size() == 1 ? 1 : 2);
  // An end had no pid before AOSP 9.
  int64_t pid = 0;
  if (!ReadNumber(TakeFirst(&text), &pid) && letter != 'E') return {};
  const bool has_value = event.kind == model::TraceEventKind::kAsyncBegin ||
                         event.kind == model::TraceEventKind::kAsyncEnd ||
                         event.kind == model::TraceEventKind::kCounter;
  if (has_value && !ReadNumber(TakeLast(&text), &event.value)) return {};
  if (letter == 'G' || letter == 'H' || letter == 'N') event.track = TakeFirst(&text);
  if (event.kind != model::TraceEventKind::kEnd) event.name = text;
  return event;
}

}  // namespace stillframe::tap
