// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/pasted_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tools/stillframe/input/escaped_text.h"

namespace stillframe::input {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kZeroWidthSpace = "\xE2\x80\x8B";
constexpr std::string_view kBlank = " \t";
constexpr int kMaxRounds = 4;
constexpr size_t kLargeText = 1U << 20U;

// With a byte order mark, or text whose every second byte is NUL.
std::optional<bool> IsUtf16BigEndian(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return false;
  if (bytes.starts_with("\xFE\xFF")) return true;
  const std::string_view head = bytes.substr(0, std::min<size_t>(bytes.size(), 256) & ~size_t{1});
  std::array<size_t, 2> nuls = {};
  for (size_t i = 0; i < head.size(); ++i) nuls[i % 2] += head[i] == '\0' ? 1U : 0U;
  const size_t most = head.size() / 2;
  if (most < 4 || nuls[0] + nuls[1] < most * 9 / 10) return std::nullopt;
  if (nuls[0] == 0) return false;
  if (nuls[1] == 0) return true;
  return std::nullopt;
}

std::string FromUtf16(std::string_view bytes, bool is_big) {
  std::string out;
  out.reserve(bytes.size() / 2);
  const auto unit = [&](size_t at) {
    const auto first = static_cast<uint8_t>(bytes[at]);
    const auto second = static_cast<uint8_t>(bytes[at + 1]);
    return is_big ? first << 8 | second : second << 8 | first;
  };
  for (size_t at = 0; at + 1 < bytes.size(); at += 2) {
    auto code = static_cast<uint32_t>(unit(at));
    if (IsHighSurrogate(code) && at + 3 < bytes.size()) {
      const auto low = static_cast<uint32_t>(unit(at + 2));
      if (IsLowSurrogate(low)) {
        code = JoinedSurrogates(code, low);
        at += 2;
      }
    }
    AppendUtf8(code, &out);
  }
  return out;
}

// The surrogate at `at`, in three bytes as Java's modified UTF-8 has it; 0: none there.
uint32_t SurrogateAt(std::string_view text, size_t at) {
  if (at + 3 > text.size() || static_cast<uint8_t>(text[at]) != 0xED) return 0;
  const auto second = static_cast<uint8_t>(text[at + 1]);
  const auto third = static_cast<uint8_t>(text[at + 2]);
  if (second < 0xA0 || second > 0xBF || (third & 0xC0) != 0x80) return 0;
  return 0xD000U | (second & 0x3FU) << 6U | (third & 0x3FU);
}

constexpr std::array<bool, 256> MakeSpecial() {
  std::array<bool, 256> special = {};
  for (const size_t c : {0x00U, 0x0DU, 0xC2U, 0xE2U, 0xEDU, 0xEFU}) special[c] = true;
  return special;
}

// Characters that are not text's: byte order marks, CR, NUL, no-break and zero-width spaces, split
// surrogates.
std::string CleanCharacters(std::string bytes) {
  constexpr std::array<bool, 256> kSpecial = MakeSpecial();
  const auto is_special = [&](char c) { return kSpecial[static_cast<uint8_t>(c)]; };
  const auto first = std::ranges::find_if(bytes, is_special);
  if (first == bytes.end()) return bytes;
  const std::string_view text = bytes;
  std::string out(bytes.begin(), first);
  out.reserve(bytes.size());
  for (size_t i = out.size(); i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') continue;
    if (is_special(c) && c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') out += '\n';
    } else if (is_special(c) && (text.substr(i).starts_with(kByteOrderMark) ||
                                 text.substr(i).starts_with(kZeroWidthSpace))) {
      i += kByteOrderMark.size() - 1;
    } else if (is_special(c) && text.substr(i).starts_with("\xC2\xA0")) {
      out += ' ';
      ++i;
    } else if (const uint32_t high = is_special(c) ? SurrogateAt(text, i) : 0;
               IsHighSurrogate(high) && IsLowSurrogate(SurrogateAt(text, i + 3))) {
      AppendUtf8(JoinedSurrogates(high, SurrogateAt(text, i + 3)), &out);
      i += 5;
    } else {
      out += c;
    }
  }
  return out;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  ForEachLine(text, [&](std::string_view line) { lines.push_back(line); });
  return lines;
}

std::string Joined(std::span<const std::string_view> lines) {
  std::string text;
  for (const std::string_view line : lines) text.append(line) += '\n';
  return text;
}

size_t CountFilled(std::span<const std::string_view> lines) {
  return static_cast<size_t>(std::ranges::count_if(
      lines, [](auto line) { return !Trimmed(line).empty(); }));
}

// Blocks between lines of ``` or ~~~. Without an end, the block goes to the end of the text. The
// marks may be in the block's first and last line.
bool TakeFences(std::vector<std::string_view>* lines) {
  const auto is_fence = [](std::string_view line) {
    const std::string_view text = Trimmed(line);
    return text.starts_with("```") || text.starts_with("~~~");
  };
  if (std::ranges::none_of(*lines, is_fence)) return false;
  std::vector<std::string_view> inside;
  bool is_inside = false;
  for (const std::string_view line : *lines) {
    const bool opens = is_fence(line);
    if (opens) is_inside = !is_inside;
    if (!is_inside) continue;
    // One word behind the mark is the language.
    const std::string_view text = opens ? Trimmed(Trimmed(line).substr(3)) : line;
    if (opens && text.find(' ') == std::string_view::npos) continue;
    const bool closes = Trimmed(text).ends_with("```");
    inside.push_back(closes ? text.substr(0, text.rfind("```")) : text);
    if (closes) is_inside = false;
  }
  // A single fence at the end closes a block whose beginning was not copied.
  if (CountFilled(inside) == 0) {
    inside.clear();
    std::ranges::copy_if(*lines, std::back_inserter(inside),
                         [&](std::string_view line) { return !is_fence(line); });
  }
  *lines = std::move(inside);
  return true;
}

bool TakeQuotes(std::vector<std::string_view>* lines) {
  size_t quoted = 0;
  for (const std::string_view line : *lines) quoted += Trimmed(line).starts_with('>') ? 1U : 0U;
  if (quoted == 0 || quoted * 10 < CountFilled(*lines) * 8) return false;
  for (std::string_view& line : *lines) {
    const size_t mark = line.find_first_not_of(kBlank);
    if (mark == std::string_view::npos || line[mark] != '>') continue;
    line.remove_prefix(mark + 1);
    if (line.starts_with(' ')) line.remove_prefix(1);
  }
  return true;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  size_t Blanks() {
    return While([](char c) { return c == ' ' || c == '\t'; });
  }
  size_t Digits() { return While(IsDigit); }
  bool Take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Takes text of this form, in which 0 is any digit.
  bool Has(std::string_view pattern) {
    if (text_.size() < pattern.size()) return false;
    for (size_t i = 0; i < pattern.size(); ++i)
      if (pattern[i] == '0' ? !IsDigit(text_[i]) : text_[i] != pattern[i]) return false;
    text_.remove_prefix(pattern.size());
    return true;
  }
  bool Level() {
    if (text_.empty() || std::string_view("VDIWEFAS").find(text_[0]) == std::string_view::npos)
      return false;
    text_.remove_prefix(1);
    return true;
  }
  template <typename Is>
  size_t While(const Is& is) {
    const auto end = std::ranges::find_if_not(text_, is);
    const auto length = static_cast<size_t>(end - text_.begin());
    text_.remove_prefix(length);
    return length;
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace

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

namespace {

// Bug reports keep their logs: their reader joins them with the traces. So does a log of an ANR
// without stacks, whose lines are few among many.
bool TakeLogPrefixes(std::vector<std::string_view>* lines) {
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

bool TakeIndentation(std::vector<std::string_view>* lines) {
  size_t least = std::string_view::npos;
  std::string_view indent;
  for (const std::string_view line : *lines) {
    if (Trimmed(line).empty()) continue;
    const size_t blanks = line.find_first_not_of(kBlank);
    if (blanks < least) indent = line.substr(0, blanks);
    least = std::min(least, blanks);
    if (least == 0) return false;
  }
  if (least == std::string_view::npos) return false;
  for (std::string_view& line : *lines)
    line.remove_prefix(std::min(least, std::min(line.find_first_not_of(kBlank), line.size())));
  return true;
}

// "+" in front of each line, as diff writes.
bool TakePlus(std::vector<std::string_view>* lines) {
  size_t added = 0;
  for (const std::string_view line : *lines) added += line.starts_with('+') ? 1U : 0U;
  if (added < 3 || added * 10 < CountFilled(*lines) * 9) return false;
  std::erase_if(*lines, [](std::string_view line) {
    return line.starts_with("+++ ") || line.starts_with("@@ ");
  });
  for (std::string_view& line : *lines)
    if (line.starts_with('+')) line.remove_prefix(1);
  return true;
}

// "  12  text", "12 | text", "12: text": numbers that count the lines.
bool TakeLineNumbers(std::vector<std::string_view>* lines) {
  // A bar belongs to the numbers if it is behind all of them.
  const auto has_bar_behind = [](std::string_view line) {
    Scanner scan(line);
    scan.Blanks();
    scan.Digits();
    scan.Blanks();
    return Trimmed(line).empty() || scan.text().starts_with('|');
  };
  const bool have_bars = std::ranges::all_of(*lines, has_bar_behind);
  std::vector<std::string_view> rest;
  uint64_t last = 0;
  size_t numbered = 0;
  for (const std::string_view line : *lines) {
    Scanner scan(line);
    scan.Blanks();
    uint64_t number = 0;
    const std::string_view digits = scan.text();
    std::from_chars(digits.data(), digits.data() + std::min<size_t>(digits.size(), 9), number);
    scan.Digits();
    if (number == 0 || (last != 0 && number != last + 1)) {
      if (Trimmed(line).empty()) continue;
      return false;
    }
    last = number;
    ++numbered;
    const size_t blanks = scan.Blanks();
    const bool has_bar =
        (have_bars && scan.Take('|')) || (blanks == 0 && (scan.Take(':') || scan.Take('.')));
    if (!has_bar && blanks == 0 && !scan.text().empty()) return false;
    // The remaining blanks are the line's own indentation.
    std::string_view text = scan.text();
    if (!has_bar && blanks > 2) text = digits.substr(digits.size() - text.size() - (blanks - 2));
    if (has_bar && text.starts_with(' ')) text.remove_prefix(1);
    rest.push_back(text);
  }
  if (numbered < 5) return false;
  *lines = std::move(rest);
  return true;
}

// The margin of a raw string in Kotlin, "    |text".
bool TakeMargin(std::vector<std::string_view>* lines) {
  size_t margins = 0;
  for (const std::string_view line : *lines) {
    const std::string_view text = Trimmed(line);
    margins += text.starts_with('|') ? 1U : 0U;
  }
  if (margins < 3 || margins * 10 < CountFilled(*lines) * 8) return false;
  for (std::string_view& line : *lines) {
    const std::string_view text = Trimmed(line);
    if (text.starts_with('|')) line = line.substr(line.find('|') + 1);
  }
  return true;
}

// "[ 11-07 09:12:25.381 14231:14239 I/art ]" above each message: logcat -v long.
bool TakeLongLog(std::vector<std::string_view>* lines) {
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

// The text in front of a head of a process or thread, if it is in front of nearly all lines: the
// prefix of any log, "traces.txt:12:", a bullet. Not if a line begins with a head or is quoted.
bool TakeSharedPrefix(std::vector<std::string_view>* lines) {
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

// The text behind a head of a process or thread, if nearly all lines end with it: "|", "\par", a
// log's tag.
bool TakeSharedEnd(std::vector<std::string_view>* lines) {
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

// Strings joined with "+" over lines, in Java and Kotlin: what is between the quotation marks.
std::optional<std::string> WithoutConcatenation(std::string_view text) {
  size_t filled = 0;
  size_t strings = 0;
  std::string out;
  ForEachLine(text, [&](std::string_view raw) {
    std::string_view line = Trimmed(raw);
    if (line.empty()) return;
    ++filled;
    const size_t begin = line.find('"');
    const size_t end = line.rfind('"');
    if (begin == std::string_view::npos || end == begin) return;
    const std::string_view before = Trimmed(line.substr(0, begin));
    const std::string_view after = Trimmed(line.substr(end + 1));
    const bool is_joined = before == "+" || after == "+" || before.ends_with('=');
    if (!is_joined || !line.substr(begin + 1, end - begin - 1).ends_with("\\n")) return;
    ++strings;
    out.append(line.substr(begin + 1, end - begin - 1));
  });
  if (strings < 3 || strings * 10 < filled * 8) return std::nullopt;
  return out;
}

// Sequences of colours, "ESC [ 32 m".
std::optional<std::string> WithoutColours(std::string_view text) {
  constexpr std::string_view kEscape = "\x1B[";
  if (text.find(kEscape) == std::string_view::npos) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!text.substr(i).starts_with(kEscape)) {
      out += text[i];
      continue;
    }
    i = std::min(text.find_first_not_of("0123456789;", i + kEscape.size()), text.size());
  }
  return out;
}

// Typographic quotation marks and dashes, where the text has no plain marks around names.
std::optional<std::string> WithPlainMarks(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMarks = {
      {{"\xE2\x80\x9C", "\""},
       {"\xE2\x80\x9D", "\""},
       {"\xE2\x80\x9E", "\""},
       {"\xE2\x80\x98", "'"},
       {"\xE2\x80\x99", "'"},
       {"\xE2\x80\x94\xE2\x80\x94-", "-----"},
       {"\xE2\x80\xA6 repeated", "... repeated"}}};
  bool has_head = false;
  ForEachLine(text, [&has_head](std::string_view line) {
    const std::string_view head = Trimmed(line);
    has_head =
        has_head || ((head.starts_with("\xE2\x80\x9C") || head.starts_with("\xE2\x80\x9E")) &&
                     head.find("id=") != std::string_view::npos);
  });
  if (!has_head) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto mark = std::ranges::find_if(
        kMarks, [&](const auto& each) { return text.substr(i).starts_with(each.first); });
    if (mark == kMarks.end()) {
      out += text[i];
      continue;
    }
    out += mark->second;
    i += mark->first.size() - 1;
  }
  return out;
}

// Whether a step would change the beginning of the text: a large one is not taken apart in vain.
bool IsWrapped(std::string_view text) {
  text = text.substr(0, text.rfind('\n', kLargeText));
  const std::vector<std::string_view> lines = LinesOf(text);
  const auto takes = [&lines](bool (*step)(std::vector<std::string_view>*)) {
    std::vector<std::string_view> copy = lines;
    return step(&copy);
  };
  return WithoutEscapes(text) || WithoutHtml(text) || WithoutCells(text) || takes(TakeFences) ||
         takes(TakeQuotes) || WithoutColours(text) || WithoutQuotedPrintable(text) ||
         WithPlainMarks(text) || WithoutConcatenation(text) || takes(TakePlus) ||
         takes(TakeLineNumbers) || takes(TakeMargin) || takes(TakeLongLog) ||
         takes(TakeLogPrefixes) || takes(TakeSharedPrefix) || takes(TakeSharedEnd) ||
         takes(TakeIndentation);
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::string_view After(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + label.size());
}

std::optional<std::string_view> LineAfter(std::string_view text, std::string_view label) {
  for (size_t at = text.find(label); at != std::string_view::npos; at = text.find(label, at + 1)) {
    const size_t before = text.substr(0, at).find_last_not_of(" \t\r");
    if (before != std::string_view::npos && text[before] != '\n') continue;
    const std::string_view rest = text.substr(at + label.size());
    return Trimmed(rest.substr(0, rest.find('\n')));
  }
  return std::nullopt;
}

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
  bool has_html = false;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (pasted.text.size() > kLargeText && !IsWrapped(pasted.text)) break;
    if (auto text = WithoutColours(pasted.text)) {
      pasted.text = *std::move(text);
      note("colours of a terminal");
    }
    if (auto text = WithoutQuotedPrintable(pasted.text)) {
      pasted.text = *std::move(text);
      note("quoted-printable of a mail");
    }
    if (auto text = WithPlainMarks(pasted.text)) {
      pasted.text = *std::move(text);
      note("typographic quotation marks");
    }
    if (auto text = WithoutConcatenation(pasted.text)) {
      pasted.text = *std::move(text);
      note("quotation marks of joined strings");
    }
    const auto unescaped = WithoutEscapes(pasted.text);
    if (unescaped) {
      pasted.text = *unescaped;
      note("escapes of a string");
    }
    if (auto text = WithoutCells(pasted.text)) {
      pasted.text = *std::move(text);
      note("quotation marks of a table");
    }
    // Once: an entity may be within the text itself.
    if (auto text = has_html ? std::nullopt : WithoutHtml(pasted.text)) {
      pasted.text = *std::move(text);
      has_html = true;
      note("tags and entities of HTML");
    }
    std::vector<std::string_view> lines = LinesOf(pasted.text);
    bool has_changed = unescaped.has_value();  // a string may hold another
    const auto take = [&](bool (*step)(std::vector<std::string_view>*), std::string_view what) {
      if (!step(&lines)) return;
      note(what);
      has_changed = true;
    };
    take(TakeFences, "Markdown around a block");
    take(TakeQuotes, "quotation marks");
    take(TakePlus, "marks of diff");
    take(TakeLineNumbers, "line numbers");
    take(TakeMargin, "margins of a raw string");
    take(TakeLongLog, "heads of logcat");
    take(TakeLogPrefixes, "prefixes of logcat");
    take(TakeSharedPrefix, "the prefix of each line");
    take(TakeSharedEnd, "the end of each line");
    take(TakeIndentation, "indentation of the whole text");
    if (!has_changed) break;
    pasted.text = Joined(lines);
  }
  return pasted;
}

}  // namespace stillframe::input
