// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/log_prefix.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/stillframe/input/lines.h"

namespace stillframe::input {

// "01-31 10:11:12.345  1000  4321  4350 I tag : text" (threadtime), "2024-01-31 10:11:12.345
// 4321-4350/com.shop I/tag: text" (Android Studio), "I/tag ( 4321): text" (brief), "1706.345  1000
// 4350 I tag : text" (epoch).
std::optional<LogLine> ParseLogLine(std::string_view line) {
  Scanner scan(line);
  scan.Blanks();
  scan.Has("0000-");  // the year, if there is one
  Scanner epoch = scan;
  const bool is_epoch = epoch.Digits() > 8 && epoch.Take('.') && epoch.Digits() > 2;
  if (is_epoch) scan = epoch;
  if (is_epoch || scan.Has("00-00 00:00:00.000")) {
    scan.Digits();
    std::array<std::string_view, 5> words;
    size_t count = 0;
    for (; count < words.size() && !scan.text().empty(); ++count) {
      scan.Blanks();
      Scanner ahead(scan.text());
      if (ahead.Level() &&
          (ahead.text().empty() || ahead.text()[0] == ' ' || ahead.text()[0] == '/'))
        break;
      words[count] = scan.text();
      words[count] =
          words[count].substr(0, scan.While([](char c) { return c != ' ' && c != '\t'; }));
    }
    scan.Blanks();
    // "4321-4350 tag  com.shop  I  text": Android Studio's, which has no colon.
    if (count >= 3 && words[0].find('-') != std::string_view::npos && scan.Level()) {
      std::string_view message = scan.text();
      message.remove_prefix(
          std::min(std::min<size_t>(message.find_first_not_of(' '), 2), message.size()));
      return LogLine{words[1], message};
    }
  }
  if (!scan.Level()) return std::nullopt;
  const bool is_brief = scan.Take('/');
  if (!is_brief && scan.Blanks() == 0) return std::nullopt;
  const size_t colon = scan.text().find(':');
  if (colon > 200) return std::nullopt;  // npos, too
  LogLine log;
  log.tag = Trimmed(scan.text().substr(0, colon));
  log.tag = Trimmed(log.tag.substr(0, log.tag.find('(')));
  log.message = scan.text().substr(colon + 1);
  if (log.message.starts_with(' ')) log.message.remove_prefix(1);
  if (!is_brief && log.tag.find('"') != std::string_view::npos) return std::nullopt;
  return log;
}

bool TakeLogPrefixes(Lines* lines) {
  std::map<std::string_view, size_t> tags;
  size_t logged = 0;
  bool has_anr = false;
  bool has_stacks = false;
  for (const std::string_view line : *lines) {
    if (line.starts_with("== dumpstate") || line.starts_with("------ ")) return false;
    const auto log = ParseLogLine(line);
    if (!log) continue;
    ++tags[log->tag];
    ++logged;
    has_anr = has_anr || log->message.starts_with("ANR in ");
    has_stacks = has_stacks || log->message.find("\" prio=") != std::string_view::npos ||
                 log->message.find("\" tid=") != std::string_view::npos ||
                 Trimmed(log->message).starts_with("at ");
  }
  if (has_anr && !has_stacks) return false;
  if (logged < 2 || logged * 10 < CountFilled(*lines) * 7) return false;
  const auto most = std::ranges::max_element(
      tags, [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string tag(most->first);
  std::vector<std::string_view> kept;
  for (const std::string_view line : *lines) {
    const auto log = ParseLogLine(line);
    if (!log)
      kept.push_back(line);
    else if (log->tag == tag)
      kept.push_back(log->message);
  }
  *lines = std::move(kept);
  return true;
}

bool TakeLongLog(Lines* lines) {
  const auto is_head = [](std::string_view line) {
    Scanner scan(Trimmed(line));
    if (!scan.Has("[ ")) return false;
    scan.Has("0000-");
    return scan.Has("00-00 00:00:00.000") && scan.text().ends_with(']');
  };
  if (std::ranges::count_if(*lines, is_head) < 3) return false;
  std::vector<std::string_view> kept;
  for (size_t i = 0; i < lines->size(); ++i) {
    if (is_head((*lines)[i])) continue;
    // The empty line before a head ends the message.
    const bool is_end =
        Trimmed((*lines)[i]).empty() && i + 1 < lines->size() && is_head((*lines)[i + 1]);
    if (!is_end) kept.push_back((*lines)[i]);
  }
  *lines = std::move(kept);
  return true;
}

namespace {

// Where the first line of a process or the head of a thread begins in a line; npos: nowhere.
size_t HeadIn(std::string_view line) {
  const size_t process = line.find("----- pid ");
  if (process != std::string_view::npos) return process;
  const bool is_head = line.find("\" prio=") != std::string_view::npos ||
                       line.find("\" daemon prio=") != std::string_view::npos ||
                       line.find("\" tid=") != std::string_view::npos;
  return is_head ? line.find('"') : std::string_view::npos;
}

// Where that head ends.
size_t HeadEnd(std::string_view line, size_t begin) {
  constexpr std::string_view kDashes = "-----";
  if (line.substr(begin).starts_with(kDashes)) {
    const size_t end = line.find(kDashes, begin + kDashes.size());
    return end == std::string_view::npos ? end : end + kDashes.size();
  }
  const size_t number = line.rfind("tid=");
  if (number == std::string_view::npos) return number;
  Scanner scan(line.substr(number + 4));
  scan.Digits();
  scan.Blanks();
  scan.While([](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  return line.size() - scan.text().size();
}

// Takes `prefix` from the line, whose numbers and blanks in front of numbers may differ. A line
// may end within the prefix's last blanks.
bool TakePrefix(std::string_view prefix, std::string_view* line) {
  const size_t solid = prefix.find_last_not_of(kBlank) + 1;
  Scanner form(prefix.substr(0, solid));
  Scanner text(*line);
  while (!form.text().empty()) {
    const bool is_same = (form.Blanks() > 0) == (text.Blanks() > 0);
    if (IsDigit(form.text()[0])) {
      form.Digits();
      if (text.Digits() == 0) return false;
    } else {
      const char next = form.text()[0];
      form.Take(next);
      if (!is_same || !text.Take(next)) return false;
    }
  }
  *line = text.text().substr(
      std::min({prefix.size() - solid, text.text().size(),
                std::min(text.text().find_first_not_of(kBlank), text.text().size())}));
  return true;
}

}  // namespace

bool TakeSharedPrefix(Lines* lines) {
  std::string_view prefix;
  for (const std::string_view line : *lines) {
    const size_t head = HeadIn(line);
    if (head == std::string_view::npos) continue;
    const std::string_view before = Trimmed(line.substr(0, head));
    if (before.empty() || before.starts_with('>')) return false;
    if (prefix.empty()) prefix = line.substr(0, head);
  }
  if (prefix.empty()) return false;
  std::vector<std::string_view> rest = *lines;
  size_t taken = 0;
  for (std::string_view& line : rest) taken += TakePrefix(prefix, &line) ? 1U : 0U;
  if (taken < 3 || taken * 10 < CountFilled(*lines) * 8) return false;
  *lines = std::move(rest);
  return true;
}

bool TakeSharedEnd(Lines* lines) {
  const auto head = std::ranges::find_if(
      *lines, [](std::string_view line) { return HeadIn(line) != std::string_view::npos; });
  if (head == lines->end()) return false;
  const std::string_view mark =
      Trimmed(head->substr(std::min(HeadEnd(*head, HeadIn(*head)), head->size())));
  if (mark.empty() || mark.find('"') != std::string_view::npos) return false;  // not a string's end
  const auto has_mark = [mark](std::string_view line) { return Trimmed(line).ends_with(mark); };
  const auto marked = static_cast<size_t>(std::ranges::count_if(*lines, has_mark));
  if (marked < 3 || marked * 10 < CountFilled(*lines) * 8) return false;
  for (std::string_view& line : *lines) {
    if (!has_mark(line)) continue;
    line = line.substr(0, line.rfind(mark));
    line = line.substr(0, line.find_last_not_of(kBlank) + 1);
  }
  return true;
}

}  // namespace stillframe::input
