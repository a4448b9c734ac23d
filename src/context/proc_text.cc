// SPDX-License-Identifier: Apache-2.0
#include "src/context/proc_text.h"

#include <algorithm>
#include <limits>

namespace stillframe::context {
namespace {

constexpr std::string_view kBlanks = " \t";

// Reads words from the left. ok() is false after a missing word or one that is not a number.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  std::string_view Text() {
    const size_t begin = rest_.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos || rest_[begin] == '\n') return Fail();
    rest_.remove_prefix(begin);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\n"));
    rest_.remove_prefix(word.size());
    return word;
  }

  uint64_t Number() { return Digits(Text()); }

  int64_t Signed() {
    std::string_view word = Text();
    const bool is_negative = !word.empty() && word[0] == '-';
    if (is_negative) word.remove_prefix(1);
    const uint64_t value = Digits(word);
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) Fail();
    return is_negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
  }

  // "12.34" in thousandths.
  uint64_t Thousandths(std::string_view word) {
    const size_t point = word.find('.');
    const std::string_view decimals = point < word.size() ? word.substr(point + 1) : "";
    uint64_t fraction = Digits(decimals.size() <= 3 ? decimals : "");
    for (size_t i = decimals.size(); i < 3; ++i) fraction *= 10;
    const uint64_t whole = Digits(word.substr(0, point));
    if (whole > std::numeric_limits<uint32_t>::max()) Fail();
    return ok_ ? whole * 1000 + fraction : 0;
  }

  void Skip(unsigned words) {
    while (words-- > 0) Text();
  }

  bool ok() const { return ok_; }
  bool AtLineEnd() const {
    const size_t next = rest_.find_first_not_of(kBlanks);
    return next == std::string_view::npos || rest_[next] == '\n';
  }

 private:
  std::string_view Fail() {
    ok_ = false;
    rest_ = {};
    return {};
  }

  uint64_t Digits(std::string_view word) {
    uint64_t value = 0;
    if (word.empty()) Fail();
    for (const char c : word) {
      const auto digit = static_cast<uint64_t>(c - '0');
      if (c < '0' || c > '9' || value > (std::numeric_limits<uint64_t>::max() - digit) / 10) {
        Fail();
        return 0;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// Finds the line that begins with `key`, and returns the remainder.
bool FindLine(std::string_view text, std::string_view key, std::string_view* rest) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with(key)) {
      *rest = line.substr(key.size());
      return true;
    }
    begin = end + 1;
  }
  return false;
}

bool ParseAverage(std::string_view text, std::string_view key, uint64_t* permille) {
  std::string_view line;
  if (!FindLine(text, key, &line)) return false;
  Words words(line);
  constexpr std::string_view kName = "avg10=";
  const std::string_view average = words.Text();
  if (!average.starts_with(kName)) return false;
  // A percentage with two decimals.
  const uint64_t thousandths_of_percent = words.Thousandths(average.substr(kName.size()));
  *permille = thousandths_of_percent / 100;
  return words.ok() && *permille <= 1000;
}

}  // namespace

bool ParseTaskStat(std::string_view text, TaskStat* stat) {
  // "tid (name) state ...": the name may hold anything, also blanks and brackets.
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return false;
  TaskStat result;
  result.name = std::string(text.substr(open + 1, close - open - 1));
  Words words(text.substr(close + 1));
  const std::string_view state = words.Text();
  result.state = state.size() == 1 ? state[0] : '?';
  words.Skip(6);  // parent, group, session, terminal, its group, flags
  result.minor_faults = words.Number();
  words.Skip(1);  // of children
  result.major_faults = words.Number();
  words.Skip(1);
  result.user_ticks = words.Number();
  result.system_ticks = words.Number();
  words.Skip(3);  // of children; priority
  const int64_t nice = words.Signed();
  const uint64_t threads = words.Number();
  words.Skip(1);
  result.start_ticks = words.Number();
  if (!words.ok() || state.size() != 1 || nice < -20 || nice > 19 ||
      threads > std::numeric_limits<uint32_t>::max())
    return false;
  result.nice = static_cast<int32_t>(nice);
  result.threads = static_cast<uint32_t>(threads);
  *stat = result;
  return true;
}

bool ParseLoad(std::string_view text, std::array<uint64_t, 3>* milli) {
  Words words(text);
  std::array<uint64_t, 3> result = {};
  for (uint64_t& average : result) average = words.Thousandths(words.Text());
  words.Text();  // running/all
  if (!words.ok()) return false;
  *milli = result;
  return true;
}

bool ParseSystemCpu(std::string_view text, SystemCpu* cpu) {
  std::string_view line;
  if (!FindLine(text, "cpu ", &line)) return false;
  // user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user time.
  Words words(line);
  std::array<uint64_t, 8> ticks = {};
  SystemCpu result;
  for (uint64_t& value : ticks) {
    value = words.Number();
    if (!words.ok() || value > (uint64_t{1} << 56)) return false;
    result.total += value;
  }
  if (words.AtLineEnd() && line.data() + line.size() == text.data() + text.size()) return false;
  result.iowait = ticks[4];
  result.busy = result.total - ticks[3] - ticks[4];
  *cpu = result;
  return true;
}

bool ParsePressure(std::string_view text, Pressure* pressure) {
  Pressure result;
  if (!ParseAverage(text, "some ", &result.some_permille)) return false;
  result.has_full = ParseAverage(text, "full ", &result.full_permille);
  *pressure = result;
  return true;
}

bool FindNumber(std::string_view text, std::string_view key, uint64_t* value) {
  std::string_view line;
  if (!FindLine(text, key, &line)) return false;
  Words words(line);
  const uint64_t number = words.Number();
  if (!words.ok()) return false;
  if (words.AtLineEnd()) {
    *value = number;
    return true;
  }
  if (words.Text() != "kB" || number > std::numeric_limits<uint64_t>::max() / 1024) return false;
  *value = number * 1024;
  return true;
}

}  // namespace stillframe::context
