// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/written_time.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace stillframe::input {

uint32_t NumberAt(std::string_view digits) {
  uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

bool HasForm(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return false;
  for (size_t i = 0; i < form.size(); ++i)
    if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return false;
  return true;
}

WrittenTime ReadTime(std::string_view text) {
  WrittenTime time;
  const bool is_time = HasForm(text, "0000-00-00 00:00:00") || HasForm(text, "0000-00-00T00:00:00");
  if (!is_time) return time;
  time.text = text.substr(0, 19);
  const auto number = [&](size_t at, size_t length) {
    return static_cast<int>(NumberAt(text.substr(at, length)));
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  std::string_view rest = text.substr(19);
  uint64_t fraction_ns = 0;
  if (rest.starts_with('.')) {
    uint64_t scale = 100'000'000;
    rest.remove_prefix(1);
    for (; !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; rest.remove_prefix(1), scale /= 10)
      fraction_ns += scale * static_cast<uint64_t>(rest[0] - '0');
  }
  rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  int offset_minutes = 0;
  if (HasForm(rest, "+0000") || HasForm(rest, "-0000")) {
    offset_minutes =
        static_cast<int>(NumberAt(rest.substr(1, 2)) * 60 + NumberAt(rest.substr(3, 2)));
    if (rest[0] == '-') offset_minutes = -offset_minutes;
  } else if (HasForm(rest, "+00:00") || HasForm(rest, "-00:00")) {
    offset_minutes =
        static_cast<int>(NumberAt(rest.substr(1, 2)) * 60 + NumberAt(rest.substr(4, 2)));
    if (rest[0] == '-') offset_minutes = -offset_minutes;
  } else if (!rest.starts_with('Z')) {
    return time;
  }
  if (!day.ok()) return time;
  const int64_t seconds = std::chrono::sys_days(day).time_since_epoch() / std::chrono::seconds(1) +
                          number(11, 2) * 3600 + number(14, 2) * 60 + number(17, 2) -
                          offset_minutes * 60;
  if (seconds > 0) time.unix_ns = static_cast<uint64_t>(seconds) * 1'000'000'000 + fraction_ns;
  return time;
}

}  // namespace stillframe::input
