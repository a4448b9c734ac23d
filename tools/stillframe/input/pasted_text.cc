// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/pasted_text.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/stillframe/input/encoding.h"
#include "tools/stillframe/input/escaped_text.h"
#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/log_prefix.h"
#include "tools/stillframe/input/markup.h"

namespace stillframe::input {
namespace {

constexpr int kMaxRounds = 4;
constexpr size_t kLargeText = 1U << 20U;

std::optional<std::string> WithoutStringEscapes(std::string_view text) {
  return WithoutEscapes(text);
}

// Both kinds of steps in the order in which they are tried.
struct TextStep {
  std::optional<std::string> (*without)(std::string_view text);
  std::string_view what;  // it removes
  bool is_tried_once = false;
  bool may_hold_another = false;
};
constexpr TextStep kTextSteps[] = {
    {WithoutColours, "colours of a terminal"},
    {WithoutQuotedPrintable, "quoted-printable of a mail"},
    {WithPlainMarks, "typographic quotation marks"},
    {WithoutConcatenation, "quotation marks of joined strings"},
    {.without = WithoutStringEscapes, .what = "escapes of a string", .may_hold_another = true},
    {WithoutCells, "quotation marks of a table"},
    // An entity may be within the text itself.
    {.without = WithoutHtml, .what = "tags and entities of HTML", .is_tried_once = true},
};

struct LineStep {
  bool (*take)(Lines* lines);
  std::string_view what;  // it removes
};
constexpr LineStep kLineSteps[] = {
    {TakeFences, "Markdown around a block"},
    {TakeQuotes, "quotation marks"},
    {TakePlus, "marks of diff"},
    {TakeLineNumbers, "line numbers"},
    {TakeMargin, "margins of a raw string"},
    {TakeLongLog, "heads of logcat"},
    {TakeLogPrefixes, "prefixes of logcat"},
    {TakeSharedPrefix, "the prefix of each line"},
    {TakeSharedEnd, "the end of each line"},
    {TakeIndentation, "indentation of the whole text"},
};

// Whether a step would change the beginning of the text: a large one is not taken apart in vain.
bool IsWrapped(std::string_view text) {
  text = text.substr(0, text.rfind('\n', kLargeText));
  const Lines lines = LinesOf(text);
  return std::ranges::any_of(
             kTextSteps, [text](const TextStep& step) { return step.without(text).has_value(); }) ||
         std::ranges::any_of(kLineSteps, [&lines](const LineStep& step) {
           Lines copy = lines;
           return step.take(&copy);
         });
}

}  // namespace

PastedText Unwrap(std::string bytes) {
  PastedText pasted;
  const auto note = [&pasted](std::string_view what) {
    if (pasted.notes.find(what) != std::string::npos) return;
    pasted.notes.append(pasted.notes.empty() ? "" : ", ").append(what);
  };
  if (const auto is_big = IsUtf16BigEndian(bytes)) {
    bytes = FromUtf16(bytes, *is_big);
    note("UTF-16");
  }
  const bool has_nul = bytes.find('\0') != std::string::npos;
  if (bytes.starts_with(kByteOrderMark) && pasted.notes.empty()) note("a byte order mark");
  if (has_nul) note("NUL characters");
  if (bytes.find(kZeroWidthSpace) != std::string::npos) note("zero-width spaces");
  pasted.text = CleanCharacters(std::move(bytes));
  bool is_done_once = false;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (pasted.text.size() > kLargeText && !IsWrapped(pasted.text)) break;
    bool has_changed = false;
    for (const TextStep& step : kTextSteps) {
      if (step.is_tried_once && is_done_once) continue;
      std::optional<std::string> text = step.without(pasted.text);
      if (!text) continue;
      pasted.text = *std::move(text);
      note(step.what);
      is_done_once = is_done_once || step.is_tried_once;
      has_changed = has_changed || step.may_hold_another;
    }
    Lines lines = LinesOf(pasted.text);
    for (const LineStep& step : kLineSteps) {
      if (!step.take(&lines)) continue;
      note(step.what);
      has_changed = true;
    }
    if (!has_changed) break;
    pasted.text = Joined(lines);
  }
  return pasted;
}

}  // namespace stillframe::input
