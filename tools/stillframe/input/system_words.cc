// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/system_words.h"

#include <algorithm>
#include <array>

#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/log_prefix.h"
#include "tools/stillframe/input/written_time.h"

namespace stillframe::input {
namespace {

// "03-04 10:11:11.988  1000 ...", with or without a year.
std::string LogTime(std::string_view line) {
  line = Trimmed(line);
  if (HasForm(line, "0000-00-00")) line.remove_prefix(5);
  return HasForm(line, "00-00 00:00:00") ? std::string(line.substr(0, 14)) : std::string();
}

// The part of a log's line behind "tag : " or "tag(123): ", or the line itself. `*tag`: "" unless
// the line is of logcat.
std::string_view Message(std::string_view line, std::string_view* tag) {
  *tag = {};
  if (const auto log = ParseLogLine(line)) {
    *tag = log->tag;
    return Trimmed(log->message);
  }
  for (const std::string_view known :
       {"ActivityManager", "am_anr", "ANRManager", "InputDispatcher"}) {
    const size_t at = line.find(known);
    if (at > 80) continue;  // npos, too
    const size_t colon = line.find(':', at);
    if (colon != std::string_view::npos) return Trimmed(line.substr(colon + 1));
  }
  return Trimmed(line);
}

// The blanks in front of the message, which is a part of the line.
size_t IndentOf(std::string_view line, std::string_view message) {
  if (message.find("% ") == std::string_view::npos) return 0;
  const std::string_view before = line.substr(0, static_cast<size_t>(message.data() - line.data()));
  const size_t last = before.find_last_not_of(" \t");
  return std::min<size_t>(before.size() - (last == std::string_view::npos ? 0 : last + 1), 16);
}

// "[0,4321,com.example.app,955792964,Input dispatching timed out (...)]": user, pid, package,
// flags, reason. Source: AOSP, EventLogTags.logtags, am_anr.
void ReadEvent(std::string_view event, std::vector<SystemWords>* all) {
  const std::string_view list = After(event, "[");
  SystemWords words;
  std::array<std::string_view, 4> fields;
  std::string_view rest = list;
  for (std::string_view& field : fields) {
    const size_t comma = rest.find(',');
    if (comma == std::string_view::npos) return;
    field = Trimmed(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  words.pid = NumberAt(fields[1]);
  words.process = fields[2];
  words.reason = Trimmed(rest.substr(0, rest.rfind(']')));
  words.time = LogTime(event);
  if (words.pid != 0) all->push_back(std::move(words));
}

}  // namespace

std::vector<SystemWords> ReadSystemWords(std::string_view text) {
  std::vector<SystemWords> all;
  bool is_open = false;
  std::string_view tag_of_block;
  ForEachLine(text, [&](std::string_view line) {
    if (line.find("am_anr") != std::string_view::npos) return ReadEvent(line, &all);
    std::string_view tag;
    const std::string_view message = Message(line, &tag);
    if (message.starts_with("ANR in ")) {
      SystemWords& words = all.emplace_back();
      std::string_view name = message.substr(7);
      if (name.starts_with("process ")) name.remove_prefix(8);  // up to Android 2.3, and vendors'
      const size_t open = name.find(" (");
      words.process = Trimmed(name.substr(0, std::min(open, name.find(','))));
      words.time = LogTime(line);
      if (open != std::string_view::npos) {
        name = name.substr(open + 2, name.find(')', open) - open - 2);
        if (name.starts_with("last in ")) name.remove_prefix(8);
        words.component = name;
      }
      is_open = true;
      tag_of_block = tag;
    }
    if (!is_open || (!tag.empty() && tag != tag_of_block)) return;
    // The block ends with the traces, or with another message of the log.
    const bool is_of_block = message.find("/proc/pressure/") != std::string_view::npos;
    if ((message.starts_with("-----") && !is_of_block) || message.starts_with('"')) {
      is_open = false;
      return;
    }
    SystemWords& words = all.back();
    if (message.starts_with("PID: ")) words.pid = NumberAt(message.substr(5));
    if (message.starts_with("Reason: ")) words.reason = message.substr(8);
    // Threads are indented below their process.
    if (words.text.size() < kMaxSystemText)
      words.text.append(IndentOf(line, message), ' ').append(message) += '\n';
  });
  return all;
}

}  // namespace stillframe::input
