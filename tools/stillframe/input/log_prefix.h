// SPDX-License-Identifier: Apache-2.0
// Prefixes that logs and lists put in front of each line of a text.
#pragma once

#include <optional>
#include <string_view>

#include "tools/stillframe/input/markup.h"

namespace stillframe::input {

// A line of logcat in one of its forms, without the prefix.
struct LogLine {
  std::string_view tag;
  std::string_view message;
};
std::optional<LogLine> ParseLogLine(std::string_view line);

// Each returns false, and changes nothing, if the lines have no such prefix.

// Prefixes of logcat. Bug reports keep their logs: their reader joins them with the traces. So does
// a log of an ANR without stacks, whose lines are few among many.
bool TakeLogPrefixes(Lines* lines);
// "[ 11-07 09:12:25.381 14231:14239 I/art ]" above each message: logcat -v long.
bool TakeLongLog(Lines* lines);
// The text in front of a head of a process or thread, if it is in front of nearly all lines: the
// prefix of any log, "traces.txt:12:", a bullet. Not if a line begins with a head or is quoted.
bool TakeSharedPrefix(Lines* lines);
// The text behind a head of a process or thread, if nearly all lines end with it: "|", "\par", a
// log's tag.
bool TakeSharedEnd(Lines* lines);

}  // namespace stillframe::input
