// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/system_reason.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/thread_head.h"

namespace stillframe::input {
namespace {

// How the system begins its reasons. Sources: see judge/anr_kind.h.
constexpr std::array<std::string_view, 10> kReasonBegins = {
    "Input dispatching timed out",
    "Broadcast of Intent",
    "executing service ",
    "Executing service ",
    "Context.startForegroundService() did not then call Service.startForeground",
    "A foreground service of ",
    "ContentProvider not responding",
    "No response to on",
    "required notification not provided",
    "Process ProcessRecord{"};

constexpr std::string_view kSubject = "Subject: ";
constexpr std::string_view kFieldMarks = "\"=,;|\t";

bool BeginsReason(std::string_view text) {
  return std::ranges::any_of(
      kReasonBegins, [text](std::string_view begin) { return text.starts_with(begin); });
}

}  // namespace

std::string_view ReasonOf(std::string_view line) {
  for (const std::string_view label : {"ANR", ":", "Reason:"})
    if (line.starts_with(label)) line = Trimmed(line.substr(label.size()));
  if (BeginsReason(line)) return line;
  // In a field of a line of a log or table.
  for (size_t at = line.find_first_of(kFieldMarks); at != std::string_view::npos;
       at = line.find_first_of(kFieldMarks, at + 1)) {
    std::string_view field = line.substr(at + 1);
    if (field.starts_with(kSubject)) field.remove_prefix(kSubject.size());
    if (!BeginsReason(field)) continue;
    const char end = line[at] == '"' ? '"' : line[at] == '|' ? '|' : '\t';
    return Trimmed(field.substr(0, field.find(end)));
  }
  return {};
}

std::string SubjectOf(std::string_view head) {
  constexpr size_t kMostLines = 4;
  std::string subject;
  size_t lines = 0;
  bool is_above = true;
  ForEachLine(head, [&](std::string_view raw) {
    const std::string_view line = Trimmed(raw);
    const bool is_open = std::ranges::count(subject, '(') > std::ranges::count(subject, ')');
    ThreadHead thread;
    is_above = is_above && !ParseThreadHead(line, &thread);
    const std::string_view bare = is_above && subject.empty() ? ReasonOf(line) : std::string_view();
    if (line.starts_with(kSubject) || !bare.empty()) {
      subject = bare.empty() ? Trimmed(line.substr(kSubject.size())) : bare;
      lines = 1;
    } else if (is_open && lines > 0 && lines < kMostLines && !line.empty() &&
               !line.starts_with("-")) {
      subject.append(" ").append(line);
      ++lines;
    } else {
      lines = 0;
    }
  });
  return subject;
}

bool IsDottedName(std::string_view name) {
  return name.find('.') != std::string_view::npos &&
         std::ranges::all_of(
             name,
             [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' ||
                      c == '$';
             });
}

std::string_view PackageIn(std::string_view reason) {
  if (const std::string_view component = After(reason, "cmp="); !component.empty())
    reason = component;
  for (size_t slash = reason.find('/'); slash != std::string_view::npos;
       slash = reason.find('/', slash + 1)) {
    const std::string_view before = reason.substr(0, slash);
    const size_t begin = before.find_last_of(" (={:/") + 1;  // npos + 1 is the start
    const bool is_path = begin > 0 && before[begin - 1] == '/';
    if (!is_path && IsDottedName(before.substr(begin))) return before.substr(begin);
  }
  return {};
}

}  // namespace stillframe::input
